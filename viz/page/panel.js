// The panel beside the drawing: what a node or an edge is, and the sentences that say so.

const FIRST_ITEMS = 8;

function openPanel(...parts) {
  const panel = document.getElementById("panel");
  const close = element("button", { type: "button", class: "icon close", "aria-label": "Close details" }, "✕");
  close.addEventListener("click", () => go(null));
  panel.replaceChildren(close, ...parts);
  panel.scrollTop = 0;
  panel.hidden = false;
  fitStage();
}

function closePanel() {
  document.getElementById("panel").hidden = true;
  fitStage();
}

// The drawing fills what the panel leaves.
function fitStage() {
  if (network) network.setSize("100%", "100%");
}

function address(id) {
  return `#${encodeURIComponent(id).replaceAll("%3A", ":").replaceAll("%2F", "/")}`;
}

function nodeLink(id) {
  const node = NODES.get(id);
  return element("a", { href: address(id) }, typeIcon(node.type), node.name);
}

function outside(text, url) {
  if (!/^https?:\/\//i.test(url)) return document.createTextNode(text);
  return element("a", { href: url, target: "_blank", rel: "noopener noreferrer", class: "outside" }, text);
}

function showNode(id) {
  const node = NODES.get(id);
  const heading = element("h2", { tabindex: "-1" }, node.name);
  const kind = element("p", { class: "kind" }, typeIcon(node.type), kindOf(node));
  openPanel(kind, heading, ...facts(node), actions(node), ...neighbourSections(id));
}

function kindOf(node) {
  const papers = node.papers === undefined ? "" : ` · ${node.papers.toLocaleString("en")} paper${node.papers === 1 ? "" : "s"}`;
  const place = [node.venue, node.year].filter(Boolean).join(" ");
  return `${node.type}${papers}${place ? ` · ${place}` : ""}`;
}

function facts(node) {
  const parts = [];
  if (node.aliases) parts.push(element("p", { class: "aliases" }, `Also: ${node.aliases.join(", ")}`));
  if (node.authors) parts.push(element("p", { class: "authors" }, node.authors.join(", ")));
  if (node.status) parts.push(element("p", { class: "status" }, node.status));
  if (node.links) {
    const links = node.links.map(([name, url]) => outside(name === "Code" ? url.replace(/^https?:\/\//i, "") : name, url));
    parts.push(element("p", { class: "links" }, ...links));
  }
  return parts;
}

function actions(node) {
  const row = element("p", { class: "actions" });
  const hidden = hiddenNeighbours(node.id).length;
  if (hidden) row.append(action("expand", `Show ${hidden} hidden neighbour${hidden === 1 ? "" : "s"}`, () => expand(node.id)));
  if (node.type === "Paper") row.append(action("cite", "Copy BibTeX", () => copyCitation(node)));
  return row;
}

function action(name, text, act) {
  const button = element("button", { type: "button", "data-action": name }, text);
  button.addEventListener("click", act);
  return button;
}

function neighbourSections(id) {
  const groups = new Map();
  for (const edge of AROUND.get(id)) {
    const key = `${edge.from === id ? 0 : 1}${edge.type}`;
    groups.set(key, [...(groups.get(key) ?? []), edge]);
  }
  const order = ([a], [b]) => a[0] - b[0] || relationRank(a.slice(1)) - relationRank(b.slice(1)) || (a < b ? -1 : 1);
  return [...groups].sort(order).map(([key, edges]) => section(id, key.slice(1), key[0] === "0", edges));
}

function section(id, type, outgoing, edges) {
  edges.sort((a, b) => (b.papers ?? 0) - (a.papers ?? 0) || byRank(NODES.get(otherEnd(a, id)), NODES.get(otherEnd(b, id))));
  const title = element("h3", {}, phrase(type, outgoing), element("span", { class: "number" }, String(edges.length)));
  const list = element("ul", {}, ...edges.slice(0, FIRST_ITEMS).map((edge) => neighbour(id, edge)));
  const made = element("section", { "data-relation": type }, title, list);
  if (edges.length > FIRST_ITEMS) {
    const more = action("more", `All ${edges.length}`, () => {
      more.remove();
      list.append(...edges.slice(FIRST_ITEMS).map((edge) => neighbour(id, edge)));
    });
    made.append(more);
  }
  return made;
}

function neighbour(id, edge) {
  const other = otherEnd(edge, id);
  const item = element("li", {}, nodeLink(other));
  if (!nodeSet.get(other)) item.classList.add("hidden-node");
  item.append(...sentences(edge));
  return item;
}

// The evidence of an edge: the best sentence, the others folded.
function sentences(edge) {
  const found = (edge.evidence ?? []).map(evidenceOf);
  const shared = found.filter((item) => !item.source && item.text);
  if (shared.length) return [element("p", { class: "shared" }, shared.map((item) => item.text).join(", "))];
  const quotes = found.map((item) => quote(item, edge));
  if (quotes.length < 2) return quotes;
  const rest = (edge.papers ?? 0) > found.length && edge.type === "TOGETHER_IN" ? edge.papers - 1 : quotes.length - 1;
  return [quotes[0], element("details", {}, element("summary", {}, `${rest} more`), ...quotes.slice(1))];
}

function quote(item, edge) {
  const figure = element("figure");
  if (item.text) figure.append(element("blockquote", {}, ...marked(item.text, edge)));
  const label = NODES.has(item.source) ? element("a", { href: address(item.source) }, item.label) : item.label;
  const year = item.year ? `, ${item.year}` : "";
  const score = item.score === undefined ? "" : ` · score ${item.score.toFixed(2)}`;
  figure.append(element("figcaption", {}, label, `${year}${score}`));
  return figure;
}

function formsOf(id) {
  const node = NODES.get(id);
  const addresses = node.type === "Repository" ? (node.links ?? []).map(([, url]) => url) : [];
  return node.type === "Paper" ? [] : [node.name, ...(node.aliases ?? []), ...addresses];
}

// The sentence with the names of both ends marked.
function marked(text, edge) {
  const forms = [...formsOf(edge.from), ...formsOf(edge.to)].filter(Boolean).sort((a, b) => b.length - a.length);
  if (!forms.length) return [text];
  const pattern = forms.map((form) => form.trim().split(/[\s-]+/).filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[\\s-]+")).filter(Boolean).join("|");
  if (!pattern) return [text];
  const finder = new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?:e?s)?(?![\\p{L}\\p{N}])`, "giu");
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(finder)) {
    parts.push(text.slice(last, match.index), element("mark", {}, match[0]));
    last = match.index + match[0].length;
  }
  return [...parts, text.slice(last)];
}

function showEdge(edge) {
  network.setSelection({ nodes: [], edges: [edge.id] }, { highlightEdges: false });
  const title = element("h2", { tabindex: "-1" }, phrase(edge.type, true));
  const ends = element("p", { class: "ends" }, nodeLink(edge.from), " → ", nodeLink(edge.to));
  openPanel(element("p", { class: "kind" }, "Relation"), title, ends, ...(edge.evidence ?? []).map((row) => quote(evidenceOf(row), edge)));
}
