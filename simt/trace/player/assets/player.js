"use strict";

// Track is one warp of a run: its steps, and what follows from them.
class Track {
  constructor(run, warp) {
    Object.assign(this, warp);
    this.run = run;
    this.length = this.time.length;
    this.vetoes = new Set(this.vetoed);
    this.changes = []; // steps whose lanes are not those of the step before
    this.lanesBefore = new Float64Array(this.length + 1); // sum of the active lanes of the steps before
    this.seen = new Int32Array(this.length); // how often the step's instruction was issued before
    const count = new Int32Array(run.code.length);
    this.places = Array.from({length: run.code.length}, () => []); // steps of each instruction
    for (let i = 0; i < this.length; i++) {
      if (i > 0 && this.active[i] !== this.active[i - 1]) this.changes.push(i);
      this.lanesBefore[i + 1] = this.lanesBefore[i] + bits(this.active[i]);
      this.seen[i] = count[this.index[i]]++;
      this.places[this.index[i]].push(i);
    }
    this.valuesAt = new Map();
    for (const v of this.values) {
      if (!this.valuesAt.has(v.step)) this.valuesAt.set(v.step, []);
      this.valuesAt.get(v.step).push(v);
    }
  }

  // kind is what a lane does in a step: runs, off, vetoed or "".
  kind(step, lane) {
    if (!has(this.active[step], lane)) return "";
    if (this.vetoes.has(step)) return "vetoed";
    return has(this.executed[step], lane) || this.decides(step) ? "runs" : "off";
  }

  // decides reports whether the step is a branch: lanes that do not take it run, too.
  decides(step) {
    return /\b(bra|break|ret|brx)\b/.test(this.run.code[this.index[step]].text);
  }

  // next is the instruction at which a lane goes on at or after a step, -1 if it does not.
  next(step, lane) {
    for (let i = step; i < this.length; i++) if (has(this.active[i], lane)) return this.index[i];
    return -1;
  }
}

const bits = (m) => { let n = 0; for (; m; m = Math.floor(m / 2)) n += m % 2; return n; };
const has = (m, lane) => Math.floor(m / 2 ** lane) % 2 === 1;
const byID = (id) => document.getElementById(id);

function element(tag, name, parent) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  if (parent) parent.append(e);
  return e;
}

// Panel shows a run.
class Panel {
  constructor(run, number, player) {
    this.run = run;
    this.player = player;
    this.number = number;
    this.step = 0;
    this.section = element("section", "", byID("runs"));
    this.section.tabIndex = -1;
    this.section.addEventListener("pointerdown", () => player.choose(number));
    element("h2", "", this.section).textContent = run.policy;
    element("div", "none", this.section).textContent = run.title + (run.more ? "; later steps are left out" : "");
    this.meters = element("div", "meters", this.section);
    this.whole = this.canvas("All steps of the warp; lane 0 is on top");
    this.near = this.canvas("The steps around this one");
    this.now = element("div", "now", this.section);
    this.now.setAttribute("role", "status");
    this.heading("Lanes, and where those that wait go on");
    this.lanesOf = element("div", "lanes", this.section);
    this.heading("Code");
    this.code = element("div", "code", this.section);
    this.code.tabIndex = 0;
    this.code.setAttribute("role", "region");
    this.code.setAttribute("aria-label", "Code under " + run.policy);
    this.rows = run.code.map((line) => {
      const row = element("div", "", this.code);
      element("span", "none", row).textContent = line.pc;
      element("span", "", row).textContent = line.text;
      row.waiting = element("span", "waiting", row);
      if (line.source) row.title = line.source;
      return row;
    });
    this.keepsHead = this.heading("What the policy keeps");
    this.keeps = element("pre", "keeps", this.section);
    this.valuesHead = this.heading("Values of the step, lane by lane");
    this.values = element("div", "values", this.section);
    this.values.tabIndex = 0;
    this.values.setAttribute("role", "region");
    this.values.setAttribute("aria-label", "Values under " + run.policy);
    this.memoryHead = this.heading("Memory");
    this.memory = element("pre", "memory", this.section);
  }

