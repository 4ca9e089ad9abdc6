"""The theory on real documents: the plots and tables of docs/theory.md."""
