"""What a variable is, what it tells of people, and what becomes of it."""
