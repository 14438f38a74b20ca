"""The calibrated estimator: log-linear means, gamma scatter around them, risk of every record."""
