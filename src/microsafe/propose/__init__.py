"""The cheapest way to a policy: recodes and blanks that meet it and lose the least."""
