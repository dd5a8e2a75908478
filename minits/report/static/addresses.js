// Addresses of programs, nodes, lines and passes, as docs/report.md lists them.

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
