"""One file a command: its options and what it does.

Each has `add_options` and `run`; that of `file-risk` is `file_risk.py`, that of `plan new` is
`plan_new.py`. Nothing heavy is imported above the functions, so that help and usage errors come at
once; for the same reason choices are spelled out (a test compares them with the types they are of).
"""
