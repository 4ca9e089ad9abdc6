"""A result as facts: numbers, sentences and verdicts, written once; terminal and pages only lay them out."""
