// What belongs together: ranges, nodes and values, lit in the source, the graph and generated code.

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

const bringIntoView = (element) => element?.scrollIntoView({ block: "nearest", inline: "nearest" });

function keep(subject, reveal = bringIntoView) {
  lit = subject;
  light(lit);
  for (const old of $$(".at", program.section)) old.classList.remove("at");
  if (!subject) return;
  subject.element?.classList.add("at");
  for (const pane of $$(".pane", program.section)) {
    if (pane.contains(subject.element)) continue;
    const first = $(".tab.shown .lit, .tab.shown .call, .code:not(.tab *) .lit", pane) ?? $(".code:not(.tab *) .call", pane);
    reveal(first);
  }
}
