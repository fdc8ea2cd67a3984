// What runs did: totals, memory, and counts of each instruction.
import {$, count, element, fromHex, mean, word, words} from "./format.js";

const heads = (table, list) => table.createTHead().insertRow().append(...list.map(([text, title]) =>
  element("th", {scope: "col", title: title ?? "", textContent: text, className: text === "Instruction" || text === "Result" ? "left" : ""})));

const transactions = (c, arch) => {
  const rule = arch === "sm_10" || arch === "sm_11" ? "g80" : "gt200";
  return ["32", "64", "128"].reduce((sum, bytes) => sum + (c[`${rule}_${bytes}`] ?? 0), 0);
};
const conflicts = c => (c.shared_steps ?? 0) - (c.shared_accesses ?? 0);
const sum = (run, of) => (run.each ?? []).reduce((total, e) => total + of(e.counters), 0);

// showTotals lists the runs, one row per policy.
export function showTotals(runs, arch) {
  const table = $("totals");
  table.replaceChildren();
  if (runs.length === 0) return;
  heads(table, [
    ["Policy"], ["Result"], ["Issues", "Warp-instructions: each is one instruction, issued for the active lanes of one warp"],
    ["Mean lanes", "Active lanes of an issue, in the mean. A warp has 32."],
    ["Threads", "Thread instructions: lanes that executed, summed over issues. Lanes whose guard is false are left out."],
    ["Divergent", "Branches that some active lanes took and others did not"],
    ["Merges", "Meetings of lanes that ran apart before"],
    ["Transactions", "Transactions of device memory, by the rule of the code's architecture"],
    ["Conflicts", "Steps of shared memory beyond the first of each half-warp"],
    ["Barrier waits", "Rounds that warps waited at barriers"],
    ["M issues/s", "Million issues a second: how fast this page simulated"],
  ]);
  const body = table.createTBody();
  for (const r of runs) {
    const row = body.insertRow(), c = r.counters ?? {};
    const wrong = r.memory.filter(b => b.mismatch), judged = r.memory.some(b => b.judged);
    const verdict = r.error ? "fault" : wrong.length > 0 ? "unexpected memory" : judged ? "as expected" : "ended";
    row.append(element("th", {scope: "row", className: "left", textContent: r.policy}), element("td", {textContent: verdict, className: r.error || wrong.length > 0 ? "left bad" : "left good"}));
    for (const text of r.counters ? [count(c.warp_instructions), mean(r.lanes), count(c.thread_instructions), count(sum(r, e => e.divergent ?? 0)), count(c.merges),
      count(sum(r, e => transactions(e, arch))), count(sum(r, conflicts)), count(c.barrier_waits), r.seconds > 0 ? mean(c.warp_instructions / r.seconds / 1e6) : ""] : []) {
      row.insertCell().textContent = text;
    }
  }
}

// errors are what went wrong in runs, one per line; notes are what else there is to say.
export const errors = runs => runs.flatMap(r => [
  ...(r.error ? [`${r.policy}: ${r.error}`] : []), ...r.memory.filter(b => b.mismatch).map(b => `${r.policy}: ${b.mismatch}`)]).join("\n");
export const notes = runs => runs.flatMap(r => [
  ...(r.printed ? [`${r.policy} printed: ${r.printed}`] : []), ...(r.notes ?? []).map(n => `${r.policy}: ${n}`)]).join("\n");

// showFound lists the mistakes that runs found: those that several policies show come once.
export function showFound(runs, go) {
  const checked = runs.filter(r => r.found || r.checked), known = new Map();
  for (const r of checked) for (const f of r.found ?? []) known.set(f.text, {...f, policies: [...known.get(f.text)?.policies ?? [], r.policy]});
  const item = f => element("li", {className: f.level}, element("pre", {textContent: f.text, tabIndex: 0}), element("p", {className: "buttons"},
    ...f.lines.map(n => {
      const button = element("button", {type: "button", textContent: `Line ${n}`});
      button.addEventListener("click", () => go(n));
      return button;
    }), f.policies.length < runs.length ? `under ${f.policies.join(", ")}` : ""));
  $("found").replaceChildren(...checked.length === 0 ? [] : [element("h3", {textContent: "Mistakes"}),
    known.size > 0 ? element("ul", {}, ...[...known.values()].map(item)) : element("p", {className: "good", textContent: "None was found."})]);
}

const mostWords = 512; // of a buffer on the page

