"""Print figures from arrays, and the colors and limits that they share with the screen."""
