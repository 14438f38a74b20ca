export const glossary = {
  title: "Words used here",
  open: "Glossary",
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
