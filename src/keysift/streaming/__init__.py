"""Corpora larger than memory: choose a sample, learn from it, score everything shard by shard, sort on disk."""
