"""MiniLM's weights as the file that keysift ships, and what that file costs and loses beside the original."""
