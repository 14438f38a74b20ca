import { plural } from "../numbers";

export const scenario = {
  title: "What could an intruder know?",
  intro:
    "Mark the variables that an outsider could know about a person, and say how an attack might be made.",
  variables: "Variables",
  drag: "Drag a variable to its role, or choose the role beside it.",
  proposed: {
    title: "Proposed keys",
    use: "Use the proposed keys",
    hint: "At most eight, best known first, with weight and household number if the file has them. The figures are of a key together with all above it, before protection: combinations that occur, records alone with theirs, and how many of these the key adds.",
    heads: { key: "Key, and why", combinations: "Combinations", uniques: "Alone", adds: "added" },
    take: (name: string) => `Use ${name} as a key`,
    declared: "The file declares it.",
  },
  roleOf: (name: string) => `Role of ${name}`,
  roles: { none: "not used", key: "key variable", weight: "weight", household: "household" },
  zones: {
    key: "Key variables",
    weight: "Sampling weight",
    household: "Household number",
  },
  emptyZone: {
    key: "None yet.",
    weight: "None. The file is treated as the whole population.",
    household: "None. Household risk is not measured.",
  },
  typical: "Typical: region, age, sex, marital status, occupation, citizenship, household size.",
  takeOut: (name: string) => `Remove ${name}`,
  suggested: "suggested",
  assumptions: "Assumptions",
  missing: {
    usual: [
      "counts as the estimator has it",
      "The default. The model does not take it for a fact about the population; by cell it may stand for any category.",
    ],
    some: (keys: string) => `Of ${keys} a missing value is a category of its own.`,
    hints: {
      integrate: "The default. The model says what it may hide; only records that show a value match by it.",
      wildcard: "The default. Two records match if they agree wherever both have a value.",
      category: "“Not stated” is then compared like any other answer, as one that an intruder knows.",
      expected: "Estimated from the other records. What was suppressed here is known, and counted.",
    },
  },
  attackHints: {
    all: "The default, and the most careful assumption.",
    random: "Risk is divided by the number of records.",
    ratio: "Records that are rare in the population are tried more often.",
    weight: "Records that stand for few people are tried more often.",
  },
  estimator: {
    file: [
      "as the file needs",
      "The default: a model where 5 % of the records or more are sample uniques, else the cell. Chosen once, when this is measured.",
    ],
    hints: {
      cell: "Often too low where many records are sample uniques.",
      model: "Looks at all combinations.",
    },
    needsWeight: "Choosing the estimator needs a sampling weight.",
  },
  errorOf: (key: string) => `Probability of error in ${key}`,
  why: "Why this intruder",
  whyHint:
    "Written to the plan and the board’s report. For example: a neighbour who knows these facts, but not who took part.",
  measure: "Measure the risk",
  needKeys: "Mark at least one key variable first.",
  again: (steps: number) =>
    `The ${plural(steps, "step")} so far will be applied again under the changed scenario.`,
  checks: "Before you trust the figures",
  teach: {
    noWeight:
      "Without a sampling weight every record stands only for itself: the file is treated as the whole population, and a unique record is certain to be recognised. Mark the weight if the file is a sample.",
    noHousehold:
      "If the file shows who lives together, mark the household number. Anyone who recognises one member may recognise the others.",
    many: (name: string, categories: string) =>
      `${name} has ${categories} categories. It makes almost every record unique; recode it into broader classes in Protect.`,
    identifier: (name: string) =>
      `${name} looks like an identifier. An identifier is not a key: leave it out of the file instead.`,
    missing: (name: string, share: string) =>
      `${name} is missing in ${share} of the records. Missing values hide risk where they match any value; compare with “a category of its own”.`,
    keys: (number: string) =>
      `${number} key variables are a lot. With each further key more records become unique; keep those that an intruder can really know.`,
    alone: "One key variable only: few intruders know so little.",
  },
} as const;
