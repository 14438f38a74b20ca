"""The risk of the file as a whole: how many sample uniques are population uniques."""
