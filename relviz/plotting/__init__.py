"""Print figures from arrays, and the colours and limits that they share with the screen."""
