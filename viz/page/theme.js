// Colours and shapes. Colours come from the style sheet, so that light and dark are decided in one place.

const HOLLOW = new Set(["Author", "Venue"]);
let colours = {};

function isDark() {
  return document.documentElement.dataset.theme === "dark";
}

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  colours = {
    ground: read("--ground"), ink: read("--ink"), faint: read("--faint"), edge: read("--edge"),
    lit: read("--lit"), path: read("--path"), band: read("--band"), rim: read("--rim"), font: read("--font"),
    types: Object.fromEntries(Object.keys(DATA.shapes).map((type) => [type, read(`--type-${type.toLowerCase()}`)])),
    communities: DATA.communities.map((_, index) => read(`--community-${index}`)),
    alone: read("--community-none"),
  };
}

function colourOf(node) {
  if (!DATA.communities.length) return colours.types[node.type];
  return node.community === undefined ? colours.alone : colours.communities[node.community];
}

// The colours of a node as vis-network takes them.
function paint(node) {
  const colour = colourOf(node);
  const background = HOLLOW.has(node.type) ? colours.ground : colour;
  const border = HOLLOW.has(node.type) ? colour : colours.rim;
  const strong = { background, border: colours.lit };
  return { background, border, highlight: strong, hover: strong };
}

// Corners of a shape around a centre as vis-network draws it; none for a circle.
function corners(shape, x, y, radius) {
  const ring = (count, turn, size = () => radius) =>
    Array.from({ length: count }, (_, index) => {
      const angle = turn + (index * 2 * Math.PI) / count;
      return [x + size(index) * Math.cos(angle), y + size(index) * Math.sin(angle)];
    });
  const up = -Math.PI / 2;
  if (shape === "square") return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => [x + a * radius, y + b * radius]);
  if (shape === "diamond") return ring(4, up);
  if (shape === "hexagon") return ring(6, 0);
  if (shape === "triangle") return ring(3, up, () => radius * 1.15).map(([a, b]) => [a, b + radius * 0.1]);
  if (shape === "triangleDown") return ring(3, -up, () => radius * 1.15).map(([a, b]) => [a, b - radius * 0.1]);
  if (shape === "star") return ring(10, up, (index) => radius * (index % 2 ? 0.5 : 1.15));
  return [];
}

const SVG = "http://www.w3.org/2000/svg";

function drawn(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function shapeElement(shape, x, y, radius, attributes) {
  const points = corners(shape, x, y, radius);
  if (!points.length) return drawn("circle", { cx: x, cy: y, r: radius, ...attributes });
  return drawn("polygon", { points: points.map((point) => point.map((n) => n.toFixed(1)).join(",")).join(" "), ...attributes });
}

// A small picture of a type for the legend; the style sheet colours it.
function typeIcon(type) {
  const icon = drawn("svg", { viewBox: "0 0 16 16", class: `shape type-${type.toLowerCase()}`, "aria-hidden": "true" });
  icon.append(shapeElement(DATA.shapes[type], 8, 8, 5.6, {}));
  if (HOLLOW.has(type)) icon.classList.add("hollow");
  return icon;
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const button = document.getElementById("theme");
  button.setAttribute("aria-pressed", String(dark));
  readColours();
  repaint();
}

function startTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = false;
  document.documentElement.dataset.theme = system.matches ? "dark" : "light";
  document.getElementById("theme").setAttribute("aria-pressed", String(system.matches));
  readColours();
  system.addEventListener("change", (event) => chosen || setTheme(event.matches));
  document.getElementById("theme").addEventListener("click", () => {
    chosen = true;
    setTheme(!isDark());
  });
}
