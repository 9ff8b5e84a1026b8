"use strict";
// The data of the page: nodes, edges, sentences, and small questions to them.

const DATA = JSON.parse(document.getElementById("data").textContent);
const NODES = new Map(DATA.nodes.map((node) => [node.id, node]));
const AROUND = new Map(DATA.nodes.map((node) => [node.id, []]));

DATA.edges.forEach((edge, index) => {
  edge.id = index;
  AROUND.get(edge.from).push(edge);
  if (edge.to !== edge.from) AROUND.get(edge.to).push(edge);
});

const RELATIONS = [
  "PROPOSES", "ADDRESSES", "USES", "COMPARES_WITH", "EVALUATES_ON", "MEASURES", "HAS_CODE", "IMPLEMENTED_IN",
  "IS_A", "PART_OF", "USED_FOR", "IMPROVES", "COMPARED_WITH", "EVALUATED_ON", "MEASURED_BY", "TRAINED_ON",
  "TOGETHER_IN", "SHARES", "AUTHORED", "PUBLISHED_IN", "MENTIONS",
];

// What a relation is called from either end.
const PHRASES = {
  PROPOSES: ["proposes", "proposed by"], ADDRESSES: ["addresses", "addressed by"], USES: ["uses", "used by"],
  COMPARES_WITH: ["compares with", "compared in"], EVALUATES_ON: ["evaluates on", "evaluated in"],
  MEASURES: ["measures", "measured in"], HAS_CODE: ["has code", "code of"],
  IMPLEMENTED_IN: ["implemented in", "implements"], IS_A: ["is a", "has kinds"], PART_OF: ["part of", "has parts"],
  USED_FOR: ["used for", "uses"], IMPROVES: ["improves", "improved by"],
  COMPARED_WITH: ["compared with", "compared with"], EVALUATED_ON: ["evaluated on", "evaluates"],
  MEASURED_BY: ["measured by", "measure of"], TRAINED_ON: ["trained on", "trains"],
  TOGETHER_IN: ["together with", "together with"], SHARES: ["shares with", "shares with"],
  AUTHORED: ["author of", "written by"], PUBLISHED_IN: ["published in", "published"],
  MENTIONS: ["mentions", "mentioned by"],
};

const PLURALS = {
  Paper: "Papers", Method: "Methods", Task: "Tasks", Dataset: "Datasets", Metric: "Metrics", Term: "Terms",
  Repository: "Code", Author: "Authors", Venue: "Venues", Other: "Other",
};

const HAS_YEARS = DATA.nodes.some((node) => node.years);

function relationRank(type) {
  const rank = RELATIONS.indexOf(type);
  return rank < 0 ? RELATIONS.length : rank;
}

function phrase(type, outgoing) {
  const known = Object.hasOwn(PHRASES, type) ? PHRASES[type] : null;
  if (known) return known[outgoing ? 0 : 1];
  const words = type.toLowerCase().replaceAll("_", " ");
  return outgoing ? words : `${words} (to this)`;
}

function otherEnd(edge, id) {
  return edge.from === id ? edge.to : edge.from;
}

function byRank(first, second) {
  const a = first.rank ?? Infinity;
  const b = second.rank ?? Infinity;
  if (a !== b) return a - b;
  return AROUND.get(second.id).length - AROUND.get(first.id).length || (first.id < second.id ? -1 : 1);
}

// {text, source, label, year, score} of a piece of evidence.
function evidenceOf(row) {
  const [source, text] = DATA.sentences[row[0]];
  const [id, label, year] = DATA.sources[source];
  return { text, source: id, label, year, score: row[1] };
}

function folded(text) {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function say(text) {
  document.getElementById("status").textContent = text;
}
