// Player moves the panels.
class Player {
  constructor(root, plays) {
    this.root = root;
    this.plays = plays;
    this.jobs = 0; // under way: tests wait for none
    this.queue = Promise.resolve();
    const on = (name, event, act) => this.control(name).addEventListener(event, act);
    plays.forEach((play, i) => this.control("play").append(new Option(play.title, i)));
    root.querySelector(".plays").hidden = plays.length < 2;
    on("play", "change", () => this.open(this.control("play").value));
    on("block", "change", () => { this.listWarps(); this.show(); });
    on("warp", "change", () => this.show());
    on("first", "click", () => this.go(0));
    on("last", "click", () => this.go(Infinity));
    on("back", "click", () => this.move(-1));
    on("forth", "click", () => this.move(1));
    on("change", "click", () => this.change(1));
    on("run", "click", () => this.play(!this.timer));
    on("speed", "change", () => { if (this.timer) this.play(true); });
    on("follow", "change", () => this.go(this.panel.step));
    on("scrub", "input", () => this.go(Number(this.control("scrub").value)));
    on("pc", "change", () => this.only());
    root.addEventListener("keydown", (e) => this.key(e));
    new ResizeObserver(() => this.draw()).observe(root);
    const recolour = () => { this.colours = undefined; this.draw(); };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
    new MutationObserver(recolour).observe(document.documentElement, {attributeFilter: ["data-theme"]});
    this.open(0);
  }

  control(name) { return this.root.querySelector(`[name=${name}]`); }

  get panel() { return this.panels[this.chosen]; }

  // job runs a function after those before it, and counts it.
  job(act) {
    this.jobs++;
    this.queue = this.queue.then(act).finally(() => { this.jobs--; });
    return this.queue;
  }

  // open opens the runs of a play, at the first warp whose lanes part.
  open(number) {
    this.play(false);
    this.panels = [];
    return this.job(async () => {
      this.runs = await Promise.all(this.plays[number].runs.map((id) => new Run(id).open()));
      this.root.querySelector(".panels").replaceChildren();
      this.panels = this.runs.map((run, i) => new Panel(run, i, this));
      this.root.querySelector(".follows").hidden = this.runs.length < 2;
      this.chosen = 0;
      const grid = this.runs[0].grid, blocks = [...new Set(this.runs.flatMap((run) => run.warps.map((w) => w.block)))].sort((a, b) => a - b);
      this.control("block").replaceChildren(...blocks.map((b) => new Option(`(${b % grid[0]},${Math.floor(b / grid[0])})`, b)));
      const first = this.runs[0].warps.find((w) => w.change >= 0) || this.runs[0].warps[0];
      this.control("block").value = first.block;
      this.listWarps(first.number);
      this.shown();
    });
  }

  // listWarps offers the warps of the chosen block.
  listWarps(chosen) {
    const block = Number(this.control("block").value);
    const list = [...new Set(this.runs.flatMap((run) => run.warps.filter((w) => w.block === block).map((w) => w.number)))].sort((a, b) => a - b);
    this.control("warp").replaceChildren(...list.map((n) => new Option(n, n)));
    if (chosen !== undefined) this.control("warp").value = chosen;
  }

  show() { return this.job(() => this.shown()); }

  // visit shows a warp of a play at a round.
  visit(play, block, warp, time) {
    if (this.control("play").value !== String(play)) {
      this.control("play").value = play;
      this.open(play);
    }
    this.job(async () => {
      this.control("block").value = block;
      this.listWarps(warp);
      this.shown();
      this.go(await this.panel.track.when(time));
    });
  }

  // shown shows the chosen warp of each run, where its lanes change first.
  shown() {
    const block = Number(this.control("block").value), number = Number(this.control("warp").value);
    for (const p of this.panels) p.show(p.run.find(block, number));
    if (!this.panel.track) this.chosen = this.panels.findIndex((p) => p.track);
    this.go(Math.max(0, this.panel.track.change));
  }

  choose(number) {
    if (number === this.chosen || !this.panels[number]?.track) return;
    this.chosen = number;
    this.draw();
  }

  // go goes to a step, and the other panels follow.
  go(step) {
    if (!this.panel?.track) return;
    this.panel.go(step);
    if (this.control("follow").value === "pc" && this.panels.length > 1) {
      this.job(() => this.follow());
    } else {
      for (const p of this.panels) p.go(this.panel.step);
    }
    this.draw();
  }

  // follow brings the other panels to where the instruction is issued as often.
  async follow() {
    const {track, step} = this.panel;
    await track.need(step, step + 1);
    const n = track.seen(step), p = track.at(step), index = p.index[step - p.from];
    for (const other of this.panels) {
      if (other === this.panel || !other.track) continue;
      const to = await other.track.place(index, n);
      if (to >= 0) other.go(to);
    }
    this.draw();
  }

