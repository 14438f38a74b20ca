"""What a person can say, one frozen dataclass each: scenario, policy, uses, declarations."""
