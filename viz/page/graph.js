// The drawing: vis-network draws nodes and edges; what is in view and what is lit is decided here.

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const LONGEST_RUN = 20000; // milliseconds that the layout may move
const MANY_EDGES = 2500;
const FEW_NODES = 20;
const MOST_STRETCH = 1.6;
const TWICE = 350; // milliseconds between the clicks of two
const NEAR = 0.7; // scale from which arrow heads can be seen

const nodeSet = new vis.DataSet();
const edgeSet = new vis.DataSet();
const inView = new Set(DATA.nodes.filter((node) => node.rank !== undefined).map((node) => node.id));
let network = null;
let focus = null; // the id of the chosen node
let lit = null; // {nodes: Set, edges: [edge]} around it
let hovered = null;
let running = 0;
let pressed = { time: -Infinity }; // the last click: {node, time}

// The layout is wider than high; on a window that is higher than wide it is turned. Then it is stretched
// one way to fill the window; nodes and names stay as they are.
function fillWindow() {
  const { clientWidth, clientHeight } = document.getElementById("graph");
  const placed = DATA.nodes.filter((node) => node.x !== undefined);
  if (DATA.mode !== "timeline" && clientHeight > 1.2 * clientWidth) {
    for (const node of placed) [node.x, node.y] = [node.y, node.x];
  }
  const { width, height } = extent(placed);
  if (placed.length < FEW_NODES || !width || !height) return;
  const wanted = (clientHeight - 60) / (clientWidth - sideMargin());
  const factor = wanted / (height / width);
  const [key, times] = factor > 1 ? ["y", factor] : ["x", 1 / factor];
  for (const node of placed) node[key] = Math.round(node[key] * Math.min(times, MOST_STRETCH));
}

function extent(places) {
  const edge = (pick, key) => places.reduce((most, place) => pick(most, place[key]), pick === Math.min ? Infinity : -Infinity);
  const [left, right, top, bottom] = [edge(Math.min, "x"), edge(Math.max, "x"), edge(Math.min, "y"), edge(Math.max, "y")];
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top };
}

// Room for names and the tools.
function sideMargin() {
  return document.getElementById("graph").clientWidth < 700 ? 30 : 130;
}

function startGraph() {
  fillWindow();
  const options = { ...DATA.options, nodes: { ...DATA.options.nodes }, edges: { ...DATA.options.edges, ...edgeColours() } };
  refresh(); // before the network is there: filling one that listens takes twice as long
  network = new vis.Network(document.getElementById("graph"), { nodes: nodeSet, edges: edgeSet }, options);
  sparseArrows();
  network.on("beforeDrawing", drawYears);
  network.on("afterDrawing", drawOver);
  network.on("click", onClick);
  network.on("doubleClick", () => pressed.node && expand(pressed.node));
  network.on("hoverNode", ({ node }) => { hovered = node; });
  network.on("blurNode", () => { hovered = null; });
  network.on("stabilized", () => run(false));
  fitAll(false);
}

// The second click of two belongs to the node of the first, which may have moved to the middle meanwhile.
function onClick({ nodes, edges }) {
  const now = performance.now();
  if (now - pressed.time < TWICE) return;
  pressed = { node: nodes[0], time: now };
  if (nodes.length) go(nodes[0]);
  else if (edges.length) showEdge(DATA.edges[edges[0]]);
  else go(null);
}

// Arrow heads are half the work of a frame, and from afar, among thousands of edges, nobody sees them.
function sparseArrows() {
  const draw = network.renderer._drawArrows.bind(network.renderer);
  network.renderer._drawArrows = (context) => {
    if (edgeSet.length <= MANY_EDGES || network.getScale() > NEAR) draw(context);
  };
}

function edgeColours() {
  return { color: { color: colours.edge, highlight: colours.path, hover: colours.path, inherit: false } };
}

function repaint() {
  if (!network) return;
  network.setOptions({ edges: edgeColours() });
  nodeSet.update(nodeSet.getIds().map((id) => ({ id, color: paint(NODES.get(id)) })));
  edgeSet.update(edgeSet.getIds().map((id) => ({ id, ...edgeColours() })));
}

function drawnNode(node) {
  const { id, shape, size, title, x, y } = node;
  return { id, shape, size, title, x, y, color: paint(node) };
}

function drawnEdge(edge) {
  const { id, from, to, width, smooth } = edge;
  return { id, from, to, width, ...(smooth && { smooth }), title: `${phrase(edge.type, true)}` };
}

// Brings the drawing in line with what is in view and passes the filters.
function refresh() {
  const nodes = visibleNodes();
  const fresh = [...nodes].filter((id) => !nodeSet.get(id)).map((id) => NODES.get(id));
  fresh.sort(byRank).forEach((node) => place(node));
  const edges = DATA.edges.filter((edge) => nodes.has(edge.from) && nodes.has(edge.to) && edgePasses(edge));
  const kept = new Set(edges.map((edge) => edge.id));
  edgeSet.remove(edgeSet.getIds().filter((id) => !kept.has(id)));
  nodeSet.remove(nodeSet.getIds().filter((id) => !nodes.has(id)));
  nodeSet.add(fresh.map(drawnNode));
  edgeSet.add(edges.filter((edge) => !edgeSet.get(edge.id)).map(drawnEdge));
  tellCount(nodes.size, edges.length);
}

