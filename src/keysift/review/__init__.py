"""Reading a ranking to its end: answers and where they are kept, what to read next, when to stop, and a simulation."""
