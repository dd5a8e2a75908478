"use strict";
// The page is whole without this script; it adds the slider over the passes and the links between
// source, graph and generated code. The data is described in minits/report/model.py.

const data = JSON.parse(document.getElementById("data").textContent);
const [NODE, VERSION, TEXT, VALUES, LINKS, OWN] = [0, 1, 2, 3, 4, 5]; // of a row
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const escaped = (text) => text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
const numbers = (text) => (text ? text.split(" ").map(Number) : []);

// ---- Ranges -------------------------------------------------------------------------------------

const isInside = (inner, outer) => {
  const [a, b] = [data.ranges[inner], data.ranges[outer]];
  const begins = a[1] > b[1] || (a[1] === b[1] && a[2] >= b[2]);
  const ends = a[3] < b[3] || (a[3] === b[3] && a[4] <= b[4]);
  return a[0] === b[0] && begins && ends;
};

// ---- A program ----------------------------------------------------------------------------------

class Program {
  constructor(section, entry) {
    this.section = section;
    this.slug = entry.slug;
    this.stages = entry.stages;
    this.rowsOf = new Map();
    this.base = "previous";
    this.onlyChanges = true;
    this.current = this.stages.length - 1;
    this.rows = $(".rows", section);
    this.slider = $(".slider", section);
    this.isReady = false;
  }

  // What takes long is done when a program is first shown.
  prepare() {
    if (this.isReady) return;
    this.isReady = true;
    this.pieces = new Map(); // from a range to the pieces of source of which it is the innermost
    for (const piece of $$("[data-i]", this.section)) {
      const range = Number(piece.dataset.i);
      if (!this.pieces.has(range)) this.pieces.set(range, []);
      this.pieces.get(range).push(piece);
    }
    this.linked = $$("[data-links]", this.section).map((element) => {
      const isOfKernel = element.parentElement.closest(".tab").dataset.nodes !== undefined;
      const nodes = numbers(element.dataset.nodes);
      return { element, links: numbers(element.dataset.links), count: Number(element.dataset.own), nodes, isOfKernel };
    });
    this.makeTabs();
    this.makeSlider();
    this.show(this.current, true);
  }

  // The rows of a stage, made of those of the stage before it.
  rowsAt(index) {
    if (!this.rowsOf.has(index)) {
      const { keep, rows, keep_end } = this.stages[index];
      const before = index ? this.rowsAt(index - 1) : [];
      this.rowsOf.set(index, rows.length || keep + keep_end !== before.length
        ? before.slice(0, keep).concat(rows, keep_end ? before.slice(-keep_end) : []) : before);
    }
    return this.rowsOf.get(index);
  }

  // ---- Tabs

  makeTabs() {
    const bar = $(".tabs", this.section);
    this.tabs = $$(".tab", this.section);
    this.tabs.forEach((tab, index) => {
      const button = document.createElement("button");
      button.textContent = tab.dataset.title;
      button.setAttribute("role", "tab");
      button.addEventListener("click", () => this.openTab(index));
      bar.append(button);
    });
    this.openTab(0);
  }

  openTab(index) {
    if (index >= this.tabs.length) return;
    this.tabs.forEach((tab, each) => tab.classList.toggle("shown", each === index));
    $$(".tabs button", this.section).forEach((button, each) =>
      button.setAttribute("aria-selected", String(each === index)));
  }

  // ---- Passes

  makeSlider() {
    this.slider.addEventListener("input", () => this.show(this.steps[this.slider.value]));
    $(".only-changes", this.section).addEventListener("change", (event) => {
      this.onlyChanges = event.target.checked;
      this.show(this.current);
    });
    $(".base", this.section).addEventListener("change", (event) => {
      this.base = event.target.value;
      this.show(this.current);
    });
  }

  findSteps() {
    const isIdle = ({ change }) => !(change.added || change.removed || change.changed || change.moved);
    const all = this.stages.map((_, index) => index);
    const last = this.stages.length - 1;
    this.steps = this.onlyChanges
      ? all.filter((index) => index === 0 || index === this.current || index === last || !isIdle(this.stages[index]))
      : all;
    this.slider.max = this.steps.length - 1;
    this.slider.value = this.steps.indexOf(this.current);
  }

  step(by) {
    const next = this.steps[this.steps.indexOf(this.current) + by];
    if (next !== undefined) this.show(next);
  }

