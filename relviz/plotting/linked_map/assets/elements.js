// Elements of a page that is known to have them.

/**
 * The first element of a kind, told from others by what follows its name in a selector.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {ParentNode} root
 * @param {K} kind
 * @param {string} [which]
 */
export function find(root, kind, which = "") {
  return /** @type {HTMLElementTagNameMap[K]} */ (root.querySelector(kind + which));
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {ParentNode} root
 * @param {K} kind
 * @param {string} [which]
 */
export function findAll(root, kind, which = "") {
  return [.../** @type {NodeListOf<HTMLElementTagNameMap[K]>} */ (root.querySelectorAll(kind + which))];
}
