"""Names of all commands with one line of help each."""

# What each command does, in the order in which people need them.
CHAPTERS = {
    "begin here": {
        "check": "say in one screen what a file would give away, and what to do first",
        "guide": "five questions, filled in, from a file to a release",
    },
    "look at a file": {
        "describe": "list the variables and their probable roles",
        "preview": "show variables as they are read: type, missing codes, first categories and "
        "counts",
        "codebook": "write what is known of the variables as a codebook, to be completed and given "
        "back with --codebook",
        "inventory": "list all variables, what makes each delicate, and the decision that a "
        "release asks for",
    },
    "measure risk": {
        "risk": "measure the risk of records, households and the file",
        "intruders": "try who could recognise whom: every intruder, before and after protection",
        "limit": "find the risk limit that meets a target (rate, expected number or number of "
        "records)",
        "combinations": "find the combinations of values that make records unsafe",
        "file-risk": "estimate how many sample uniques are population uniques",
        "uniques": "find minimal sample uniques and score every record (SUDA)",
        "tabulate": "list sparse cells in all one-, two- and three-way tables of the keys",
        "diversity": "measure l-diversity and t-closeness of sensitive variables",
        "numeric-risk": "measure whether records can be found again by their numeric variables",
    },
    "protect": {
        "suggest": "rank recodes of the keys by how much they lower risk for what they lose",
        "recode": "give a variable fewer categories",
        "suppress": "suppress key values until no record is unsafe",
        "sample": "draw a random sample of households or records",
        "apply": "apply one or more steps of any kind",
        "compare": "compare two files with the same records: what protection cost",
    },
    "release": {
        "plan": "make, update or check a plan",
        "propose": "find the recodes and blanks that meet a plan's policy at the least loss",
        "protect": "run a plan: write the safe file, reports and lock",
        "replay": "run a plan again, and restore its files if nothing differs from the lock",
        "report": "write a report on a plan",
    },
    "more": {
        "app": "do the whole job in the browser",
        "demo": "do the whole job on a synthetic survey",
        "doctor": "tell what is there on this machine, and what is missing for what",
        "completion": "print a script that lets a shell complete commands, options, files and "
        "variables",
    },
}
COMMANDS = {name: text for chapter in CHAPTERS.values() for name, text in chapter.items()}

# What is usually done after a command that does not say so itself; places are its arguments.
NEXT = {
    "check": "microsafe guide {file}",
    "describe": "microsafe check {file}",
    "preview": "microsafe check {file}",
    "inventory": "microsafe plan new {file} -o plan.toml",
    "risk": "microsafe plan new {file} -o plan.toml",
    "intruders": "microsafe plan new {file} -o plan.toml",
    "limit": "microsafe plan new {file} --above R -o plan.toml",
    "file-risk": "microsafe plan new {file} -o plan.toml",
    "uniques": "microsafe suggest {file} ranks recodes of the keys",
    "tabulate": "microsafe suggest {file} ranks recodes of the keys",
    "diversity": "microsafe plan new {file} -o plan.toml",
    "codebook": "complete {output}, and give it back with --codebook {output}",
    "combinations": "microsafe suggest {file} ranks recodes of the keys",
    "suggest": "microsafe plan new {file} --step ... -o plan.toml",
    "recode": "microsafe risk {output}",
    "sample": "microsafe risk {output}",
    "apply": "microsafe compare {file} {output}",
    "suppress": "microsafe compare {file} {output}",
    "plan update": "microsafe protect {plan}",
    "plan check": "microsafe protect {plan}",
    "protect": "read the report for the board, and sign it",
    "replay": "microsafe report {plan} -o report.html",
    "demo": "microsafe app microsafe-demo/survey.sav",
}

# The same after one that ended with 1, and does not say what helps.
NEXT_IF_NOT_MET = {
    "check": "microsafe guide {file}",
    "protect": "microsafe propose {plan} -o NEW.toml",
}