  heading(text) {
    const h = element("h3", "", this.section);
    h.textContent = text;
    return h;
  }

  canvas(label) {
    const c = element("canvas", "", this.section);
    c.setAttribute("role", "img");
    c.setAttribute("aria-label", label);
    c.addEventListener("pointerdown", (e) => this.pick(e, c));
    c.addEventListener("pointermove", (e) => { if (e.buttons === 1) this.pick(e, c); });
    return c;
  }

  // pick goes to the step under the pointer.
  pick(event, canvas) {
    const box = canvas.getBoundingClientRect();
    const at = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    this.player.choose(this.number);
    this.player.go(Math.floor(this.from(canvas) + at * this.span(canvas)));
  }

  // show shows the steps of a warp; undefined if the run has none of it.
  show(warp) {
    this.track = warp && new Track(this.run, warp);
    this.step = 0;
    this.drawnWhole = "";
    this.section.classList.toggle("none", !this.track);
  }

  // near shows this many steps, or all if there are fewer.
  static steps = 64;

  span(canvas) { return canvas === this.whole ? this.track.length : Math.min(Panel.steps, this.track.length); }

  from(canvas) {
    if (canvas === this.whole) return 0;
    return Math.max(0, Math.min(this.step - Panel.steps / 2, this.track.length - this.span(canvas)));
  }

  go(step) {
    if (this.track) this.step = Math.max(0, Math.min(step, this.track.length - 1));
  }

  // follow goes where the same instruction is issued as often as in another track.
  follow(other, step) {
    if (!this.track) return;
    const places = this.track.places[other.index[step]] || [];
    if (places.length) this.step = places[Math.min(other.seen[step], places.length - 1)];
  }

  draw() {
    const t = this.track;
    if (!t) {
      this.now.textContent = "This run has no such warp.";
      return;
    }
    const i = this.step, line = this.run.code[t.index[i]];
    this.meters.replaceChildren(...[
      ["step", `${i + 1} of ${t.length}`],
      ["mean lanes so far", (t.lanesBefore[i + 1] / (i + 1)).toFixed(2)],
      ["of all", (t.lanesBefore[t.length] / t.length).toFixed(2)],
      ["active", bits(t.active[i])],
    ].map(([name, value]) => {
      const s = element("span");
      s.append(name + " ");
      element("b", "", s).textContent = value;
      return s;
    }));
    this.now.textContent = `${line.pc}  ${line.text}`;
    if (line.source) element("span", "source", this.now).textContent = "  " + line.source;
    this.drawLanes(this.whole, t.lanes * 3);
    this.drawLanes(this.near, t.lanes * 6);
    this.drawGrid();
    this.drawCode();
    const state = t.state[i];
    this.keepsHead.hidden = this.keeps.hidden = state < 0;
    this.keeps.textContent = state < 0 ? "" : this.run.texts[state].replaceAll("), ", ")\n");
    const note = t.memory[i];
    this.memoryHead.hidden = this.memory.hidden = note < 0;
    this.memory.textContent = note < 0 ? "" : this.run.texts[note];
    this.drawValues();
  }

