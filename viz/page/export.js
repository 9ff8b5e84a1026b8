// What one can take away: pictures, tables and citations. Nothing leaves the machine.

function save(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const url = URL.createObjectURL(blob);
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const SAVERS = {
  png: savePicture,
  svg: () => save("graph.svg", drawing(), "image/svg+xml"),
  graphml: () => save("graph.graphml", graphml(), "application/xml"),
  nodes: () => save("nodes.csv", csv(nodeRows()), "text/csv"),
  edges: () => save("edges.csv", csv(edgeRows()), "text/csv"),
};

function startExport() {
  const menu = document.getElementById("take");
  for (const button of menu.querySelectorAll("[data-save]")) {
    button.addEventListener("click", () => {
      menu.open = false;
      SAVERS[button.dataset.save]();
    });
  }
  document.addEventListener("pointerdown", (event) => { if (!menu.contains(event.target)) menu.open = false; });
}

function savePicture() {
  const seen = document.querySelector("#graph canvas");
  const copy = element("canvas", { width: seen.width, height: seen.height });
  const context = copy.getContext("2d");
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(seen, 0, 0);
  copy.toBlob((blob) => save("graph.png", blob));
}

// The part of the graph that is in the window, as SVG.
function drawing() {
  const view = viewOf();
  const root = drawn("svg", { viewBox: `0 0 ${view.width} ${view.height}`, width: view.width, height: view.height });
  const arrow = drawn("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" });
  arrow.append(drawn("path", { d: "M0,0L8,4L0,8z", fill: colours.edge }));
  const definitions = drawn("defs", {});
  definitions.append(arrow);
  root.append(definitions, drawn("rect", { width: view.width, height: view.height, fill: colours.ground }), ...yearElements(view));
  const isLit = (id) => !lit || lit.nodes.has(id);
  const near = lit ? new Set(lit.edges) : null;
  for (const edge of seenEdges()) root.append(edgeElement(edge, view, !near || near.has(edge)));
  for (const node of seenNodes()) root.append(nodeElement(node, view, isLit(node.id)));
  root.append(...labelElements(view));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${serialized(root)}`;
}

function yearElements(view) {
  return yearColumns(view).flatMap(({ year, left, right, x }, index) => {
    const band = drawn("rect", { x: left, y: 0, width: right - left, height: view.height, fill: index % 2 ? colours.ground : colours.band });
    return [band, textElement({ text: String(year), x, y: 12, size: 13, bold: true, colour: colours.faint })];
  });
}

function edgeElement(edge, view, isLit) {
  const from = view.spot(positionOf(edge.from));
  const to = view.spot(positionOf(edge.to));
  const bend = bendOf(edge);
  const via = bend ? view.spot(bend) : { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const length = Math.hypot(to.x - via.x, to.y - via.y) || 1;
  const short = Math.min((NODES.get(edge.to).size * view.scale) / length, 1);
  const end = { x: to.x - (to.x - via.x) * short, y: to.y - (to.y - via.y) * short };
  const numbers = [from.x, from.y, via.x, via.y, end.x, end.y].map((number) => number.toFixed(1));
  return drawn("path", {
    d: `M${numbers[0]},${numbers[1]}Q${numbers[2]},${numbers[3]} ${numbers[4]},${numbers[5]}`, fill: "none",
    stroke: lit && isLit ? colours.path : colours.edge, "stroke-width": Math.max(edge.width * view.scale, 0.3).toFixed(2),
    opacity: isLit ? 1 : 0.15, "marker-end": "url(#arrow)",
  });
}

function nodeElement(node, view, isLit) {
  const { x, y } = view.spot(positionOf(node.id));
  const { background, border } = paint(node);
  const shape = shapeElement(node.shape, x, y, node.size * view.scale, { fill: background, stroke: border, opacity: isLit ? 1 : 0.15 });
  const title = drawn("title", {});
  title.textContent = node.title;
  shape.append(title);
  return shape;
}

function labelElements(view) {
  const context = document.createElement("canvas").getContext("2d");
  const { labels, space } = placeLabels(context, view);
  const relations = placeRelations(context, view, space).map((name) => ({ ...name, size: 10, colour: colours.faint, baseline: "middle" }));
  return [...relations, ...labels].map(textElement);
}

function textElement({ text, x, y, size, bold, colour, baseline }) {
  const made = drawn("text", {
    x: x.toFixed(1), y: y.toFixed(1), "font-size": size, "font-family": "system-ui, sans-serif", "text-anchor": "middle",
    "dominant-baseline": baseline ?? "hanging", "font-weight": bold ? 600 : 400, fill: colour ?? colours.ink,
    stroke: colours.ground, "stroke-width": 3, "stroke-linejoin": "round", "paint-order": "stroke",
  });
  made.textContent = text;
  return made;
}

function seenNodes() {
  return nodeSet.getIds().map((id) => NODES.get(id)).sort(byRank);
}

function seenEdges() {
  return edgeSet.getIds().sort((a, b) => a - b).map((id) => DATA.edges[id]);
}

// Without the characters that XML forbids.
function serialized(root) {
  return new XMLSerializer().serializeToString(root).replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
}

function nodeRows() {
  const columns = ["id", "type", "name", "aliases", "papers", "year", "venue", "doi", "arxiv_id", "url"];
  return [columns, ...seenNodes().map((node) => columns.map((key) => {
    if (key === "url") return node.links?.[0]?.[1] ?? "";
    return key === "aliases" ? (node.aliases ?? []).join("; ") : node[key] ?? "";
  }))];
}

function edgeRows() {
  const columns = ["source", "target", "type", "papers", "score", "sentence"];
  return [columns, ...seenEdges().map((edge) => [
    edge.from, edge.to, edge.type, edge.papers ?? "", edge.score ?? "", edge.evidence ? evidenceOf(edge.evidence[0]).text : "",
  ])];
}

// Cells that a spreadsheet would run as a formula get an apostrophe in front.
function csv(rows) {
  const cell = (value) => {
    const text = typeof value === "string" && /^['=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function graphml() {
  const space = "http://graphml.graphdrawing.org/xmlns";
  const page = document.implementation.createDocument(space, "graphml");
  const make = (parent, name, attributes, text) => {
    const made = page.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = String(text);
    parent.append(made);
    return made;
  };
  const tables = { node: nodeRows(), edge: edgeRows() };
  const numbers = { papers: "long", year: "long", score: "double" };
  for (const [kind, [columns]] of Object.entries(tables)) {
    for (const name of columns.filter((column) => !["id", "source", "target"].includes(column))) {
      make(page.documentElement, "key", { id: `${kind}-${name}`, for: kind, "attr.name": name, "attr.type": numbers[name] ?? "string" });
    }
  }
  const graph = make(page.documentElement, "graph", { edgedefault: "directed" });
  for (const [kind, [columns, ...rows]] of Object.entries(tables)) {
    rows.forEach((row, index) => {
      const record = Object.fromEntries(columns.map((name, column) => [name, row[column]]));
      const ends = kind === "node" ? { id: record.id } : { id: `e${index}`, source: record.source, target: record.target };
      const made = make(graph, kind, ends);
      for (const [name, value] of Object.entries(record)) {
        if (value !== "" && !(name in ends)) make(made, "data", { key: `${kind}-${name}` }, value);
      }
    });
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${serialized(page)}`;
}

