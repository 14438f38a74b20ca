export const glossary = {
  what: "what is this?",
  words: {
    key: ["Key variable", "A variable that an intruder may know about a person, such as region, age or sex."],
    weight: ["Sampling weight", "How many people of the population a record stands for. At least 1."],
    household: [
      "Household number",
      "Shows which records belong to one household. Anyone who recognises one member may recognise the others.",
    ],
    intruder: ["Intruder", "Whoever tries to recognise a person in the file."],
    risk: [
      "Risk of a record",
      "The chance that an intruder who tries links the record to the right person, from 0 to 1.",
    ],
    limit: ["Limit", "The largest risk that counts as safe. Records above it are unsafe."],
    expected: [
      "Expected re-identifications",
      "The sum of the risks of all records: how many people would be recognised on average if every record were tried.",
    ],
    rate: ["Re-identification rate", "Expected re-identifications as a share of the records."],
    bound: [
      "After protection at most",
      "What can be expected once no record is above the limit: each unsafe record then counts with the limit.",
    ],
    unique: [
      "Sample unique",
      "A record whose combination of key values no other record of the file shares.",
    ],
    cell: ["Combination", "All records with the same values of all key variables."],
    combination: [
      "Unsafe combination",
      "Values of some keys that too few records share, or that make the risk too high, while no part of them does. Its dimension is the number of keys in it.",
    ],
    specialUnique: [
      "Special unique",
      "A record that few of its values single out. A minimal sample unique is a combination of values that one record alone has, while every part of it is shared. The fewer values it takes and the more such combinations a record has, the higher its SUDA score.",
    ],
    dis: [
      "DIS",
      "Data intrusion simulation: the chance that a match with a record that is unique in the file is correct, from the records that are alone or in pairs. DIS-SUDA spreads it over the records by their scores.",
    ],
    sparse: [
      "Sparse cell",
      "A cell of a table that fewer records, or people, fall into than is asked for.",
    ],
    variation: [
      "Coefficient of variation",
      "The standard error of a number as a share of the number: how sure the survey is of the people in a category.",
    ],
    diversity: [
      "l-diversity",
      "In every class of records that share their keys, a sensitive variable has at least l values, so that the keys do not give it away.",
    ],
    closeness: [
      "t-closeness",
      "In every class the values of a sensitive variable are spread much as in the whole file: their distance is at most t, from 0 to 1.",
    ],
    estimator: [
      "Estimator",
      "Where the risk of a record comes from: its own combination alone (cell), or a model of the population (model).",
    ],
    byCell: [
      "Estimator “cell”",
      "Estimates how many people share a combination from the weights of its records alone, as mu-ARGUS does. Often too low where many records are sample uniques.",
    ],
    byModel: [
      "Estimator “model”",
      "Estimates how many people share a combination from a model that is fitted to all combinations. More accurate where many records are sample uniques; needs a sampling weight.",
    ],
    guarantee: [
      "Guarantee",
      "What suppression promises. Own: each record is safe by its own blanks. Strict: safe even if records with missing keys are ignored. Shared: blanks in other records count too.",
    ],
    spared: ["Spared key", "A key variable that is never blanked."],
    entropy: [
      "Information, in bits",
      "How much a variable reveals: 1 bit is one yes-or-no question. Fewer categories reveal less.",
    ],
    wildcard: ["Wildcard", "A missing value may stand for any category."],
    ladder: [
      "Ladder",
      "The recodes that a key may get, from fine to broad, such as bins of 5, 10 and 20. Each rung joins whole groups of the one below.",
    ],
    rung: ["Rung", "One recode of a ladder. The lowest is the key as it is."],
    frontier: [
      "Frontier",
      "For each number of records with blanks, the plan that loses the least. Fewer blanks need broader recodes, which lose more.",
    ],
    gap: [
      "Gap",
      "The largest share of its loss that a better plan could save, where the search was stopped before it had proved that there is none.",
    ],
    inventory: [
      "Inventory",
      "All variables of the file, what was found about each, and what was decided: left out, key, protected, or kept with a reason.",
    ],
    givenAway: [
      "Blanks given away",
      "Blanks that are guessed right from the file as written: from the record before, another member of the household, or another variable.",
    ],
    policy: ["Policy", "What the board requires of a file before it is released, rule by rule."],
    plan: ["Plan", "A text file that says everything about a release, so that it can be repeated."],
    lock: ["Lock", "A file beside the plan that proves its result: checksums, figures, verdicts."],
    fileRisk: [
      "Risk of the file",
      "How many sample uniques are population uniques, estimated by a log-linear model.",
    ],
    perturbation: [
      "Perturbation",
      "Values are changed at random, exchanged between records or averaged, so that nobody can be sure that a record shows the truth.",
    ],
    numericRisk: [
      "Risk of numeric variables",
      "Whether somebody who knows numbers of a person exactly finds the record, although they were changed.",
    ],
    hellinger: [
      "Distance of two tables",
      "Hellinger distance of the shares, from 0 (the same) to 1 (nothing in common).",
    ],
  },
} as const;
