// What is drawn over the network: the dimming around a lit node, names that do not overlap, names of relations.

const CELL = 64;
const FEW_EDGES = 40;
const COLUMN_GAP = 70;

// Boxes {left, top, right, bottom} that are found again by where they lie.
class Boxes {
  cells = new Map();

  cellsOf({ left, top, right, bottom }) {
    const keys = [];
    for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column += 1) {
      for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row += 1) keys.push(column * 65536 + row);
    }
    return keys;
  }

  add(box) {
    for (const key of this.cellsOf(box)) {
      if (this.cells.has(key)) this.cells.get(key).push(box);
      else this.cells.set(key, [box]);
    }
  }

  touching(box) {
    const meets = (other) => box.right >= other.left && box.left <= other.right && box.bottom >= other.top && box.top <= other.bottom;
    return new Set(this.cellsOf(box).flatMap((key) => (this.cells.get(key) ?? []).filter(meets)));
  }

  // Adds a box if it meets none; tells whether it did.
  take(box) {
    const free = !this.touching(box).size;
    if (free) this.add(box);
    return free;
  }
}

// What names keep clear of: the tools and texts that lie over the drawing.
function freeSpace() {
  const space = new Boxes();
  for (const { offsetLeft, offsetTop, offsetWidth, offsetHeight } of document.querySelectorAll("#tools, #count, #note")) {
    space.add({ left: offsetLeft, top: offsetTop, right: offsetLeft + offsetWidth, bottom: offsetTop + offsetHeight });
  }
  return space;
}

// The nodes in the window that a name may lie on.
function nodeBoxes(view) {
  const boxes = new Boxes();
  for (const id of lit ? lit.nodes : nodeSet.getIds()) {
    if (!nodeSet.get(id)) continue;
    const { x, y } = view.spot(positionOf(id));
    const radius = NODES.get(id).size * view.scale;
    if (x < -radius || y < -radius || x > view.width + radius || y > view.height + radius) continue;
    boxes.add({ id, radius, left: x - radius, top: y - radius, right: x + radius, bottom: y + radius });
  }
  return boxes;
}

// The places of a name around its node, the usual one first: below, above, right, left.
function sidesOf(node, view, half, size) {
  const { x, y } = view.spot(positionOf(node.id));
  const radius = node.size * view.scale + 3;
  const inside = Math.min(Math.max(x, half + 6), Math.max(view.width - half - 6, half + 6));
  const spots = [[inside, y + radius], [inside, y - radius - size], [x + radius + half + 1, y - size / 2], [x - radius - half - 1, y - size / 2]];
  const sides = spots.map(([middle, top]) =>
    ({ x: middle, y: top, left: middle - half - 3, top: top - 2, right: middle + half + 3, bottom: top + size + 2 }));
  const whole = sides.filter((box) => box.left >= 0 && box.right <= view.width && box.top >= 0 && box.bottom <= view.height);
  return whole.length ? whole : sides.slice(0, 1);
}

// How much a name at a place hides: larger nodes count for more.
function hides(box, node, nodes) {
  return [...nodes.touching(box)].reduce((sum, other) => (other.id === node.id ? sum : sum + 4 + other.radius), 0);
}

function fontSize(node) {
  return Math.round(11 + Math.min(Math.sqrt(node.papers ?? 1), 4) * 1.1);
}

// Names in the window, the most important first: {text, x, y, size, bold} in pixels of the window.
function placeLabels(context, view) {
  const space = freeSpace();
  const nodes = nodeBoxes(view);
  const limit = lit ? Infinity : (view.width * view.height) / 8500;
  const labels = [];
  for (const node of labelled()) {
    const spot = view.spot(positionOf(node.id));
    if (spot.x < 0 || spot.y < 0 || spot.x > view.width || spot.y > view.height) continue;
    const chosen = node.id === focus || node.id === hovered;
    const size = fontSize(node) + (chosen ? 2 : 0);
    context.font = `${chosen ? "600 " : ""}${size}px ${colours.font}`;
    const half = context.measureText(node.label).width / 2;
    const sides = sidesOf(node, view, half, size);
    const free = sides.filter((box) => !space.touching(box).size).map((box) => [hides(box, node, nodes), box]);
    if (!free.length && !chosen) continue;
    const best = free.length ? free.reduce((least, side) => (side[0] < least[0] ? side : least))[1] : sides[0];
    space.add(best);
    labels.push({ text: node.label, x: best.x, y: best.y, size, bold: chosen });
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
    const box = { left: x - half - 2, top: y - 7, right: x + half + 2, bottom: y + 7 };
    if (length > 2 * half + 20 && space.take(box)) names.push({ text, x, y });
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

// The columns of a timeline in pixels of the window, from left to right: {year, left, right, x}.
function yearColumns(view) {
  if (DATA.mode !== "timeline") return [];
  const ends = new Map();
  for (const node of DATA.nodes) {
    if (node.rank === undefined) continue;
    const [left, right] = ends.get(node.first) ?? [node.x, node.x];
    ends.set(node.first, [Math.min(left, node.x), Math.max(right, node.x)]);
  }
  const columns = [...ends].map(([year, [left, right]]) => ({ year, left, right })).sort((a, b) => a.year - b.year);
  const gap = (index) => (columns[index] && columns[index + 1] ? columns[index + 1].left - columns[index].right : COLUMN_GAP) / 2;
  return columns.map(({ year, left, right }, index) => {
    const [start, end] = [left - gap(index - 1), right + gap(index)].map((x) => view.spot({ x, y: 0 }).x);
    return { year, left: start, right: end, x: (start + end) / 2 };
  });
}

// Every other column of a timeline is tinted; its year stands above.
function drawYears(context) {
  const view = viewOf();
  context.save();
  const ratio = context.canvas.width / view.width;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.textAlign = "center";
  yearColumns(view).forEach(({ year, left, right, x }, index) => {
    context.fillStyle = index % 2 ? colours.ground : colours.band;
    context.fillRect(left, 0, right - left, view.height);
    write(context, String(year), x, 12, `600 13px ${colours.font}`, "top", colours.faint);
  });
  context.restore();
}