  show(index, isDrawn = false) {
    this.current = index;
    this.findSteps();
    const stage = this.stages[index];
    const { added, removed, changed, moved } = stage.change;
    const counts = `+${added} −${removed} ~${changed} ↕${moved}`;
    $(".stage-name", this.section).textContent = index ? `after ${stage.name}` : stage.name;
    $(".summary", this.section).textContent =
      `pass ${index} of ${this.stages.length - 1}: ${stage.name}  ${index ? counts : ""}`;
    this.slider.setAttribute("aria-valuetext", stage.name);
    for (const row of $$(".passes tr", this.section)) row.classList.remove("current");
    document.getElementById(`${this.slug}/pass${index}`)?.classList.add("current");
    if (!isDrawn || added || removed || changed || moved) {
      const before = { previous: index - 1, first: 0 }[this.base];
      this.draw(this.rowsAt(index), index && before !== undefined ? this.rowsAt(before) : undefined);
    }
    this.lines = $$(".line", this.rows).map((element) => ({ element, row: data.rows[element.dataset.row] }));
    this.used = new Set(this.lines.flatMap(({ row }) => row[LINKS]));
    this.types = null;
    if (lit) light(lit);
  }

  // Rows are compared by the identity of nodes; the version of a row is the same if what it means is.
  draw(rows, before) {
    const old = new Map((before ?? []).map((row) => [data.rows[row][NODE], row]));
    const present = new Set(rows.map((row) => data.rows[row][NODE]));
    const gone = new Map(); // rows that are gone, by the node after which they stood
    let last = -1;
    for (const row of before ?? []) {
      const node = data.rows[row][NODE];
      if (present.has(node)) last = node;
      else gone.set(last, [...(gone.get(last) ?? []), row]);
    }
    const parts = (gone.get(-1) ?? []).map((row) => this.line(row, "removed", "−"));
    for (const row of rows) {
      const [node, version] = data.rows[row];
      const was = old.get(node);
      if (!before) parts.push(this.line(row, "", ""));
      else if (was === undefined) parts.push(this.line(row, "added", "+"));
      else if (data.rows[was][VERSION] !== version) {
        if (data.rows[was][TEXT] !== data.rows[row][TEXT]) parts.push(this.line(was, "was", "·"));
        parts.push(this.line(row, "changed", "~"));
      } else parts.push(this.line(row, "", ""));
      for (const each of gone.get(node) ?? []) parts.push(this.line(each, "removed", "−"));
    }
    this.rows.innerHTML = parts.join("");
    this.rows.classList.toggle("many", parts.length > 500);
  }

  line(row, kind, mark) {
    const [node, , text, values, links] = data.rows[row];
    const place = links.map((link) => data.ranges[link]).find((range) => range[0] === this.file) ?? data.ranges[links[0]];
    const isOld = kind === "removed" || kind === "was";
    const id = isOld ? "" : ` id="${this.slug}/n${node}"`;
    const number = place ? `<a class="no" href="#${this.slug}/${this.lineId(place)}">${place[1]}</a>` : '<span class="no"></span>';
    let index = 0;
    const code = escaped(text).replace(/%[\w.]+/g, (name) =>
      values[index] === undefined ? name : `<span class="v" data-v="${values[index++]}">${name}</span>`);
    return `<div class="line ${kind}"${id} data-row="${row}">${number}<span class="mark">${mark}</span><code>${code}</code></div>`;
  }

  typeOf(value) {
    if (!this.types) {
      this.types = new Map();
      for (const { row } of this.lines) this.noteTypes(row[TEXT], row[VALUES]);
    }
    return this.types.get(value) ?? "?";
  }

  // The types of what a row defines stand before the equals sign, or in the head of a block.
  noteTypes(text, values) {
    const head = text.includes(" = ") && !text.startsWith("with ") ? text.split(" = ")[0] : text;
    let index = 0;
    for (const [, type] of head.matchAll(/%[\w.]+(?: : ((?:[^%]|%(?![\w.]+ :))*?)(?=,\s*%|\):\s*$|$))?/g)) {
      if (type) this.types.set(values[index], type);
      index++;
    }
  }

  get file() {
    if (this.lead === undefined) {
      const first = $(".source .line", this.section)?.id.match(/\/(F(\d+))?L/);
      const range = [...this.pieces.keys()].map((each) => data.ranges[each]);
      this.lead = first && first[2] === undefined ? range[0]?.[0] : -1;
    }
    return this.lead;
  }

  lineId(range) {
    return range[0] === this.file ? `L${range[1]}` : `F${range[0]}L${range[1]}`;
  }
}

// ---- What belongs together ----------------------------------------------------------------------

let lit = null; // what was clicked: ranges, and perhaps a node or a value
let program = null;

