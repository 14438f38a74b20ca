"""The cheapest way to a policy: recodes that may be taken, and which of them to take."""
