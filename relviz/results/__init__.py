"""What a view asks to see: each result as a task, and as what the pages and figures read from it."""
