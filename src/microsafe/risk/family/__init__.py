"""Risk of families: whoever knows who lives with whom compares the joint keys of all members."""
