"""What SPSS, Stata and SAS files share: the ReadStat library, and what a package can hold."""
