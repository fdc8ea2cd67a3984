// Panel shows a run.
class Panel {
  constructor(run, number, player) {
    this.run = run;
    this.player = player;
    this.number = number;
    this.step = 0;
    this.around = 64; // steps in the second picture
    this.section = element("section", "", player.root.querySelector(".panels"));
    this.section.addEventListener("pointerdown", () => player.choose(number));
    element("h2", "", this.section).textContent = run.policy;
    element("p", "none", this.section).textContent = run.title + (run.more ? `; the page has the first ${run.steps.toLocaleString("en")} steps of the trace` : "");
    this.meters = element("div", "meters", this.section);
    const pick = (step) => { player.choose(number); player.go(step); };
    const wheel = (by) => { player.choose(number); player.wheel(by); };
    this.whole = new Lanes(this.section, "All steps of the warp; lane 0 is on top", 3, pick, wheel);
    this.near = new Lanes(this.section, "The steps around this one", 6, pick, wheel);
    this.now = element("div", "now", this.section);
    this.now.setAttribute("role", "status");
    this.guard = element("p", "guard", this.section);
    this.heading("Lanes, and where those that wait go on");
    this.lanesOf = element("div", "lanes", this.section);
    const columns = element("div", "columns", this.section);
    this.codeOf(element("div", "", columns));
    this.flowOf(element("div", "", columns));
    [this.keepsHead, this.keeps] = this.part("What the policy keeps", "pre", "keeps");
    [this.valuesHead, this.values] = this.part("Registers and addresses of the step, lane by lane", "div", "values");
    this.values.tabIndex = 0;
    this.values.setAttribute("role", "region");
    this.values.setAttribute("aria-label", "Values under " + run.policy);
    [this.memoryHead, this.memory] = this.part("Memory", "div", "memory");
  }

  heading(text, parent = this.section) {
    const h = element("h3", "", parent);
    h.textContent = text;
    return h;
  }

  part(text, tag, name) { return [this.heading(text), element(tag, name, this.section)]; }

  // codeOf makes the code. A click on a line goes to its next step.
  codeOf(parent) {
    this.heading("Code", parent);
    this.code = element("div", "code", parent);
    this.code.tabIndex = 0;
    this.code.setAttribute("role", "region");
    this.code.setAttribute("aria-label", "Code under " + this.run.policy);
    this.rows = this.run.code.map((line) => {
      const row = element("div", "", this.code);
      element("span", "none", row).textContent = line.pc;
      element("span", "", row).textContent = line.text;
      row.waiting = element("span", "waiting", row);
      if (line.source) row.title = line.source;
      return row;
    });
    this.code.addEventListener("click", (e) => {
      const i = this.rows.indexOf(e.target.closest(".code > div"));
      if (i >= 0) this.player.issue(1, (index) => index === i);
    });
  }

  // flowOf shows the flow graph; other runs of the same code have it from the first.
  flowOf(parent) {
    this.heading("Control flow", parent);
    this.flow = element("div", "graph", parent);
    const drawn = this.run.flow || this.player.runs[0].flow;
    if (!drawn) this.flow.textContent = this.run.noFlow;
    else this.flow.innerHTML = drawn;
    this.blocks = [...this.flow.querySelectorAll(".block")].map((e) => ({e, text: e.querySelector(".text"), first: +e.dataset.first, last: +e.dataset.last}));
    const enter = (e) => {
      const b = this.blocks.find((b) => b.e === e.target.closest(".block"));
      if (b) this.player.issue(1, (index) => index >= b.first && index < b.last);
      return b;
    };
    this.flow.addEventListener("click", enter);
    this.flow.addEventListener("keydown", (e) => {
      if ((e.key === "Enter" || e.key === " ") && enter(e)) {
        e.preventDefault();
        e.stopPropagation();
      }
    });
  }

  // show shows a warp; undefined if the run has none of it.
  show(warp) {
    this.track = warp && new Track(this.run, warp);
    this.step = 0;
    this.shown = this.asked = undefined;
    this.section.classList.toggle("none", !warp);
  }

  go(step) {
    if (this.track) this.step = Math.max(0, Math.min(step, this.track.length - 1));
  }

  // window is the first step of the second picture, around a step, and how many it shows.
  window(step) {
    const span = Math.min(this.around, this.track.length);
    return [Math.max(0, Math.min(step - (span >> 1), this.track.length - span)), span];
  }

  // need loads what draw draws of a step; it returns undefined if that is there.
  need(step) {
    if (!this.track) return undefined;
    const [from, span] = this.window(step);
    return this.track.need(from, from + span) || (this.track.long ? undefined : this.track.need(0, this.track.length));
  }

  // draw draws the step, or while that loads the one asked for before. It returns what is still to be
  // loaded, undefined if there is nothing.
  draw(colours) {
    const t = this.track;
    if (!t) {
      this.now.textContent = "This run has no such warp.";
      return undefined;
    }
    const load = this.need(this.step);
    if (!load) this.shown = this.step;
    else if (this.asked !== undefined && !this.need(this.asked)) this.shown = this.asked;
    this.whole.draw(t, 0, t.length, this.step, colours);
    if (this.shown !== undefined && t.at(this.shown)) this.drawStep(this.shown, colours);
    return load;
  }

