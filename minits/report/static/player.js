// The player of a recorded run: the tab `Run`, what stands beside the lines of source, and keys.

// Each returns whether there is such a step, or a text that tells why it stopped.
const MOVES = {
  step: (run) => run.step(1),
  stepBack: (run) => run.step(-1),
  over: (run) => run.over(1),
  overBack: (run) => run.over(-1),
  out: (run) => run.out(1),
  outBack: (run) => run.out(-1),
  run: (run) => run.resume(1),
  runBack: (run) => run.resume(-1),
  begin: (run) => (run.goTo(0), true),
  end: (run) => (run.goTo(run.steps.length - 1), true),
};

const KEYS_OF_MOVES = {
  s: "step", S: "stepBack", o: "over", O: "overBack", f: "out", F: "outBack", c: "run", C: "runBack", g: "begin", G: "end",
};

class Player {
  constructor(program, found) {
    this.program = program;
    this.run = new RecordedRun(found);
    this.isUsed = false; // before, the page is as it is without the run
    this.message = "";
    this.root = $(".tab.run", program.section);
    this.slider = $(".step", this.root);
    this.follow = $(".follow", this.root);
    for (const button of $$("[data-move]", this.root))
      button.addEventListener("click", () => this.move(button.dataset.move));
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    this.follow?.addEventListener("change", () => this.follow.checked ? this.show() : program.show(program.current));
    $(".break-at", this.root).addEventListener("submit", (event) => {
      event.preventDefault();
      this.breakAt($("input", event.target));
    });
    this.makeGutter();
    this.describe();
  }

  // ---- Moves

  move(name) {
    const told = MOVES[name](this.run);
    const isBack = /Back$/.test(name);
    this.message = typeof told === "string" ? told : told ? "" : isBack ? "nothing before it" : "nothing after it";
    this.show();
  }

  // Goes to a step by its number, which counts from 1.
  goTo(number) {
    this.run.goTo(number - 1);
    this.message = "";
    this.show();
  }

  get number() {
    return this.run.at + 1;
  }

  // Shows the step here, and in the source and the graph.
  show() {
    this.isUsed = true;
    this.describe();
    const { program, run } = this;
    const { op, frame } = run.steps[run.at];
    const graph = op < 0 ? run.frames[frame][0] : run.operations[op].graph;
    if (!this.follow || this.follow.checked) program.showRan(graph);
    keep(this.subject(), revealInPane);
    this.mark();
    setAddress(null);
  }

  // Returns what is lit: the operation, and the calls that led to it.
  subject() {
    const [row, ...callers] = this.run.calls().map((number) => data.rows[this.run.rowOf(number)]);
    const own = row[LINKS].slice(0, row[OWN]);
    const element = $(`[data-row="${this.run.rowOf(this.run.at)}"]:not(.removed, .was)`, this.program.rows);
    return { own, links: [...row[LINKS], ...callers.flatMap((each) => each[LINKS])], node: row[NODE], element };
  }

  // Marks the lines of the graph and of the source where the run is, if they are shown.
  mark() {
    for (const old of $$(".now", this.program.section)) old.classList.remove("now");
    if (!this.isUsed) return;
    const { op } = this.run.steps[this.run.at];
    const place = op < 0 ? undefined : this.run.placeOf(op);
    const line = place && document.getElementById(`${this.program.slug}/${this.program.lineId(place.range)}`);
    for (const element of [this.subject().element, line]) {
      element?.classList.add("now");
      revealInPane(element);
    }
  }

  // ---- Breakpoints and watched values

  // Lines of source that ran have a button, which makes a breakpoint there, or removes it.
  makeGutter() {
    this.gutter = new Map();
    const files = new Set();
    const places = new Map();
    for (const { op } of this.run.steps) {
      const place = op < 0 || this.run.operations[op].kind === "prim::Constant" ? undefined : this.run.placeOf(op);
      if (!place) continue;
      files.add(place.file);
      places.set(this.program.lineId(place.range), place);
    }
    this.namesFiles = files.size > 1;
    for (const [id, place] of places) {
      const line = document.getElementById(`${this.program.slug}/${id}`);
      if (!line || this.gutter.has(this.nameOf(place))) continue;
      const button = make("button", { class: "breakpoint", type: "button", "aria-label": `breakpoint at line ${place.line}`, "aria-pressed": "false" });
      button.addEventListener("click", () => this.toggleBreakpoint(this.nameOf(place)));
      line.prepend(button);
      this.gutter.set(this.nameOf(place), button);
    }
  }

  nameOf({ file, line }) {
    return this.namesFiles ? `${file.split("/").pop()}:${line}` : String(line);
  }

  // Makes a breakpoint at the line that is lit, or removes it.
  toggleLitLine() {
    const range = data.ranges[lit?.own[0]];
    const text = range ? this.nameOf({ file: data.files[range[0]], line: range[1] }) : "";
    this.message = !text ? "no line is lit" : this.toggleBreakpoint(text) ? "" : `nothing that ran is at ${text}`;
    this.describe();
  }

  toggleBreakpoint(text) {
    const isKnown = this.run.breakpoints.delete(text) || this.run.addBreakpoint(text);
    this.describe();
    return isKnown;
  }

  breakAt(field) {
    const text = field.value.trim();
    if (!text) return;
    const isKnown = this.run.breakpoints.has(text) || this.toggleBreakpoint(text);
    $(".break-at output", this.root).textContent = isKnown ? "" : `nothing that ran is at ${text}, and no value is called so`;
    if (isKnown) field.value = "";
  }

  toggleWatch(text) {
    if (!this.run.watched.delete(text)) this.run.watch(text);
    this.describe();
  }

