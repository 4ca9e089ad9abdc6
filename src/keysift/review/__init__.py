"""Reading a ranking to its end: answers, what to read next, and a simulation on a review that is finished."""
