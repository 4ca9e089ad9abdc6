"""Several ways to look at the same documents: each view turns them into features."""