  // ---- What is shown

  describe() {
    const { run, root } = this;
    this.slider.value = this.number;
    const message = this.message ? ` · ${this.message}` : "";
    $(".count", root).textContent = `step ${this.number} of ${run.steps.length}${message}`;
    $(".told", root).replaceChildren(...this.told());
    $(".calls", root).replaceChildren(...run.calls().map((number) => this.call(number)));
    $(".values tbody", root).replaceChildren(...this.values());
    $(".stops", root).replaceChildren(...this.stops());
    for (const [text, button] of this.gutter) button.setAttribute("aria-pressed", String(run.breakpoints.has(text)));
    if (!run.printed.length) return;
    const printed = run.printed.filter(([number]) => number <= run.at).map(([, text]) => text);
    $(".printed", root).textContent = printed.join("") || "nothing yet";
  }

  // Tells the operation and what it gave.
  told() {
    const { run } = this;
    const step = run.steps[run.at];
    const ahead = { call: "call ", block: "begin ", enter: "enter ", leave: "end of " }[step.what] ?? "";
    const text = step.what === "call" ? run.functionOf(step.frame)
      : step.what === "block" ? this.block(run.at)
        : data.rows[run.rowOf(run.at)][TEXT].trim().replace(/^= /, "");
    const gave = step.names.map((name, index) => make("li", {}, make("code", {}, `%${name}`), " = ", ...valueOf(step.values[index])));
    if (step.what === "raise") gave.push(make("li", { class: "raised" }, make("b", {}, "✗ raises"), ` ${run.error ?? ""}`));
    for (const [number, line] of run.printed)
      if (number === run.at) gave.push(make("li", {}, "prints ", make("code", {}, line.trimEnd())));
    return [make("p", {}, make("code", {}, ahead + text)), make("ul", {}, ...gave)];
  }

  // A call, with the blocks that its step is in, and what loops carry.
  call(number) {
    const { run } = this;
    const line = run.lineOf(number);
    const name = make("button", { type: "button" }, run.functionOf(run.steps[number].frame));
    name.addEventListener("click", () => this.goTo(number + 1));
    const parts = [name, line === undefined ? "" : ` at line ${line}`];
    if (number === run.at) parts.push(make("ul", {}, ...run.blocks().map((each) => make("li", {}, ...this.carried(each)))));
    return make("li", {}, ...parts);
  }

  block(number) {
    const { op, block, values } = this.run.steps[number];
    const line = this.run.placeOf(op)?.line ?? "?";
    if (this.run.isLoop(number)) return `trip ${values[0] ?? "?"} of the loop at line ${line}`;
    return `block${block} of ${this.run.operations[op].kind} at line ${line}`;
  }

  carried(number) {
    const { names, values } = this.run.steps[number];
    const carried = this.run.isLoop(number)
      ? names.slice(1).map((name, index) => [", ", make("code", {}, `%${name}`), " = ", ...valueOf(values[index + 1])]) : [];
    return [this.block(number), ...(carried.length ? [" began with ", ...carried.flat().slice(1)] : [])];
  }

  values() {
    const isConstant = ({ number }) => this.run.isPassedOver(number);
    const found = this.run.values().filter((each) => !isConstant(each)).reverse();
    return found.map(({ name, number, text }) => {
      const isNew = number === this.run.at;
      const mark = make("td", { class: "mark" }, isNew ? make("abbr", { title: "given by this step" }, "•") : "");
      const buttons = make("td", { class: "choices" },
        this.toggle("break", `breakpoint where %${name} is computed`, this.run.breakpoints.has(`%${name}`), () => this.toggleBreakpoint(`%${name}`)),
        this.toggle("watch", `watch %${name}`, this.run.watched.has(`%${name}`), () => this.toggleWatch(`%${name}`)));
      return make("tr", {}, mark, make("td", {}, make("code", {}, `%${name}`)), make("td", {}, ...valueOf(text)), buttons);
    });
  }

  toggle(text, label, isPressed, action) {
    const button = make("button", { type: "button", "aria-pressed": String(isPressed), "aria-label": label, title: label }, text);
    button.addEventListener("click", action);
    return button;
  }

  // Breakpoints and watched values.
  stops() {
    const entry = (text, more, end) => {
      const button = make("button", { type: "button", "aria-label": `remove ${text}` }, "✕");
      button.addEventListener("click", end);
      return make("li", {}, make("code", {}, text), ...more, " ", button);
    };
    const breakpoints = [...this.run.breakpoints.keys()].map((text) => entry(text, [], () => this.toggleBreakpoint(text)));
    const watched = [...this.run.watched.keys()].map((text) => {
      const value = this.run.watchedValue(text);
      return entry(text, [" = ", ...(value === undefined ? ["not there yet"] : valueOf(value))], () => this.toggleWatch(text));
    });
    return [...breakpoints, ...watched];
  }
}

// Returns the text of a value; NaN and infinity are marked.
function valueOf(text) {
  return /\d (NaN|inf)\b|^(nan|-?inf)$/.test(text) ? [make("b", { class: "odd" }, "⚠ "), text] : [text];
}

// Scrolls the pane of an element, and not the page, so that the player stays where it is.
function revealInPane(element) {
  const pane = element?.closest(".pane");
  if (!pane) return;
  const [inner, outer] = [element.getBoundingClientRect(), pane.getBoundingClientRect()];
  const margin = Math.min(60, outer.height / 4);
  if (inner.top < outer.top + margin || inner.bottom > outer.bottom - margin)
    pane.scrollTop += inner.top - outer.top - outer.height / 3;
}
