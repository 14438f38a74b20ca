/** Several scenarios: their list, limits of their own, and all of them side by side. */
export const several = {
  by: {
    each: "One for each scenario",
    one: "One for all scenarios",
    of: (label: string) => `(${label})`,
    empty: "Leave one empty to ask nothing of that scenario.",
  },
  list: {
    title: "Scenarios",
    intro:
      "A scenario is someone who might recognise people, and what they know. The file will be safe against all of them. Press one to edit it below.",
    unnamed: "no name yet",
    unsaved: "not measured yet",
    noKeys: "no keys yet",
    home: (name: string) => `households by ${name}`,
    by: (estimator: string | null) => `estimator ${estimator ?? "as the file needs"}`,
    add: "Add a scenario",
    newName: "new scenario",
    copy: "Copy",
    remove: "Remove",
    of: (name: string) => `scenario ${name}`,
    name: "Name of the scenario",
    nameHint: "For example: nosy neighbour. Steps and limits that name the scenario follow.",
    nameTaken: "A scenario with this name already exists.",
    needName: "Give the scenario a name.",
    needKeysIn: (name: string) => `Mark at least one key variable in “${name}” first.`,
  },
  ready: {
    title: "Ready-made, by what the keys are about",
    add: "Add",
  },
  table: {
    title: "Scenarios side by side",
    intro:
      "Limits hold for all scenarios unless one has its own. Press a scenario to see its picture and move its limit.",
    heads: {
      scenario: "Scenario",
      max: "Largest risk",
      expected: "Expected re-identifications",
      rate: "Rate",
      limit: "Limit",
      above: "Above limit",
      homes: "Households above",
    },
    giveOwn: "Limit of its own",
    takeOwn: "As for all",
    forOf: (name: string) => `for ${name}`,
    noHomes: "–",
    noHomeLimit: "no limit",
    homesLimit: (limit: string) => `limit ${limit}`,
  },
} as const;
