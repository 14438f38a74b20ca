"""Risk of numeric variables: can a record be found again by its values?"""
