// A program of the page: its tabs, and its graph after each pass.

class Program {
  constructor(section, entry) {
    this.section = section;
    this.slug = entry.slug;
    this.stages = entry.stages;
    this.recorded = entry.run;
    this.ran = null; // the graph of the run that is shown, and not one after a pass
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
    this.player = this.recorded && new Player(this, this.recorded);
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
    bar.hidden = this.tabs.length < 2;
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
    this.ran = null;
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
    this.noteLines();
    if (lit) light(lit);
  }

  // Shows a graph of the recorded run, as it was interpreted.
  showRan(graph) {
    if (this.ran === graph) return;
    this.ran = graph;
    const { rows, function: name } = this.recorded.graphs[graph];
    $(".stage-name", this.section).textContent = `of ${name}, as it ran`;
    $(".summary", this.section).textContent = "no pass: the graph of the run";
    this.draw(rows);
    this.noteLines();
  }

  noteLines() {
    this.lines = $$(".line", this.rows).map((element) => ({ element, row: data.rows[element.dataset.row] }));
    this.used = new Set(this.lines.flatMap(({ row }) => row[LINKS]));
    this.types = null;
    this.player?.mark();
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
