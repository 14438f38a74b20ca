"""The local web app: one window over a study, in which the limit is chosen from a picture."""