function tellCount(nodes, edges) {
  const text = `${nodes.toLocaleString("en")} nodes, ${edges.toLocaleString("en")} relations`;
  document.getElementById("count").textContent = text;
}

function positionOf(id) {
  const drawn = network && network.body.nodes[id];
  return drawn && drawn.x !== undefined ? drawn : NODES.get(id);
}

// Gives a node without a place one near the middle of its neighbours.
function place(node, centre = null, index = 0) {
  if (node.x !== undefined) return;
  const known = AROUND.get(node.id).map((edge) => positionOf(otherEnd(edge, node.id))).filter((other) => other.x !== undefined);
  const few = known.slice(0, 3);
  const middle = centre ?? {
    x: few.reduce((sum, other) => sum + other.x, 0) / (few.length || 1),
    y: few.reduce((sum, other) => sum + other.y, 0) / (few.length || 1),
  };
  const turn = (centre ? index : AROUND.get(node.id).length + node.id.length) * GOLDEN;
  const distance = 55 + 13 * Math.sqrt(index) * 2;
  node.x = Math.round(middle.x + distance * Math.cos(turn));
  node.y = Math.round(middle.y + distance * Math.sin(turn));
}

function hiddenNeighbours(id) {
  const others = new Set(AROUND.get(id).map((edge) => otherEnd(edge, id)));
  const hidden = [...others].filter((other) => !inView.has(other)).map((other) => NODES.get(other));
  return hidden.filter((node) => filters.types.has(node.type)).sort(byRank);
}

// Brings the hidden neighbours of a node into view, around it.
function expand(id) {
  const hidden = hiddenNeighbours(id);
  if (!hidden.length) return;
  const centre = positionOf(id);
  hidden.forEach((node, index) => {
    place(node, { x: centre.x, y: centre.y }, index);
    inView.add(node.id);
  });
  refresh();
  show(focus);
  say(`${hidden.length} more nodes around ${NODES.get(id).name}`);
}

// Lights a node and what is around it; null lights nothing.
function light(id) {
  focus = id;
  lit = null;
  network.unselectAll();
  if (id === null) return;
  const edges = AROUND.get(id).filter((edge) => edgeSet.get(edge.id));
  lit = { nodes: new Set([id, ...edges.map((edge) => otherEnd(edge, id))]), edges };
  network.setSelection({ nodes: [id], edges: edges.map((edge) => edge.id) }, { highlightEdges: false });
}

// Puts a node in the middle, so near that most of its neighbourhood is seen: a few far ones do not count.
function centre(id, animated = true) {
  const middle = positionOf(id);
  const { clientWidth, clientHeight } = document.getElementById("graph");
  const most = (key) => {
    const gaps = [...lit.nodes].map((other) => Math.abs(positionOf(other)[key] - middle[key])).sort((a, b) => a - b);
    return Math.max(60, gaps[Math.ceil(0.85 * (gaps.length - 1))] + 40);
  };
  const scale = Math.min(clientWidth / (2 * most("x")), clientHeight / (2 * most("y")));
  move({ x: middle.x, y: middle.y }, Math.min(Math.max(scale, 0.35), 1.6), animated);
}

function move(position, scale, animated) {
  const moving = animated && !CALM.matches;
  network.moveTo({ position, scale, ...(moving && { animation: { duration: 350, easingFunction: "easeInOutQuad" } }) });
}

function fitAll(animated = true) {
  const places = nodeSet.getIds().map(positionOf);
  if (!places.length) return;
  const { clientWidth, clientHeight } = document.getElementById("graph");
  const { x, y, width, height } = extent(places);
  const scale = Math.min((clientWidth - sideMargin()) / (width + 40), (clientHeight - 60) / (height + 60), 1.5);
  move({ x, y }, scale, animated);
}

function zoom(factor) {
  move(network.getViewPosition(), Math.min(Math.max(network.getScale() * factor, 0.02), 8), true);
}

function pan(across, down) {
  const { x, y } = network.getViewPosition();
  const scale = network.getScale();
  move({ x: x + across / scale, y: y + down / scale }, scale, false);
}

// Lets the layout move, or holds it still.
function run(wanted) {
  clearTimeout(running);
  running = wanted ? setTimeout(() => run(false), LONGEST_RUN) : 0;
  network.setOptions({ physics: { enabled: wanted } });
  const button = document.getElementById("run");
  if (button.getAttribute("aria-pressed") !== String(wanted)) {
    button.setAttribute("aria-pressed", String(wanted));
    say(wanted ? "The layout moves." : "The layout stands still.");
  }
}
