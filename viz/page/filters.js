// The legend, which is also the filter.

const YEARS = DATA.nodes.flatMap((node) => node.years ?? []);
const FIRST_YEAR = YEARS.reduce((least, year) => Math.min(least, year), Infinity);
const LAST_YEAR = YEARS.reduce((most, year) => Math.max(most, year), -Infinity);
const filters = {};

function resetFilters() {
  filters.types = new Set(DATA.types.filter((type) => !DATA.off.includes(type)));
  filters.relations = new Set(DATA.edges.map((edge) => edge.type));
  filters.communities = new Set([...DATA.communities.keys(), undefined]);
  Object.assign(filters, { papers: 1, score: 0, from: FIRST_YEAR, to: LAST_YEAR });
}

function anyYear(years) {
  if (filters.from <= FIRST_YEAR && filters.to >= LAST_YEAR) return true;
  return years.some((year) => year >= filters.from && year <= filters.to);
}

function nodePasses(node) {
  if (node.id === focus) return true;
  if (!filters.types.has(node.type) || !filters.communities.has(node.community)) return false;
  if (node.papers !== undefined && node.papers < filters.papers) return false;
  return anyYear(node.years ?? []);
}

function edgePasses(edge) {
  if (!filters.relations.has(edge.type)) return false;
  if (edge.score !== undefined && edge.score < filters.score) return false;
  const years = (edge.evidence ?? []).map((row) => evidenceOf(row).year).filter((year) => year !== null);
  return !years.length || anyYear(years);
}

// Nodes in view that pass, apart from those that lost all their edges to the filters.
function visibleNodes() {
  const passing = new Set(DATA.nodes.filter(nodePasses).map((node) => node.id));
  const joined = (id) => AROUND.get(id).some((edge) => passing.has(otherEnd(edge, id)) && edgePasses(edge));
  const alone = (id) => !AROUND.get(id).some((edge) => filters.types.has(NODES.get(otherEnd(edge, id)).type));
  return new Set([...passing].filter((id) => inView.has(id) && (id === focus || alone(id) || joined(id))));
}

function check(key, value, text, icon, count, checked) {
  const box = element("input", { type: "checkbox", "data-filter": key, value: String(value) });
  box.checked = checked;
  box.defaultChecked = checked;
  box.addEventListener("change", () => {
    if (box.checked) filters[key].add(value);
    else filters[key].delete(value);
    changed();
  });
  const number = element("span", { class: "number" }, count.toLocaleString("en"));
  return element("label", { class: "check" }, box, ...(icon ? [icon] : []), element("span", { class: "name", title: text }, text), number);
}

function counted(items, key) {
  const counts = new Map();
  for (const item of items) counts.set(item[key], (counts.get(item[key]) ?? 0) + 1);
  return counts;
}

function startFilters() {
  resetFilters();
  const types = counted(DATA.nodes, "type");
  document.getElementById("types").append(...DATA.types.map((type) =>
    check("types", type, PLURALS[type], typeIcon(type), types.get(type), filters.types.has(type))));
  const relations = [...counted(DATA.edges, "type")].sort((a, b) => relationRank(a[0]) - relationRank(b[0]) || (a[0] < b[0] ? -1 : 1));
  document.getElementById("relations").append(...relations.map(([type, count]) =>
    check("relations", type, phrase(type, true), null, count, true)));
  document.getElementById("relation-box").hidden = !relations.length;
  startCommunities();
  startLimits();
  document.querySelector("#filters form").addEventListener("reset", () => {
    resetFilters();
    setTimeout(() => { tellLimits(); changed(); });
  });
}

function startCommunities() {
  const counts = counted(DATA.nodes, "community");
  document.getElementById("communities").hidden = !DATA.communities.length;
  document.body.classList.toggle("by-community", DATA.communities.length > 0);
  document.getElementById("communities").append(...DATA.communities.map((name, index) => {
    const icon = drawn("svg", { viewBox: "0 0 16 16", class: `shape community-${index}`, "aria-hidden": "true" });
    icon.append(shapeElement("dot", 8, 8, 5.6, {}));
    return check("communities", index, name, icon, counts.get(index) ?? 0, true);
  }));
}

function startLimits() {
  const most = DATA.nodes.reduce((papers, node) => Math.max(papers, node.papers ?? 0), 1);
  const papers = document.getElementById("min-papers");
  papers.max = String(Math.min(most, 20));
  papers.disabled = most < 2;
  listen(papers, (value) => { filters.papers = value; });
  listen(document.getElementById("min-score"), (value) => { filters.score = value; });
  document.getElementById("years").hidden = !HAS_YEARS || FIRST_YEAR === LAST_YEAR;
  if (!HAS_YEARS) return;
  const ends = { "year-from": FIRST_YEAR, "year-to": LAST_YEAR };
  for (const [id, year] of Object.entries(ends)) {
    const input = document.getElementById(id);
    Object.assign(input, { min: FIRST_YEAR, max: LAST_YEAR, defaultValue: String(year) });
    const within = (value) => value >= FIRST_YEAR && value <= LAST_YEAR; // not while it is being typed
    listen(input, (value) => { filters[id === "year-from" ? "from" : "to"] = within(value) ? value : year; });
  }
}

function listen(input, set) {
  input.addEventListener("input", () => {
    set(Number(input.value));
    tellLimits();
    changed();
  });
}

function tellLimits() {
  for (const output of document.querySelectorAll("#limits output")) {
    const input = document.getElementById(output.htmlFor.value);
    output.textContent = input.step === "0.05" ? Number(input.value).toFixed(2) : input.value;
  }
}

function changed() {
  refresh();
  light(focus);
  if (focus !== null) showNode(focus);
  say(document.getElementById("count").textContent);
}