// Returns what an element is of: its own ranges, those of the calls around it, its node and value.
function subjectOf(element) {
  const piece = element.closest?.("[data-i]");
  if (piece) {
    const own = [linkedRange(Number(piece.dataset.i))];
    return { own, links: own, reason: data.ranges[piece.dataset.i][6], element: piece };
  }
  const line = element.closest?.("[data-row]");
  if (line) {
    const row = data.rows[line.dataset.row];
    const value = element.closest("[data-v]")?.dataset.v;
    return { own: row[LINKS].slice(0, row[OWN]), links: row[LINKS], node: row[NODE], value, element: line };
  }
  const other = element.closest?.("[data-links]");
  if (!other) return null;
  const links = numbers(other.dataset.links);
  const [node] = numbers(other.dataset.nodes);
  return links.length || node !== undefined
    ? { own: links.slice(0, Number(other.dataset.own)), links, node, element: other } : null;
}

// Returns the same of a whole line: of a line of source, all ranges that begin on it.
function lineSubject(element) {
  const id = element.id.match(/\/(?:F(\d+))?L(\d+)$/);
  if (!id) return subjectOf(element);
  const [file, number] = [id[1] === undefined ? program.file : Number(id[1]), Number(id[2])];
  const own = [...program.used].filter((link) => data.ranges[link][0] === file && data.ranges[link][1] === number);
  return { own, links: own, element };
}

// The innermost range of a piece of source may be of no row of this graph; one around it may.
function linkedRange(range) {
  if (program.used.has(range)) return range;
  const around = [...program.used].filter((each) => isInside(range, each));
  return around.reduce((best, each) => (best === undefined || isInside(each, best) ? each : best), undefined) ?? range;
}

function light(subject) {
  for (const element of $$(".lit, .call, .same", program.section)) element.classList.remove("lit", "call", "same");
  if (!subject) return describe(null);
  const own = new Set(subject.own);
  // What is of several ranges, such as a kernel, is lit if all of these are.
  const kindOf = (links, count) => {
    if (!links.some((link) => own.has(link))) return "";
    return links.slice(0, count).every((link) => own.has(link)) ? "lit" : "call";
  };
  for (const { element, row } of program.lines) {
    const kind = row[NODE] === subject.node ? "lit" : kindOf(row[LINKS], row[OWN]);
    if (kind) element.classList.add(kind);
  }
  for (const { element, links, count, nodes, isOfKernel } of program.linked) {
    const isNode = nodes.includes(subject.node);
    const kind = isNode ? "lit" : kindOf(links, count);
    if (kind === "lit" || (kind && !(isOfKernel && count > 1))) element.classList.add(kind);
  }
  for (const [range, pieces] of program.pieces) {
    const kind = subject.own.some((link) => isInside(range, link)) ? "lit"
      : subject.links.some((link) => isInside(range, link)) ? "call" : "";
    if (kind) for (const piece of pieces) piece.classList.add(kind);
  }
  if (subject.value !== undefined)
    for (const each of $$(`[data-v="${subject.value}"]`, program.rows)) each.classList.add("same");
  describe(subject);
}

function describe(subject) {
  const parts = [];
  if (subject) {
    if (subject.reason) parts.push(subject.reason);
    if (subject.value !== undefined) {
      const name = $(`[data-v="${subject.value}"]`, program.rows)?.textContent;
      parts.push(`${name} : ${program.typeOf(Number(subject.value))}`);
    }
    for (const link of subject.own.slice(0, 3)) {
      const [file, line, , , , types] = data.ranges[link];
      parts.push(`${data.files[file].split("/").pop()}:${line}`, ...types.slice(0, 3));
    }
    const calls = subject.links.filter((link) => !subject.own.includes(link));
    for (const link of calls) parts.push(`called from line ${data.ranges[link][1]}`);
  }
  document.getElementById("info").textContent = parts.join("   ·   ");
}