  // drawStep draws a step that is loaded.
  drawStep(step, colours) {
    const t = this.track, p = t.at(step), i = step - p.from, line = this.run.code[p.index[i]];
    this.meter(p, step);
    this.near.draw(t, ...this.window(step), step, colours);
    this.now.textContent = `${line.pc}  ${line.text}`;
    if (line.source) element("span", "source", this.now).textContent = "  " + line.source;
    this.guard.textContent = guarded(t, step);
    this.drawGrid(step);
    this.drawCode(p.index[i]);
    const entered = this.drawFlow(p.index[i], bits(p.active[i]));
    this.keepsHead.hidden = this.keeps.hidden = p.state[i] < 0;
    if (p.state[i] >= 0) this.keeps.textContent = p.texts[p.state[i]].replaceAll("), ", ")\n");
    const rows = operands(t, step);
    this.valuesHead.hidden = this.values.hidden = rows.length === 0;
    table(this.values, rows);
    this.memoryHead.hidden = this.memory.hidden = p.memory[i] < 0;
    if (p.memory[i] >= 0) memory(this.memory, JSON.parse(p.texts[p.memory[i]]), p.values(i).find((v) => v.name === "addr").row);
    reveal(this.code, this.rows[p.index[i]]); // after all changes: each of these asks for the layout
    if (entered) reveal(this.flow, entered);
    performance.mark("player-drawn"); // measured by tests
  }

  // meter writes the meters of a step of a piece.
  meter(p, step) {
    const t = this.track, i = step - p.from, n = (x) => x.toLocaleString("en");
    const list = [
      ["step", `${n(step + 1)} of ${n(t.length)}`], ["mean lanes so far", (p.lanesBefore[i + 1] / (step + 1)).toFixed(2)],
      ["of all", (t.sum / t.length).toFixed(2)], ["active", bits(p.active[i])], ["round", n(p.time[i])],
    ];
    this.meters.replaceChildren(...list.map(([name, value]) => {
      const s = element("span");
      s.append(name + " ");
      element("b", "", s).textContent = value;
      return s;
    }));
  }

  // drawGrid draws a cell for each lane.
  drawGrid(step) {
    const t = this.track;
    while (this.lanesOf.children.length < t.lanes) element("span", "", this.lanesOf);
    while (this.lanesOf.children.length > t.lanes) this.lanesOf.lastChild.remove();
    this.waiting = new Map(); // numbers of lanes by the instruction at which they wait
    for (let l = 0; l < t.lanes; l++) {
      const cell = this.lanesOf.children[l], kind = t.kind(step, l);
      let text = String(l), name = kind;
      if (!kind) {
        const next = t.next(step, l);
        name = next < 0 ? "ended" : "waits";
        if (next >= 0) {
          text += "\n" + this.run.code[next].pc;
          this.waiting.set(next, (this.waiting.get(next) || 0) + 1);
        }
      }
      if (cell.className !== name) cell.className = name;
      if (cell.textContent !== text) cell.textContent = text;
    }
  }

  // drawCode marks the instruction, and where lanes wait.
  drawCode(here) {
    for (const i of this.marked || []) {
      this.rows[i].className = "";
      this.rows[i].waiting.textContent = "";
    }
    this.marked = [here, ...this.waiting.keys()];
    this.rows[here].className = "here";
    for (const [i, n] of this.waiting) this.rows[i].waiting.textContent = `${n} wait`;
  }

  // drawFlow marks the block of the instruction, and says how many lanes are in each. It returns the
  // block if its lanes have changed.
  drawFlow(here, active) {
    let entered;
    for (const b of this.blocks) {
      let wait = 0;
      for (const [i, n] of this.waiting) if (i >= b.first && i < b.last) wait += n;
      const runs = here >= b.first && here < b.last ? `${active} run` : "";
      const said = [runs, wait ? `${wait} wait` : ""].filter(Boolean).join(", ") || "no lanes";
      if (said === b.said) continue;
      b.said = said;
      b.text.textContent = said;
      b.e.classList.toggle("waits-here", wait > 0);
      if (runs) {
        b.e.setAttribute("aria-current", "step");
        entered = b.e;
      } else {
        b.e.removeAttribute("aria-current");
      }
    }
    return entered;
  }
}

// reveal scrolls a frame, not the page, to one of its parts.
function reveal(frame, part) {
  const at = part.getBoundingClientRect(), box = frame.getBoundingClientRect();
  if (at.top < box.top || at.bottom > box.bottom) frame.scrollTop += at.top - box.top - (box.height - at.height) / 2;
  if (at.left < box.left || at.right > box.right) frame.scrollLeft += at.left - box.left - (box.width - at.width) / 2;
}
