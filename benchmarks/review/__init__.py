"""Reviews read again: loss, work saved and learning curves on the tasks of the suite with few relevant documents."""
