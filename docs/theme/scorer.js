// Which pages come first: those that answer questions, then those that explain, then tables; among
// them those with the words of the question in their titles.
const words = (text) => text.toLowerCase().match(/[\p{L}\d-]+/gu) ?? [];
const asked = words(new URLSearchParams(location.search).get("q") ?? "");

var Scorer = {
  score: ([docname, title, , , score]) => {
    const layer = docname.endsWith("index") ? "index" : docname.split("/")[0];
    const worth = { guides: 12, start: 10, "coming-from": 8, methods: 4, index: -8, decisions: -8, dev: -8 };
    const named = words(title.split(" > ")[0]);
    const share = asked.filter((word) => named.includes(word)).length / Math.max(asked.length, 1);
    return score + (worth[layer] ?? 0) + 8 * share;
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