  // drawLanes draws lanes by steps. Of many steps in one column the share of active lanes shows.
  drawLanes(canvas, height) {
    const t = this.track, scale = devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * scale) || 300;
    const from = this.from(canvas), span = this.span(canvas), style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue("--" + name).trim();
    const key = [width, height, from, span, colour("runs")].join();
    const rows = Math.round(height * scale), g = canvas.getContext("2d");
    if (canvas.width !== width || canvas.height !== rows) {
      canvas.width = width;
      canvas.height = rows;
      canvas.style.height = height + "px";
    }
    if (canvas === this.whole && key === this.drawnWhole) {
      g.clearRect(0, 0, width, rows);
      g.drawImage(this.picture, 0, 0);
    } else {
      g.clearRect(0, 0, width, rows);
      const columns = Math.min(span, width), tall = rows / t.lanes, gap = tall > 4 * scale ? scale : 0;
      for (let c = 0; c < columns; c++) {
        const first = from + Math.floor(c * span / columns), last = from + Math.max(Math.floor((c + 1) * span / columns), Math.floor(c * span / columns) + 1);
        const x = Math.floor(c * width / columns), wide = Math.ceil(width / columns) - (width / columns > 5 * scale ? scale : 0);
        for (let l = 0; l < t.lanes; l++) {
          const kinds = {runs: 0, off: 0, vetoed: 0};
          let sampled = 0;
          for (let i = first; i < last; i += Math.max(1, Math.floor((last - first) / 16))) {
            const kind = t.kind(i, l);
            if (kind) kinds[kind]++;
            sampled++;
          }
          g.fillStyle = colour("waits");
          g.fillRect(x, Math.floor(l * tall), wide, Math.ceil(tall) - gap);
          let drawn = 0;
          for (const kind of ["runs", "off", "vetoed"]) {
            if (!kinds[kind]) continue;
            g.fillStyle = colour(kind);
            g.globalAlpha = last - first > 1 ? kinds[kind] / sampled : 1;
            g.fillRect(x, Math.floor(l * tall), wide, Math.ceil(tall) - gap);
            drawn++;
          }
          if (drawn) g.globalAlpha = 1;
        }
      }
      if (canvas === this.whole) {
        this.drawnWhole = key;
        this.picture ||= document.createElement("canvas");
        this.picture.width = width;
        this.picture.height = rows;
        this.picture.getContext("2d").drawImage(canvas, 0, 0);
      }
    }
    const x = (this.step - from) / span * width, wide = Math.max(width / span, 1);
    g.strokeStyle = colour("ink");
    g.lineWidth = 2 * scale;
    g.strokeRect(x, 0, wide, rows);
  }

  // drawGrid draws a cell for each lane.
  drawGrid() {
    const t = this.track;
    while (this.lanesOf.children.length < t.lanes) element("span", "", this.lanesOf);
    while (this.lanesOf.children.length > t.lanes) this.lanesOf.lastChild.remove();
    this.waiting = new Map(); // numbers of lanes by the instruction at which they wait
    for (let l = 0; l < t.lanes; l++) {
      const cell = this.lanesOf.children[l], kind = t.kind(this.step, l);
      let text = String(l), name = kind;
      if (!kind) {
        const next = t.next(this.step, l);
        name = next < 0 ? "ended" : "waits";
        if (next >= 0) {
          text += "\n" + this.run.code[next].pc;
          this.waiting.set(next, (this.waiting.get(next) || 0) + 1);
        }
      }
      cell.className = name;
      cell.style.whiteSpace = "pre";
      if (cell.textContent !== text) cell.textContent = text;
    }
  }

  // drawCode marks the instruction, and where lanes wait.
  drawCode() {
    const here = this.track.index[this.step];
    for (const i of this.marked || []) {
      this.rows[i].className = "";
      this.rows[i].waiting.textContent = "";
    }
    this.marked = [here, ...this.waiting.keys()];
    this.rows[here].className = "here";
    for (const [i, n] of this.waiting) this.rows[i].waiting.textContent = `${n} wait`;
    const row = this.rows[here], top = row.offsetTop - this.code.offsetTop;
    if (top < this.code.scrollTop || top + row.offsetHeight > this.code.scrollTop + this.code.clientHeight) {
      this.code.scrollTop = top - this.code.clientHeight / 2;
    }
  }

  drawValues() {
    const list = this.track.valuesAt.get(this.step) || [];
    this.valuesHead.hidden = this.values.hidden = list.length === 0;
    const table = element("table");
    for (const v of list) {
      const row = element("tr", "", table), words = v.row.filter((w) => w !== null);
      element("th", "", row).textContent = v.name;
      if (words.every((w) => w === words[0])) {
        element("td", "", row).textContent = words[0].toString(16) + (words.length > 1 ? ` in ${words.length} lanes` : "");
        continue;
      }
      for (const w of v.row) element("td", "", row).textContent = w === null ? "." : w.toString(16);
    }
    this.values.replaceChildren(table);
  }
}

