// The search box: suggestions over names and aliases.

const SUGGESTIONS = 8;
const ADDRESS = /^(https?:\/\/)?((dx\.)?doi\.org\/|arxiv\.org\/(abs|pdf)\/)?(doi:|arxiv:)?\s*/; // before an identifier
let forms = null; // [folded form, node, form], made at the first search
let suggested = [];
let active = -1;

function allForms() {
  forms ??= DATA.nodes.flatMap((node) =>
    [node.name, ...(node.aliases ?? []), node.arxiv_id, node.doi].filter(Boolean).map((form) => [folded(form), node, form]));
  return forms;
}

// How well a form fits: 0 equal, 1 begins so, 2 a word begins so, 3 somewhere inside, or nothing.
function quality(form, wanted) {
  if (form === wanted) return 0;
  if (form.startsWith(wanted)) return 1;
  const words = wanted.split(" ");
  if (!words.every((word) => form.includes(word))) return undefined;
  return words.every((word) => form.startsWith(word) || form.includes(` ${word}`) || form.includes(`-${word}`)) ? 2 : 3;
}

// [node, the form that fits] of the best nodes.
function search(text) {
  const wanted = folded(text).replace(ADDRESS, "");
  if (!wanted) return [];
  const best = new Map();
  for (const [form, node, written] of allForms()) {
    const rank = quality(form, wanted);
    if (rank !== undefined && rank < (best.get(node)?.rank ?? Infinity)) best.set(node, { rank, written });
  }
  const found = [...best].sort(([a, x], [b, y]) => x.rank - y.rank || byImportance(a, b));
  return found.slice(0, SUGGESTIONS).map(([node, { written }]) => [node, written]);
}

function startSearch() {
  const input = document.getElementById("search");
  const list = document.getElementById("suggestions");
  const look = () => suggest(search(input.value), folded(input.value) !== "");
  input.addEventListener("input", look);
  input.addEventListener("focus", look);
  input.addEventListener("blur", () => suggest([]));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") choose(suggested[Math.max(active, 0)]);
    else if (event.key === "ArrowDown") activate(Math.min(active + 1, suggested.length - 1));
    else if (event.key === "ArrowUp") activate(Math.max(active - 1, 0));
    else if (event.key === "Escape") { input.value = ""; input.blur(); event.stopPropagation(); }
    else return;
    event.preventDefault();
  });
  list.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("[role=option]");
    event.preventDefault();
    if (item) choose(suggested[Number(item.dataset.index)]);
  });
}

function suggest(found, asked = false) {
  suggested = found.map(([node]) => node);
  const list = document.getElementById("suggestions");
  list.replaceChildren(...found.map(([node, form], index) => {
    const item = element("li", { role: "option", id: `suggestion-${index}`, "data-index": String(index), "aria-selected": "false" });
    item.append(typeIcon(node.type), element("span", { class: "name" }, node.name));
    if (form !== node.name) item.append(element("span", { class: "form" }, form));
    return item;
  }));
  if (asked && !found.length) list.append(element("li", { class: "none" }, "Nothing found"));
  list.hidden = !list.childElementCount;
  document.getElementById("search").setAttribute("aria-expanded", String(found.length > 0));
  activate(found.length ? 0 : -1);
}

function activate(index) {
  active = index;
  for (const item of document.getElementById("suggestions").children) {
    item.setAttribute("aria-selected", String(Number(item.dataset.index) === index));
  }
  const input = document.getElementById("search");
  if (index < 0) input.removeAttribute("aria-activedescendant");
  else input.setAttribute("aria-activedescendant", `suggestion-${index}`);
}

function choose(node) {
  if (!node) return say("Nothing found.");
  const input = document.getElementById("search");
  input.value = "";
  input.blur();
  go(node.id, true);
}
