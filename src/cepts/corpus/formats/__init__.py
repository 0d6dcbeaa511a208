"""Files that hold both languages: what they are, and how they are read."""