// showMemory shows the buffers that the first run which ended left, and says under which policies they
// are others.
export function showMemory(runs, params, format) {
  const ended = runs.filter(r => !r.error && r.memory.length > 0), first = ended[0];
  if (!first) {
    $("memory").replaceChildren(element("p", {textContent: "No run has ended: there is no memory to show."}));
    return;
  }
  $("memory").replaceChildren(...first.memory.map((b, i) => {
    const others = ended.filter(r => r.memory[i].bytes !== b.bytes).map(r => r.policy);
    const p = params.find(p => p.name === b.name), now = words(b.bytes), before = fromHex(p?.init, now.length);
    const want = p?.expect && p.expect !== "unchanged" ? fromHex(p.expect, now.length) : null;
    const exact = p?.compare === "exact";
    const table = element("table", {className: "buffer"}, element("caption", {},
      element("b", {textContent: b.name}), `: ${count(now.length)} words` + (others.length > 0 ? `, of ${first.policy}; others under ${others.join(", ")}` : "") +
      (now.length > mostWords ? `; the first ${mostWords} are shown` : "")));
    for (let at = 0; at < Math.min(now.length, mostWords); at += 8) {
      const row = table.insertRow();
      row.append(element("th", {scope: "row", textContent: at}));
      for (let j = at; j < Math.min(at + 8, now.length); j++) {
        const wrong = exact && want && want[j] !== now[j];
        row.append(element("td", {textContent: word(now[j], format), className: wrong ? "wrong" : now[j] === before[j] ? "same" : "",
          title: wrong ? `The test expects ${word(want[j], format)}` : now[j] === before[j] ? "as before the launch" : `was ${word(before[j], format)}`}));
      }
    }
    return element("div", {className: "scroll", tabIndex: 0, role: "region", "aria-label": `Buffer ${b.name}`}, table);
  }));
}

// showEach lists the instructions of a run.
export function showEach(run, arch, go) {
  const table = $("each");
  table.replaceChildren();
  if (!run?.code) return;
  heads(table, [["pc"], ["Instruction"], ["Line", "Line of the text"], ["Issues"], ["Mean lanes"], ["Threads", "Thread instructions: lanes that executed it"], ["Guard off", "Active lanes whose guard was false"],
    ["Divergent"], ["Transactions"], ["Conflicts", "Steps of shared memory beyond the first of each half-warp"], ["Waited", "Rounds at a barrier"]]);
  const body = table.createTBody();
  run.code.forEach((line, i) => {
    const e = run.each?.[i], c = e?.counters ?? {}, row = body.insertRow();
    row.className = c.issues ? "" : "never";
    const at = element("button", {type: "button", textContent: line.line || "", title: "Go to the line", "aria-label": `Line ${line.line}`});
    at.addEventListener("click", () => go(line.line));
    row.append(element("td", {textContent: line.pc}), element("td", {className: "left", textContent: line.text}), element("td", {}, line.line ? at : ""));
    const number = n => n ? count(n) : "";
    for (const text of [number(c.issues), c.issues ? mean(e.lanes) : "", ...[c.threads, c.off, c.divergent, transactions(c, arch), conflicts(c), c.waited].map(number)]) {
      row.insertCell().textContent = text;
    }
  });
}

// byLine is the issues and lanes of each line of the text.
export function byLine(run) {
  const lines = new Map();
  run?.code?.forEach((l, i) => {
    const e = run.each?.[i];
    if (!l.line || !e) return;
    const sum = lines.get(l.line) ?? {issues: 0, lanes: 0, divergent: 0, off: 0, transactions: 0, conflicts: 0, accesses: 0, waited: 0, code: []};
    const c = e.counters;
    sum.issues += c.issues ?? 0;
    sum.lanes += (c.issues ?? 0) * e.lanes;
    for (const key of ["divergent", "off", "waited"]) sum[key] += c[key] ?? 0;
    sum.accesses += c.device_accesses ?? 0;
    sum.transactions += transactions(c, l.arch);
    sum.conflicts += conflicts(c);
    sum.code.push(l.text);
    lines.set(l.line, sum);
  });
  return lines;
}

// beside is the text beside a line: issues, and the mean of active lanes.
export const beside = l => l.issues === 0 ? "0" : `${count(l.issues)} × ${mean(l.lanes / l.issues)}`;

// said says in words what a line did.
export function said(l, policy) {
  if (l.issues === 0) return `Under ${policy}, no warp came here.`;
  const parts = [`Under ${policy}: ${count(l.issues)} ${l.issues === 1 ? "issue" : "issues"} with ${mean(l.lanes / l.issues)} of 32 lanes active in the mean`];
  if (l.divergent) parts.push(`${count(l.divergent)} of them divergent: some lanes took the branch, others did not`);
  if (l.off) parts.push(`${count(l.off)} lanes kept off by the guard`);
  if (l.accesses) parts.push(`${count(l.transactions)} transactions for ${count(l.accesses)} half-warps`);
  if (l.conflicts) parts.push(`${count(l.conflicts)} steps more than without bank conflicts`);
  if (l.waited) parts.push(`${count(l.waited)} rounds waited`);
  return parts.join("; ") + ".";
}