// Player moves the panels.
class Player {
  constructor(runs) {
    this.panels = runs.map((run, i) => new Panel(run, i, this));
    this.chosen = 0;
    const names = [...new Set(runs.flatMap((run) => run.warps.map((w) => w.name)))];
    for (const name of names) byID("warp").append(new Option(name));
    byID("warp").addEventListener("change", () => this.open(byID("warp").value));
    byID("first").addEventListener("click", () => this.go(0));
    byID("last").addEventListener("click", () => this.go(Infinity));
    byID("back").addEventListener("click", () => this.move(-1));
    byID("forth").addEventListener("click", () => this.move(1));
    byID("part").addEventListener("click", () => this.change(1));
    byID("play").addEventListener("click", () => this.play(!this.timer));
    byID("speed").addEventListener("change", () => { if (this.timer) this.play(true); });
    byID("follow").addEventListener("change", () => this.go(this.panel.step));
    byID("scrub").addEventListener("input", () => this.go(Number(byID("scrub").value)));
    addEventListener("keydown", (e) => this.key(e));
    addEventListener("resize", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.open(names[0]);
  }

  get panel() { return this.panels[this.chosen]; }

  // open shows a warp of each run, from its first change of lanes on.
  open(name) {
    for (const p of this.panels) p.show(p.run.warps.find((w) => w.name === name));
    if (!this.panel.track) this.chosen = this.panels.findIndex((p) => p.track);
    const changes = this.panel.track.changes;
    this.go(changes.length ? changes[0] : 0);
  }

  choose(number) {
    if (number === this.chosen || !this.panels[number]?.track) return;
    this.chosen = number;
    this.draw();
  }

  go(step) {
    this.panel.go(step);
    const {track, step: at} = this.panel;
    for (const p of this.panels) {
      if (p === this.panel) continue;
      if (byID("follow").value === "pc") p.follow(track, at);
      else p.go(at);
    }
    this.draw();
  }

  move(by) { this.go(this.panel.step + by); }

  // change goes to the next change of lanes, or back to the one before.
  change(direction) {
    const {track, step} = this.panel;
    const to = direction > 0 ? track.changes.find((i) => i > step) : track.changes.findLast((i) => i < step);
    if (to !== undefined) this.go(to);
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = undefined;
    byID("play").textContent = on ? "Pause" : "Play";
    if (!on) return;
    this.timer = setInterval(() => {
      if (this.panel.step >= this.panel.track.length - 1) this.play(false);
      else this.move(1);
    }, 1000 / Number(byID("speed").value));
  }

  key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey || e.target.tagName === "SELECT") return;
    const onButton = e.target.tagName === "BUTTON";
    const onScrub = e.target.tagName === "INPUT";
    const actions = {
      ArrowRight: () => this.move(e.shiftKey ? 10 : 1), ArrowLeft: () => this.move(e.shiftKey ? -10 : -1),
      Home: () => this.go(0), End: () => this.go(Infinity), n: () => this.change(1), p: () => this.change(-1),
      " ": () => this.play(!this.timer),
    };
    for (let i = 0; i < this.panels.length; i++) actions[i + 1] = () => this.choose(i);
    if (!actions[e.key] || (onButton && e.key === " ") || (onScrub && e.key.startsWith("Arrow") && !e.shiftKey)) return;
    e.preventDefault();
    actions[e.key]();
  }

  draw() {
    byID("scrub").max = this.panel.track.length - 1;
    byID("scrub").value = this.panel.step;
    for (const p of this.panels) {
      p.section.classList.toggle("moved", p === this.panel && this.panels.length > 1);
      p.draw();
    }
  }
}

const player = new Player(JSON.parse(byID("data").textContent));
