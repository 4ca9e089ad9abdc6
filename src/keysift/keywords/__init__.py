"""From what the user typed to where each keyword occurs, and a report on every keyword."""
