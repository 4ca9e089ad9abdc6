"""The workbench: a local page to look, change, cut, answer and export; its server, and the files of the page."""
