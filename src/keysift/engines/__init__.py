"""Where the work on shards is done: in processes of this machine, or on a Ray cluster. Engines only move data."""
