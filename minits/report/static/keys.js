// Keys and the mouse; the page begins at the end of this.

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

function actionOfPlayer(key) {
  const { player } = program;
  if (player && key === "b") return () => player.toggleLitLine();
  return player && KEYS_OF_MOVES[key] ? () => player.move(KEYS_OF_MOVES[key]) : undefined;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const field = event.target.closest("input, select, button, summary, a");
  if (field?.id === "search") {
    if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1), event.preventDefault();
    if (event.key === "Escape") field.blur();
    return;
  }
  if (field?.type === "text") return event.key === "Escape" && field.blur();
  if (field && (field.matches("select") || ["Enter", "ArrowLeft", "ArrowRight"].includes(event.key))) return;
  const action = /^[1-9]$/.test(event.key) ? () => program.openTab(Number(event.key) - 1)
    : KEYS[event.key] ?? actionOfPlayer(event.key);
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
window.addEventListener("hashchange", () => follow(location.hash));

document.documentElement.classList.add("running");
const programs = $$(".program").map((section, index) => new Program(section, data.compilations[index]));
go(location.hash);
