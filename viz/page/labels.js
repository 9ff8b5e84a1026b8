// What is drawn over the network: the dimming around a lit node, names that do not overlap, names of relations.

const CELL = 64;
const FEW_EDGES = 40;

// Takes boxes as long as they overlap no box taken before.
function makeSpace() {
  const taken = new Map();
  return (left, top, right, bottom) => {
    const keys = [];
    for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column += 1) {
      for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row += 1) keys.push(`${column} ${row}`);
    }
    const box = [left, top, right, bottom];
    const free = keys.every((key) => (taken.get(key) ?? []).every(
      (other) => right < other[0] || left > other[2] || bottom < other[1] || top > other[3]));
    if (free) for (const key of keys) taken.set(key, [...(taken.get(key) ?? []), box]);
    return free;
  };
}

function fontSize(node) {
  return Math.round(11 + Math.min(Math.sqrt(node.papers ?? 1), 4) * 1.1);
}

// Names in the window, the most important first: {text, x, y, size, bold} in pixels of the window.
function placeLabels(context, view) {
  const space = makeSpace();
  const limit = lit ? Infinity : (view.width * view.height) / 11000;
  const labels = [];
  for (const node of labelled()) {
    const spot = view.spot(positionOf(node.id));
    if (spot.x < 0 || spot.y < 0 || spot.x > view.width || spot.y > view.height) continue;
    const chosen = node.id === focus || node.id === hovered;
    const size = fontSize(node) + (chosen ? 2 : 0);
    context.font = `${chosen ? "600 " : ""}${size}px ${colours.font}`;
    const half = context.measureText(node.label).width / 2;
    const x = Math.min(Math.max(spot.x, half + 6), Math.max(view.width - half - 6, half + 6));
    const top = spot.y + node.size * view.scale + 3;
    if (!space(x - half - 3, top - 2, x + half + 3, top + size + 2) && !chosen) continue;
    labels.push({ text: node.label, x, y: top, size, bold: chosen });
    if (labels.length >= limit) break;
  }
  return { labels, space };
}

function labelled() {
  const ids = lit ? [...lit.nodes].filter((id) => nodeSet.get(id)) : nodeSet.getIds();
  const nodes = ids.map((id) => NODES.get(id)).sort(byImportance);
  const first = [hovered, focus].filter((id) => id !== null && nodeSet.get(id)).map((id) => NODES.get(id));
  return new Set([...first, ...nodes]);
}

// Concepts by papers, then everything by rank: titles of papers are long and say less from afar.
function byImportance(first, second) {
  return (second.type === "Paper" ? 0 : second.papers ?? 0) - (first.type === "Paper" ? 0 : first.papers ?? 0) || byRank(first, second);
}

// Names of the lit relations, or of all where there are few: {text, x, y}.
function placeRelations(context, view, space) {
  const edges = lit ? lit.edges : edgeSet.length <= FEW_EDGES ? edgeSet.getIds().map((id) => DATA.edges[id]) : [];
  context.font = `10px ${colours.font}`;
  const names = [];
  for (const edge of edges) {
    const { x, y } = view.spot(middleOf(edge));
    const text = phrase(edge.type, true);
    const half = context.measureText(text).width / 2;
    const length = view.distance(positionOf(edge.from), positionOf(edge.to));
    if (length > 2 * half + 20 && space(x - half - 2, y - 7, x + half + 2, y + 7)) names.push({ text, x, y });
  }
  return names;
}

// The bend of an edge in the graph's own measure, or null for a straight one.
function bendOf(edge) {
  const kind = network.body.edges[edge.id]?.edgeType;
  return edge.smooth && kind?.getViaNode ? kind.getViaNode() : null;
}

function middleOf(edge) {
  const from = positionOf(edge.from);
  const to = positionOf(edge.to);
  const via = bendOf(edge);
  if (via) return { x: (from.x + 2 * via.x + to.x) / 4, y: (from.y + 2 * via.y + to.y) / 4 };
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
}

// From the graph's measure to pixels of the window.
function viewOf() {
  const { clientWidth: width, clientHeight: height } = document.getElementById("graph");
  const scale = network.getScale();
  const { x, y } = network.getViewPosition();
  const spot = (place) => ({ x: (place.x - x) * scale + width / 2, y: (place.y - y) * scale + height / 2 });
  const distance = (first, second) => Math.hypot(first.x - second.x, first.y - second.y) * scale;
  return { width, height, scale, spot, distance };
}

function drawOver(context) {
  if (lit) drawLit(context);
  const view = viewOf();
  context.save();
  const ratio = context.canvas.width / view.width;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.textAlign = "center";
  context.lineJoin = "round";
  const { labels, space } = placeLabels(context, view);
  const relations = placeRelations(context, view, space);
  for (const { text, x, y } of relations) write(context, text, x, y, `10px ${colours.font}`, "middle", colours.faint);
  for (const { text, x, y, size, bold } of labels.reverse()) {
    write(context, text, x, y, `${bold ? "600 " : ""}${size}px ${colours.font}`, "top", colours.ink);
  }
  context.restore();
}

function write(context, text, x, y, font, baseline, colour) {
  context.font = font;
  context.textBaseline = baseline;
  context.strokeStyle = colours.ground;
  context.lineWidth = 3;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

// Covers everything with a veil and draws what is lit on top of it.
function drawLit(context) {
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = 0.86;
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  context.restore();
  const { nodes, edges } = network.body;
  for (const { id } of lit.edges) edges[id]?.draw(context);
  for (const { id } of lit.edges) edges[id]?.drawArrows(context);
  for (const id of lit.nodes) nodes[id]?.draw(context);
}

// The columns of a timeline: a line and the year above.
function drawYears(context) {
  if (DATA.mode !== "timeline") return;
  const view = viewOf();
  const columns = new Map();
  for (const node of DATA.nodes) {
    if (node.rank === undefined) continue;
    const [left, right] = columns.get(node.first) ?? [node.x, node.x];
    columns.set(node.first, [Math.min(left, node.x), Math.max(right, node.x)]);
  }
  context.save();
  const ratio = context.canvas.width / view.width;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.textAlign = "center";
  for (const [year, [left, right]] of columns) {
    const { x } = view.spot({ x: (left + right) / 2, y: 0 });
    context.fillStyle = colours.edge;
    context.fillRect(x - 0.5, 30, 1, view.height - 30);
    write(context, String(year), x, 12, `600 13px ${colours.font}`, "top", colours.faint);
  }
  context.restore();
}
