"""What experiments share that repeat a paper's tables: reading, storing, judging, writing."""
