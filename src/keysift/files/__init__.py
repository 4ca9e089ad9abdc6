"""Files written whole or not at all, folders for caches and work, arrays in one safe file."""
