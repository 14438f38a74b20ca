// Which pages come first: those that answer questions, then those that explain, then tables.
var Scorer = {
  score: ([docname, , , , score]) => {
    const layer = docname.endsWith("index") ? "index" : docname.split("/")[0];
    const worth = { guides: 12, start: 10, "coming-from": 8, methods: 4, index: -8, decisions: -8, dev: -8 };
    return score + (worth[layer] ?? 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