  // move goes that many steps on, or that many of those that the filter leaves.
  move(by) {
    if (!this.wanted) return this.go(this.panel.step + by);
    for (let n = Math.abs(by); n > 0; n--) this.issue(Math.sign(by), this.wanted);
  }

  // wheel moves by a part of a step, too.
  wheel(by) {
    this.rest = (this.rest || 0) + by;
    const whole = Math.trunc(this.rest);
    this.rest -= whole;
    if (whole) this.go(this.panel.step + whole);
  }

  // jump goes to a step that is searched for.
  jump(search) {
    this.job(async () => {
      const to = await search(this.panel.track, this.panel.step);
      if (to >= 0) this.go(to);
    });
  }

  // change goes to the next change of lanes, or back to the one before.
  change(direction) { this.jump((track, step) => track.changed(step, direction)); }

  // issue goes to the next step of wanted instructions, or back to the one before.
  issue(direction, wanted) { this.jump((track, step) => track.issue(step, direction, wanted)); }

  // same goes to the next step of the instruction.
  same(direction) {
    const {track, step} = this.panel, p = track.at(step);
    if (p) this.issue(direction, (index) => index === p.index[step - p.from]);
  }

  // only takes the filter by pc: two addresses at most, in hexadecimal.
  only() {
    const input = this.control("pc"), range = input.value.trim().split("-").map((part) => parseInt(part, 16));
    const bad = input.value.trim() && (range.length > 2 || range.some(Number.isNaN));
    input.setCustomValidity(bad ? "Want an address as 00c8, or two as 00c8-0140." : "");
    if (bad) return void input.reportValidity();
    const [first, last = first] = range, pcs = this.runs[0].code.map((line) => parseInt(line.pc, 16));
    this.wanted = input.value.trim() ? (index) => pcs[index] >= first && pcs[index] <= last : undefined;
    if (this.wanted) this.jump((track, step) => track.issue(step - 1, 1, this.wanted));
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = undefined;
    this.control("run").textContent = on ? "Pause" : "Play";
    if (!on) return;
    this.timer = setInterval(() => {
      if (this.panel.step >= this.panel.track.length - 1) this.play(false);
      else if (this.jobs < 2) this.move(1);
    }, 1000 / Number(this.control("speed").value));
  }

  // zoom shows more or fewer steps around this one.
  zoom(by) {
    for (const p of this.panels) p.around = Math.max(16, Math.min(2048, p.around * by));
    this.draw();
  }

  key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey || e.target.tagName === "SELECT" || e.target.name === "pc" || !this.panel?.track) return;
    const onScrub = e.target.name === "scrub";
    const actions = {
      ArrowRight: () => this.move(e.shiftKey ? 10 : 1), ArrowLeft: () => this.move(e.shiftKey ? -10 : -1),
      Home: () => this.go(0), End: () => this.go(Infinity), n: () => this.change(1), p: () => this.change(-1),
      f: () => this.same(1), b: () => this.same(-1), "+": () => this.zoom(0.5), "-": () => this.zoom(2),
      " ": () => this.play(!this.timer),
    };
    for (let i = 0; i < this.panels.length; i++) actions[i + 1] = () => this.choose(i);
    if (!actions[e.key] || (e.target.tagName === "BUTTON" && e.key === " ") || (onScrub && e.key.startsWith("Arrow") && !e.shiftKey && !this.wanted)) return;
    e.preventDefault();
    actions[e.key]();
  }

  // draw draws the panels at the next frame, and again when what they need is loaded.
  draw() {
    if (this.frame) return;
    this.jobs++;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.jobs--;
      this.paint();
    });
  }

  paint() {
    if (!this.panel?.track || !this.root.clientWidth) return; // nothing is open, or it is not shown
    this.control("scrub").max = this.panel.track.length - 1;
    this.control("scrub").value = this.panel.step;
    this.colours ||= new Colours(this.root);
    const loads = [];
    for (const p of this.panels) {
      p.section.classList.toggle("moved", p === this.panel && this.panels.length > 1);
      const load = p.draw(this.colours);
      if (!load) continue;
      loads.push(load);
      if (!this.loading) p.asked = p.step;
    }
    if (!loads.length || this.loading) return;
    this.loading = true;
    this.jobs++;
    Promise.all(loads).finally(() => {
      this.loading = false;
      this.jobs--;
      this.draw();
    });
  }
}

globalThis.player = new Player(document.querySelector(".player"), json("plays"));
