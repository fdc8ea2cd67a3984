// table fills an element with a table of values, lane by lane. Each row has a name, a note, and words
// by lane.
function table(parent, rows) {
  const t = element("table");
  for (const {name, note, row, show} of rows) {
    const r = element("tr", "", t);
    const head = element("th", "", r);
    head.scope = "row";
    head.textContent = name;
    element("td", "note", r).textContent = note;
    const text = show || ((w) => w.toString(16)), words = row.filter((w) => w !== undefined);
    if (!words.length) continue;
    if (words.every((w) => w === words[0])) {
      const one = element("td", "", r);
      one.colSpan = 32;
      one.textContent = text(words[0]) + (words.length > 1 ? ` in ${words.length} lanes` : "");
      continue;
    }
    for (let l = 0; l < row.length; l++) element("td", "", r).textContent = row[l] === undefined ? "·" : text(row[l]);
  }
  parent.replaceChildren(t);
}

// flags shows a condition register: zero, sign, carry, overflow.
const flags = (w) => ["z", "s", "c", "o"].map((letter, i) => w >>> i & 1 ? letter : "-").join("");

const isCondition = (name) => name.startsWith("$c");

// operands returns the rows of what a step reads, and of what it writes and accesses.
function operands(track, step) {
  const p = track.at(step), i = step - p.from, line = track.run.code[p.index[i]], rows = [];
  const guard = /\$c\d/.exec(line.guard || "")?.[0];
  for (const name of [...new Set([...(guard ? [guard] : []), ...(line.reads || [])])]) {
    const known = p.register(name, i);
    if (!known) continue;
    const ago = step - known.since, row = [];
    for (let l = 0; l < 32; l++) if (p.active[i] >>> l & 1) row[l] = known.row[l];
    const use = name === guard ? "guard, " : "reads, ";
    rows.push({name, note: `${use}written ${ago === 1 ? "1 step" : ago.toLocaleString("en") + " steps"} ago`, row, show: isCondition(name) ? flags : undefined});
  }
  for (const v of p.values(i)) {
    const note = v.name === "addr" ? "address" : v.name.startsWith("data") ? "to memory" : "writes";
    rows.push({name: v.name.replace("data ", ""), note, row: v.row, show: isCondition(v.name) ? flags : undefined});
  }
  return rows;
}

// guarded says in words what the guard of a step lets through; "" without a guard.
function guarded(track, step) {
  const p = track.at(step), i = step - p.from, line = track.run.code[p.index[i]];
  if (!line.guard) return "";
  if (p.flags[i] & 4) return `The join marker sends the warp elsewhere before the guard ${line.guard} is looked at.`;
  const all = bits(p.active[i]), some = bits(p.executed[i]);
  return `The guard ${line.guard} holds in ${some} of ${all} active ${all === 1 ? "lane" : "lanes"}` +
    (line.decides ? `: ${some === 0 ? "none goes" : some === all ? "all go" : some + " go"} elsewhere.` : ".");
}