function keep(subject) {
  lit = subject;
  light(lit);
  for (const old of $$(".at", program.section)) old.classList.remove("at");
  if (!subject) return;
  subject.element?.classList.add("at");
  for (const pane of $$(".pane", program.section)) {
    if (pane.contains(subject.element)) continue;
    const first = $(".tab.shown .lit, .tab.shown .call, .code:not(.tab *) .lit", pane) ?? $(".code:not(.tab *) .call", pane);
    first?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

// ---- Addresses ----------------------------------------------------------------------------------

// #program, #program/n12 (a node), #program/L43 (a line), #program/pass7, #program/pass7/n12
function go(hash) {
  const [slug, ...rest] = decodeURIComponent(hash.replace(/^#/, "")).split("/");
  openProgram(programs.find((each) => each.slug === slug) ?? programs[0]);
  for (const part of rest) {
    if (/^pass\d+$/.test(part)) program.show(Math.min(Number(part.slice(4)), program.stages.length - 1));
    const element = document.getElementById(`${program.slug}/${part}`);
    if (!element || /^pass/.test(part)) continue;
    const subject = lineSubject(element);
    if (subject) keep(subject);
    element.scrollIntoView({ block: "nearest" });
  }
}

function setAddress(element) {
  const id = element?.id || element?.closest?.("[id]")?.id;
  const part = id?.startsWith(`${program.slug}/`) ? id.slice(program.slug.length) : "";
  const isLast = program.current === program.stages.length - 1;
  const stage = isLast || !part.startsWith("/n") ? "" : `/pass${program.current}`;
  history.replaceState(null, "", `#${program.slug}${stage}${part}`);
}

function openProgram(next) {
  if (next !== program) lit = null;
  program = next;
  for (const each of programs) each.section.classList.toggle("shown", each === program);
  document.getElementById("which").value = program.slug;
  program.prepare();
}

// ---- Search -------------------------------------------------------------------------------------

let hits = [];
let hit = -1;

function search(text) {
  for (const line of $$(".hit", program.section)) line.classList.remove("hit");
  const wanted = text.trim().toLowerCase();
  hits = wanted ? $$(".source .line, .rows .line, .tab .line", program.section)
    .filter((line) => line.textContent.toLowerCase().includes(wanted)) : [];
  for (const line of hits) line.classList.add("hit");
  hit = -1;
  document.getElementById("hits").textContent = wanted ? `${hits.length} line${hits.length === 1 ? "" : "s"}` : "";
}

function nextHit(by) {
  if (!hits.length) return;
  hit = (hit + by + hits.length) % hits.length;
  const line = hits[hit];
  const tab = line.closest(".tab");
  if (tab) program.openTab(program.tabs.indexOf(tab));
  const subject = lineSubject(line);
  if (subject) keep(subject);
  line.scrollIntoView({ block: "center" });
  document.getElementById("hits").textContent = `${hit + 1} of ${hits.length}`;
}

// ---- Keys and the mouse -------------------------------------------------------------------------

function moveRow(by) {
  const at = program.lines.findIndex(({ element }) => element.classList.contains("at"));
  const next = program.lines[Math.max(0, Math.min(program.lines.length - 1, at + by))].element;
  next.scrollIntoView({ block: "nearest" });
  keep(subjectOf(next));
  setAddress(next);
}

function toggleHelp() {
  const help = document.getElementById("help");
  help.hidden = !help.hidden;
  document.getElementById("help-button").setAttribute("aria-expanded", String(!help.hidden));
}

const otherProgram = (by) => {
  const next = programs[programs.indexOf(program) + by];
  if (next) go(`#${next.slug}`), setAddress(null);
};

const KEYS = {
  ArrowLeft: () => program.step(-1),
  ArrowRight: () => program.step(1),
  j: () => moveRow(1),
  k: () => moveRow(-1),
  n: () => nextHit(1),
  p: () => nextHit(-1),
  "[": () => otherProgram(-1),
  "]": () => otherProgram(1),
  "/": () => document.getElementById("search").focus(),
  "?": toggleHelp,
  Escape: () => (keep(null), setAddress(null)),
  Enter: () => keep(lit),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const field = event.target.closest("input, select, button, summary, a");
  if (field?.id === "search") {
    if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1), event.preventDefault();
    if (event.key === "Escape") field.blur();
    return;
  }
  if (field && (field.matches("select") || ["Enter", "ArrowLeft", "ArrowRight"].includes(event.key))) return;
  const action = /^[1-9]$/.test(event.key) ? () => program.openTab(Number(event.key) - 1) : KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

let hovered = null;

document.addEventListener("mouseover", (event) => {
  const element = event.target.closest("[data-i], [data-v], [data-row], [data-links]");
  if (element === hovered) return;
  hovered = element;
  light((element && subjectOf(element)) ?? lit);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#prelude-"]');
  if (link) {
    const prelude = $(link.getAttribute("href"));
    link.closest("h3").after(prelude);
    prelude.open = !prelude.open;
    return event.preventDefault();
  }
  if (event.target.closest("a, button, input, select, summary, label") || !event.target.closest(".panes")) return;
  const subject = subjectOf(event.target);
  keep(subject);
  setAddress(subject?.element);
});

document.getElementById("tools").addEventListener("submit", (event) => event.preventDefault());
document.getElementById("search").addEventListener("input", (event) => search(event.target.value));
document.getElementById("which").addEventListener("change", (event) => {
  go(`#${event.target.value}`);
  setAddress(null);
});
document.getElementById("help-button").addEventListener("click", toggleHelp);
window.addEventListener("hashchange", () => go(location.hash));

document.documentElement.classList.add("running");
const programs = $$(".program").map((section, index) => new Program(section, data.compilations[index]));
go(location.hash);
