// The address of the page, the keyboard, and the start.

// Goes to a node, or back to everything, by the address of the page, so that back and forward work.
function go(id, toPanel = false) {
  const wanted = id === null ? "" : address(id);
  if (location.hash === wanted || (!wanted && !location.hash)) show(id);
  else location.hash = wanted;
  if (toPanel) setTimeout(() => document.querySelector("#panel h2")?.focus({ preventScroll: true }));
}

function wantedNode() {
  try {
    const id = decodeURIComponent(location.hash.slice(1));
    return NODES.has(id) ? id : null;
  } catch {
    return null; // no valid address
  }
}

// Shows a node with its neighbourhood, or everything.
function show(id, animated = true) {
  const before = focus;
  focus = id;
  if (id !== null) inView.add(id);
  refresh();
  light(id);
  if (id === null) {
    closePanel();
    if (before !== null) fitAll(animated);
  } else {
    showNode(id);
    centre(id, animated);
    say(`${NODES.get(id).name}, ${kindOf(NODES.get(id))}, ${lit.nodes.size - 1} neighbours`);
  }
  closeMenus();
}

const KEYS = {
  "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), "0": () => fitAll(),
  ArrowLeft: () => pan(-60, 0), ArrowRight: () => pan(60, 0), ArrowUp: () => pan(0, -60), ArrowDown: () => pan(0, 60),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "Escape") {
    if (!closeMenus()) go(null);
  } else if (event.key === "/" && !typing) {
    event.preventDefault();
    document.getElementById("search").focus();
  } else if (Object.hasOwn(KEYS, event.key) && event.target.closest("#graph, body") && !typing && !event.target.closest("#panel")) {
    event.preventDefault();
    KEYS[event.key]();
  }
}

// Closes what lies open over the page; tells whether anything did.
function closeMenus() {
  const take = document.getElementById("take");
  const open = take.open || document.body.classList.contains("menu-open");
  take.open = false;
  document.querySelector("#menu").setAttribute("aria-expanded", "false");
  document.body.classList.remove("menu-open");
  return open;
}

// Links to nodes go by the script: in a frame of a notebook their address would be one of the notebook.
function onLink(event) {
  const link = event.target.closest("a[href^='#']");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(decodeURIComponent(link.getAttribute("href").slice(1)));
}

function startTools() {
  const click = (id, act) => document.getElementById(id).addEventListener("click", act);
  click("zoom-in", () => zoom(1.4));
  click("zoom-out", () => zoom(1 / 1.4));
  click("zoom-fit", () => fitAll());
  click("run", () => run(!running));
  click("menu", () => {
    const open = document.body.classList.toggle("menu-open");
    document.getElementById("menu").setAttribute("aria-expanded", String(open));
    fitStage();
  });
}

function start() {
  startTheme();
  startFilters();
  startGraph();
  startSearch();
  startExport();
  startTools();
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", onLink);
  window.addEventListener("hashchange", () => show(wantedNode()));
  const first = wantedNode() ?? DATA.focus;
  if (first !== null) {
    history.replaceState(null, "", `${location.href.split("#")[0]}${address(first)}`);
    show(first, false);
  }
  document.documentElement.dataset.ready = "true";
}

// A frame of a notebook may have no size yet, and one in a hidden tab has none until it is shown.
function whenSized(element, call) {
  const sized = () => element.clientWidth > 0 && element.clientHeight > 0;
  if (sized()) {
    call();
    return;
  }
  const watch = new ResizeObserver(() => {
    if (!sized()) return;
    watch.disconnect();
    call();
  });
  watch.observe(element);
}

whenSized(document.getElementById("graph"), start);