function bibtex(node) {
  const plain = (text) => String(text).replace(/\s+/g, " ").trim();
  const tex = (text) => plain(text).replace(/[\\{}%&#$_^~]/g, (sign) =>
    ({ "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}" })[sign] ?? `\\${sign}`);
  const ascii = (text) => text.normalize("NFKD").replace(/[^A-Za-z0-9]/g, "").toLowerCase();
  const surname = ascii((node.authors?.[0] ?? "").includes(",") ? node.authors[0].split(",")[0] : (node.authors?.[0] ?? "").split(" ").at(-1));
  const word = ascii(node.name.split(/\s+/).find((part) => ascii(part).length > 3) ?? "");
  const fields = {
    title: `{${tex(node.name)}}`, author: node.authors?.map(tex).join(" and "), year: node.year,
    journal: node.venue && tex(node.venue),
    doi: node.doi && plain(node.doi).replace(/[{}\\]/g, ""), url: node.links?.[0]?.[1].replace(/[{}\\]/g, encodeURIComponent),
    ...(node.arxiv_id && { eprint: plain(node.arxiv_id).replace(/[{}\\]/g, ""), archiveprefix: "arXiv" }),
  };
  const lines = Object.entries(fields).filter(([, value]) => value).map(([name, value]) => `  ${name} = {${value}},\n`);
  return `@${node.venue ? "article" : "misc"}{${surname || "anon"}${node.year ?? ""}${word},\n${lines.join("")}}\n`;
}

async function copyCitation(node) {
  const text = bibtex(node);
  const box = element("textarea", { class: "bibtex", readonly: "", rows: "8", "aria-label": "BibTeX" });
  box.value = text;
  document.querySelector("#panel .bibtex")?.remove();
  document.querySelector("#panel .actions").after(box);
  try {
    await navigator.clipboard.writeText(text);
    say("The citation is copied.");
  } catch {
    box.select(); // no right to the clipboard, as in a notebook: one can copy what is marked
    say("The citation is marked; copy it with the keyboard.");
  }
}
