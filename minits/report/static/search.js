// Search in what is shown of a program.

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
