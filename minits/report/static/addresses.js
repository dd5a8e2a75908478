// Addresses of programs, nodes, lines and passes, as docs/report.md lists them.

// #program, #program/n12 (a node), #program/L43 (a line), #program/pass7, #program/pass7/n12;
// each may have a step of the recorded run behind it: #program&step=12, #program/L43&step=12
function go(hash) {
  const [place, step] = decodeURIComponent(hash.replace(/^#/, "")).split("&step=");
  const [slug, ...rest] = place.split("/");
  openProgram(programs.find((each) => each.slug === slug) ?? programs[0]);
  if (/^\d+$/.test(step) && program.player) program.player.goTo(Number(step));
  let shown = null;
  for (const part of rest) {
    if (/^pass\d+$/.test(part)) program.show(Math.min(Number(part.slice(4)), program.stages.length - 1));
    const element = document.getElementById(`${program.slug}/${part}`);
    if (!element || /^pass/.test(part)) continue;
    const subject = lineSubject(element);
    if (subject) keep(subject);
    element.scrollIntoView({ block: "nearest" });
    shown = element;
  }
  if (step) setAddress(shown);
}

function setAddress(element) {
  const id = element?.id || element?.closest?.("[id]")?.id;
  const part = id?.startsWith(`${program.slug}/`) ? id.slice(program.slug.length) : "";
  const isLast = program.current === program.stages.length - 1;
  const stage = isLast || !part.startsWith("/n") ? "" : `/pass${program.current}`;
  writeAddress(`#${program.slug}${stage}${part}${stepPart()}`);
}

// Browsers refuse addresses that change too often, as they do while a slider is moved.
const BETWEEN_ADDRESSES = 200; // milliseconds
let written = 0;
let writing;

function writeAddress(hash) {
  clearTimeout(writing);
  const wait = written + BETWEEN_ADDRESSES - Date.now();
  if (wait > 0) {
    writing = setTimeout(() => writeAddress(hash), wait);
    return;
  }
  written = Date.now();
  history.replaceState(null, "", hash);
}

const stepPart = () => (program.player?.isUsed ? `&step=${program.player.number}` : "");

// Goes where a link leads; the run stays at its step.
function follow(hash) {
  clearTimeout(writing);
  go(hash);
  if (!hash.includes("&step=")) writeAddress(hash + stepPart());
}

function openProgram(next) {
  if (next !== program) lit = null;
  program = next;
  for (const each of programs) each.section.classList.toggle("shown", each === program);
  document.getElementById("which").value = program.slug;
  program.prepare();
}
