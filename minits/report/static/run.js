// A recorded run and a place in it, which steps, breakpoints and watched values move: the same as
// minits/stepping/session.py, in the words of that. The data is described in minits/report/model.py.

const WHATS = ["call", "op", "enter", "block", "leave", "raise"];

class RecordedRun {
  constructor(found) {
    const { texts, graphs, kinds, places, frames, printed, error } = found;
    Object.assign(this, { graphs, frames, printed, error });
    this.operations = graphs.flatMap(({ rows }, graph) => rows.map((row) => ({ row, graph })));
    this.operations.forEach((op, number) => (op.kind = texts[kinds[number]]));
    this.steps = [];
    const kindsOfSteps = places.map(([what, op, block, ...names]) =>
      ({ what: WHATS[what], op, block, names: names.map((name) => texts[name]) }));
    for (let at = 0; at < found.steps.length; ) {
      const { what, op, block, names } = kindsOfSteps[found.steps[at]];
      const values = names.map((_, index) => texts[found.steps[at + 2 + index]]);
      this.steps.push({ what, op, block, names, values, frame: found.steps[at + 1] });
      at += 2 + names.length;
    }
    this.at = 0;
    this.breakpoints = new Map(); // from the text of each to the operations and values that it means
    this.watched = new Map(); // from a value's or variable's name to its function
    this.index();
  }

  // Finds for each step its depth, the blocks that it is in, and for each call what gave a value.
  index() {
    const opened = [];
    let inside = null; // the step that began the innermost block, and the same of what is around it
    this.given = this.frames.map(() => new Map());
    this.steps.forEach((step, number) => {
      if (step.what === "leave") inside = opened.pop();
      else if (step.what === "call") inside = null;
      else if (step.what === "block") inside = { number, around: opened.at(-1) };
      step.depth = opened.length;
      step.inside = inside;
      if (step.what === "enter") opened.push(inside);
      const given = this.given[step.frame];
      for (const name of step.names) {
        if (!given.has(name)) given.set(name, []);
        given.get(name).push(number);
      }
    });
  }

  // ---- Moves

  move(by, isWanted) {
    for (let number = this.at + by; number >= 0 && number < this.steps.length; number += by) {
      if (this.isPassedOver(number) || !isWanted(this.steps[number])) continue;
      this.at = number;
      return true;
    }
    return false;
  }

  isPassedOver(number) {
    const { what, op } = this.steps[number];
    return what === "op" && this.operations[op].kind === "prim::Constant";
  }

  step(by) {
    return this.move(by, () => true);
  }

  over(by) {
    const { depth } = this.steps[this.at];
    return this.move(by, (step) => step.depth <= depth);
  }

  out(by) {
    const { depth } = this.steps[this.at];
    return this.move(by, (step) => step.depth < depth);
  }

  // Goes to a step, or to the one before it that is not passed over.
  goTo(number) {
    this.at = Math.max(0, Math.min(this.steps.length - 1, number));
    if (this.isPassedOver(this.at) && !this.step(-1)) this.step(1);
  }

  // Returns what stopped it.
  resume(by) {
    const watched = new Map([...this.watched.keys()].map((text) => [text, this.watchedValue(text)]));
    while (this.step(by)) {
      const step = this.steps[this.at];
      if (step.what === "raise") return "the program raised";
      for (const [text, meant] of this.breakpoints) if (isHit(meant, step)) return `breakpoint ${text}`;
      for (const [text, before] of watched) if (this.watchedValue(text) !== before) return `${text} changed`;
    }
    return by > 0 ? "the end of the run" : "the beginning of the run";
  }

  // ---- Breakpoints

  // Adds a breakpoint; returns whether anything in the run is meant by its text.
  addBreakpoint(text) {
    const ops = new Set();
    const names = new Set();
    for (const step of this.steps) {
      if (step.op >= 0 && this.isMeant(text, step.op)) ops.add(step.op);
      for (const name of step.names) if (isNamed(name, text)) names.add(name);
    }
    if (ops.size + names.size) this.breakpoints.set(text, { ops, names });
    return this.breakpoints.has(text);
  }

  isMeant(text, op) {
    const [, , file, line] = text.match(/^((.*):)?(\d+)$/s) ?? [];
    if (line === undefined) return this.operations[op].kind === text;
    const place = this.placeOf(op);
    return place !== undefined && place.line === Number(line) && isFile(place.file, file);
  }

  // ---- Questions

  functionOf(frame) {
    return this.graphs[this.frames[frame][0]].function;
  }

  rowOf(number) {
    const { op, frame } = this.steps[number];
    return op < 0 ? this.graphs[this.frames[frame][0]].rows[0] : this.operations[op].row;
  }

  // Returns the file and the line of an operation.
  placeOf(op) {
    const range = data.ranges[data.rows[this.operations[op].row][LINKS][0]];
    return range && { file: data.files[range[0]], line: range[1], range };
  }

  // Returns the line of a step; of a call, the first one of its graph.
  lineOf(number) {
    const { op, frame } = this.steps[number];
    if (op >= 0) return this.placeOf(op)?.line;
    const graph = this.frames[frame][0];
    const places = this.operations.map((each, at) => each.graph === graph && this.placeOf(at));
    return places.find((place) => place)?.line;
  }

  // Returns the steps that calls are at, the innermost first.
  calls() {
    const found = [];
    for (let number = this.at; number >= 0; [, number] = this.frames[this.steps[number].frame]) found.push(number);
    return found;
  }

  // Returns the steps that began the blocks of this call, the outermost first.
  blocks() {
    const found = [];
    for (let { inside } = this.steps[this.at]; inside; inside = inside.around) found.unshift(inside.number);
    return found;
  }

  isLoop(number) {
    return this.operations[this.steps[number].op].kind === "prim::Loop";
  }

  // Returns the values of a call as they are after this step: name, text and step; the last one last.
  values(text, frame = this.steps[this.at].frame) {
    const found = [];
    for (const [name, numbers] of this.given[frame]) {
      if (text !== undefined && !isNamed(name, text)) continue;
      const number = numbers[upTo(numbers, this.at) - 1];
      if (number === undefined) continue;
      const step = this.steps[number];
      found.push({ name, number, text: step.values[step.names.indexOf(name)] });
    }
    return found.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
  }

  watch(text) {
    this.watched.set(text, this.functionOf(this.steps[this.at].frame));
  }

  // Returns the text of what is watched, in the innermost call of its function.
  watchedValue(text) {
    for (const number of this.calls()) {
      const { frame } = this.steps[number];
      if (this.functionOf(frame) === this.watched.get(text)) return this.values(text, frame).at(-1)?.text;
    }
    return undefined;
  }
}

const isHit = ({ ops, names }, step) =>
  (step.what !== "leave" && step.what !== "block" && ops.has(step.op)) || step.names.some((name) => names.has(name));

// `%steps.5` is that value, `steps` all of the variable.
function isNamed(name, text) {
  if (text.startsWith("%")) return name === text.slice(1);
  return name === text || (!/^\d+$/.test(name) && name.replace(/\.\d+$/, "") === text);
}

const isFile = (there, file) => !file || there === file || there.endsWith(`/${file}`);

// Returns how many of some numbers, which ascend, are not larger than another.
function upTo(numbers, most) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
