// memory fills an element with a picture of an access: for each half-warp what it costs, and the cells
// of four bytes that lanes touch, in the transactions or in the banks.
function memory(parent, cost, address) {
  parent.replaceChildren();
  for (const half of cost.halves) {
    const lanes = []; // of the half-warp, with the words that they touch
    for (let l = half.first; l < half.first + 16; l++) {
      if (address[l] === undefined) continue;
      for (let at = address[l] & ~3; at < address[l] + cost.size; at += 4) lanes.push({lane: l, at: at >>> 0});
    }
    const box = element("div", "half", parent);
    const head = element("p", "", box);
    element("b", "", head).textContent = `Lanes ${half.first} to ${half.first + 15}: `;
    head.append(half.cost + ".");
    if (half.fetch) fetches(box, half.fetch, lanes);
    else banks(box, half.bank, lanes);
  }
  element("p", "rule", parent).textContent = cost.rule;
}

// names writes which lanes touch a cell.
const names = (touching) => touching.length > 2 ? `${touching[0].lane}…${touching[touching.length - 1].lane}` : touching.map((t) => t.lane).join(" ");

// cell is four bytes.
function cell(parent, touching, title) {
  const c = element("span", touching.length ? "touched" : "", parent);
  c.textContent = names(touching);
  c.title = title + (touching.length ? `: lane ${touching.map((t) => t.lane).join(", ")}` : ": no lane");
}

function fetches(parent, list, lanes) {
  const all = element("div", "fetches", parent);
  all.setAttribute("role", "img");
  all.setAttribute("aria-label", list.map((f) => `${f.bytes} bytes at 0x${f.at.toString(16)}`).join(", "));
  for (const f of list) {
    const strip = element("div", "fetch", all);
    element("span", "place", strip).textContent = `0x${f.at.toString(16)}, ${f.bytes} bytes`;
    const cells = element("div", "cells", strip);
    for (let at = f.at; at < f.at + f.bytes; at += 4) cell(cells, lanes.filter((l) => l.at === at), "0x" + at.toString(16));
  }
}

function banks(parent, list, lanes) {
  const all = element("div", "banks", parent);
  all.setAttribute("role", "img");
  all.setAttribute("aria-label", list.map((b) => `bank ${b.number}: ${b.words.length} words, ${b.turns} steps`).join(", "));
  for (let n = 0; n < 16; n++) {
    const {words, turns} = list.find((b) => b.number === n) || {words: [], turns: 0};
    const column = element("div", turns > 1 ? "bank collides" : "bank", all);
    element("span", "place", column).textContent = n;
    for (const at of words) cell(column, lanes.filter((l) => l.at === at), `bank ${n}, word at 0x${at.toString(16)}`);
  }
}
