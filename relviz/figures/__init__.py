"""Print figures of what the pages show, and the recipes that make them again."""
