"""What counts alone show: special uniques, sparse tables, diversity."""
