"""The Gallery page: shipped figures as cards."""
