import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/", "build/", "dist/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "consistent-return": "error",
      "default-case-last": "error",
      eqeqeq: "error",
      "no-else-return": "error",
      "no-implicit-coercion": "error",
      "no-param-reassign": "error",
      "no-promise-executor-return": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-unreachable-loop": "error",
      "no-unused-expressions": ["error", { allowShortCircuit: true }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "prefer-template": "error",
    },
  },
  { files: ["relviz/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["tests/**/*.js", "eslint.config.js"], languageOptions: { globals: globals.node } },
  { files: ["tests/benchmarks/**/*.js"], languageOptions: { globals: globals.browser } },
];
