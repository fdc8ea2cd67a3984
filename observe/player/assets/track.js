const {Cursor, inflated} = jacquard;

// bits counts the lanes of a mask.
function bits(m) {
  m -= m >>> 1 & 0x55555555;
  m = (m & 0x33333333) + (m >>> 2 & 0x33333333);
  return Math.imul((m + (m >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

// json returns the data of an element.
const json = (id) => JSON.parse(document.getElementById(id).textContent);

// Cache keeps the last few promises that make returns, by key.
class Cache {
  constructor(most, make) {
    this.most = most;
    this.make = make;
    this.all = new Map();
  }

  get(key) {
    const found = this.all.get(key) || this.make(key);
    this.all.delete(key);
    this.all.set(key, found); // the last used is at the end
    if (this.all.size > this.most) this.all.delete(this.all.keys().next().value);
    return found;
  }
}

const binSteps = 128;

// Run is a trace: its code, its warps, and its chunks, of which a few are inflated at a time.
class Run {
  constructor(id) {
    this.id = id;
    Object.assign(this, json(id + "-head"));
    this.chunk = new Cache(6, (n) => inflated(`${id}-${n}`));
    this.lines = new Map(this.code.map((line, i) => [line.pc, i]));
  }

  // open reads the index.
  async open() {
    const c = new Cursor(await inflated(this.id + "-index"));
    this.warps = [];
    for (let block = 0; c.left;) {
      block += c.uvarint();
      const w = {block, number: c.uvarint(), lanes: c.uvarint(), steps: c.uvarint(), sum: c.uvarint(), change: c.uvarint() - 1};
      const count = c.uvarint();
      w.places = c.at; // read when it is shown
      for (let i = 0; i < 4 * count; i++) c.uvarint();
      w.overview = c.uvarint();
      w.count = count;
      c.at += w.overview;
      this.warps.push(w);
    }
    this.index = c.bytes;
    return this;
  }

  find(block, number) { return this.warps.find((w) => w.block === block && w.number === number); }
}

// Track is a warp of a run.
class Track {
  constructor(run, warp) {
    this.run = run;
    this.lanes = warp.lanes;
    this.length = warp.steps;
    this.sum = warp.sum;
    this.change = warp.change;
    this.read(new Cursor(run.index, warp.places), warp);
    this.loaded = new Map(); // pieces that can be shown at once, the last used at the end
    this.loads = new Map();
  }

  // read reads where the pieces are, and the overview.
  read(c, warp) {
    this.pieces = [];
    for (let i = 0, chunk = 0, from = 0, time = 0; i < warp.count; i++) {
      chunk += c.uvarint();
      const p = {chunk, at: c.uvarint(), from, steps: c.uvarint(), before: 0};
      from += p.steps;
      p.time = time += c.uvarint();
      this.pieces.push(p);
    }
    this.bins = [];
    if (!c.uvarint()) return;
    let sum = 0;
    const counts = new Map();
    for (const p of this.pieces) {
      p.before = sum;
      sum += c.uvarint();
      p.changes = c.uvarint();
      p.first = [];
      for (let l = 0; l < 32; l++) p.first.push(c.uvarint() - 1);
      p.counts = new Map();
      p.seen = new Map(); // steps by instruction before the piece
      for (let n = c.uvarint(), i = 0; n > 0; n--) {
        i += c.uvarint();
        const count = c.uvarint();
        p.counts.set(i, count);
        p.seen.set(i, counts.get(i) || 0);
        counts.set(i, (counts.get(i) || 0) + count);
      }
      for (let at = 0; at < p.steps; at += binSteps) {
        this.bins.push({from: p.from + at, steps: Math.min(binSteps, p.steps - at), lanes: c.bytes.subarray(c.at, c.at + 32)});
        c.at += 32;
      }
    }
  }

  // long tells that the overview is drawn instead of all steps.
  get long() { return this.pieces.length > 12; }

  // pieceOf returns the number of the piece that has a step.
  pieceOf(step) {
    let low = 0, high = this.pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.pieces[middle].from <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // at returns the piece that has a step, if it is loaded.
  at(step) {
    if (this.latest && step >= this.latest.from && step < this.latest.to) return this.latest;
    return this.latest = this.loaded.get(this.pieceOf(step));
  }

  // load loads a piece by its number.
  async load(n) {
    const had = this.loaded.get(n);
    if (had) {
      this.loaded.delete(n);
      this.loaded.set(n, had);
      return had;
    }
    if (!this.loads.has(n)) {
      this.loads.set(n, this.run.chunk.get(this.pieces[n].chunk).then((bytes) => {
        const piece = new Piece(this, n, bytes);
        this.loads.delete(n);
        this.loaded.set(n, piece);
        if (this.loaded.size > 16) this.loaded.delete(this.loaded.keys().next().value);
        return piece;
      }));
    }
    return this.loads.get(n);
  }

  // need loads the pieces that have steps; it returns undefined if they are there.
  need(from, to) {
    const missing = [];
    for (let n = this.pieceOf(from); n < this.pieces.length && this.pieces[n].from < to; n++) {
      if (!this.loaded.has(n)) missing.push(this.load(n));
    }
    return missing.length ? Promise.all(missing) : undefined;
  }

  // kind is what a lane does in a step: runs, off, vetoed or "".
  kind(step, lane) {
    const p = this.at(step);
    if (!p) return "";
    const i = step - p.from;
    if (!(p.active[i] >>> lane & 1)) return "";
    if (p.flags[i] & 4) return "vetoed";
    return p.executed[i] >>> lane & 1 || this.run.code[p.index[i]].decides ? "runs" : "off";
  }

  // next is the instruction at which a lane goes on at or after a step, -1 if it does not.
  next(step, lane) {
    const p = this.at(step);
    for (let i = step - p.from; i < p.steps; i++) if (p.active[i] >>> lane & 1) return p.index[i];
    for (let n = p.number + 1; n < this.pieces.length; n++) if (this.pieces[n].first[lane] >= 0) return this.pieces[n].first[lane];
    return -1;
  }

  // search returns the first step after (or, backward, before) a step that a piece's test accepts, -1
  // without one. may says of a piece whether one of its steps can be accepted.
  async search(step, direction, test, may) {
    for (let n = this.pieceOf(step); n >= 0 && n < this.pieces.length; n += direction) {
      if (this.pieces.length > 1 && !may(this.pieces[n])) continue;
      const p = await this.load(n);
      let i = direction > 0 ? Math.max(step + 1 - p.from, 0) : Math.min(step - 1 - p.from, p.steps - 1);
      for (; i >= 0 && i < p.steps; i += direction) if (test(p, i)) return p.from + i;
    }
    return -1;
  }

  // changed searches a step whose lanes are not those of the step before.
  changed(step, direction) { return this.search(step, direction, (p, i) => p.changed(i), (p) => p.changes > 0); }

  // issue searches a step of one of some instructions.
  issue(step, direction, wanted) {
    const may = (p) => {
      for (const i of p.counts.keys()) if (wanted(i)) return true;
      return false;
    };
    return this.search(step, direction, (p, i) => wanted(p.index[i]), may);
  }

  // when returns the first step that is issued in a round or after it.
  async when(time) {
    const n = Math.max(0, this.pieces.findLastIndex((p) => p.time <= time)), p = await this.load(n);
    const i = p.time.findIndex((t) => t >= time);
    return i < 0 ? p.to : p.from + i;
  }

  // seen counts the steps of a step's instruction before it.
  seen(step) {
    const p = this.at(step), at = p.index[step - p.from];
    let n = this.pieces[p.number].seen?.get(at) || 0;
    for (let i = 0; i < step - p.from; i++) if (p.index[i] === at) n++;
    return n;
  }

  // place returns step number n of an instruction, or the last if there are fewer; -1 without any.
  async place(index, n) {
    const have = (p) => p.counts?.get(index) || 0;
    let found = this.pieces.length === 1 ? 0 : this.pieces.findIndex((p) => have(p) && p.seen.get(index) + have(p) > n);
    if (found < 0) found = this.pieces.findLastIndex(have);
    if (found < 0) return -1;
    const p = await this.load(found);
    let step = -1;
    for (let i = 0, left = n - (this.pieces[found].seen?.get(index) || 0); i < p.steps && left >= 0; i++) {
      if (p.index[i] !== index) continue;
      step = p.from + i;
      left--;
    }
    return step;
  }
}

// Piece is some steps of a track, each list with an entry per step.
class Piece {
  constructor(track, number, bytes) {
    const {at, from, steps, before} = track.pieces[number];
    Object.assign(this, {track, number, from, steps, to: from + steps});
    this.flags = new Uint8Array(steps);
    this.active = new Uint32Array(steps);
    this.executed = new Uint32Array(steps);
    this.index = new Int32Array(steps);
    this.time = new Float64Array(steps);
    this.state = new Int32Array(steps); // of texts, -1 if it was not recorded
    this.memory = new Int32Array(steps); // of texts, -1 without an access
    this.places = new Int32Array(steps); // of values in bytes, 0 without
    this.lanesBefore = new Float64Array(steps + 1); // sum of the active lanes of the steps before
    this.lanesBefore[0] = before;
    this.bytes = bytes;
    const c = new Cursor(bytes, at);
    this.first = c.word(); // the active lanes before the piece
    this.known = new Map(); // registers before the piece, by name
    for (let n = c.uvarint(); n > 0; n--) {
      const name = track.run.names[c.uvarint()], since = c.uvarint(), lanes = c.word();
      this.known.set(name, {since, lanes, row: c.row(lanes)});
    }
    for (let i = 0; i < steps; i++) this.step(c, i);
    this.texts = JSON.parse(c.text());
  }

  // step reads step i.
  step(c, i) {
    const f = this.flags[i] = c.byte();
    this.active[i] = f & 1 ? this.active[i - 1] : c.word();
    this.executed[i] = f & 2 ? this.active[i] : c.word();
    this.time[i] = (i ? this.time[i - 1] : 0) + (f & 8 ? 1 : c.uvarint());
    this.index[i] = f & 16 ? this.index[i - 1] + 1 : c.uvarint();
    this.state[i] = f & 32 ? this.state[i - 1] : c.uvarint() - 1;
    this.memory[i] = f & 128 ? c.uvarint() : -1;
    this.lanesBefore[i + 1] = this.lanesBefore[i] + bits(this.active[i]);
    if (!(f & 64)) return;
    this.places[i] = c.at;
    for (let n = c.uvarint(); n > 0; n--) {
      c.uvarint();
      c.skipRow(this.executed[i]);
    }
  }

  changed(i) { return this.active[i] !== (i ? this.active[i - 1] : this.first); }

  // values returns the values of step i by name.
  values(i) {
    const list = [];
    if (!this.places[i]) return list;
    const c = new Cursor(this.bytes, this.places[i]);
    for (let n = c.uvarint(); n > 0; n--) {
      const name = this.track.run.names[c.uvarint()];
      list.push({name, lanes: this.executed[i], row: c.row(this.executed[i])});
    }
    return list;
  }

  // register returns what is known of a register before step i: its value by lane, and the step that
  // wrote it last; undefined if nothing is.
  register(name, i) {
    this.rows ||= this.rowsByName();
    const row = [], rows = this.rows.get(name) || [];
    let left = -1, since = -1;
    for (let k = rows.findLastIndex((r) => r.step < i); k >= 0 && left; k--) {
      const {step, at} = rows[k], lanes = this.executed[step] & left;
      if (!lanes) continue;
      if (since < 0) since = this.from + step;
      const words = new Cursor(this.bytes, at).row(this.executed[step]);
      for (let l = 0; l < 32; l++) if (lanes >>> l & 1) row[l] = words[l];
      left &= ~lanes;
    }
    const old = this.known.get(name);
    if (old && old.lanes & left) {
      if (since < 0) since = old.since;
      for (let l = 0; l < 32; l++) if (old.lanes & left & 1 << l) row[l] = old.row[l];
    }
    return since < 0 ? undefined : {since, row};
  }

  // rowsByName lists where the values of each register are: those written, and those stored to memory.
  rowsByName() {
    const all = new Map(), {names} = this.track.run;
    for (let step = 0; step < this.steps; step++) {
      if (!this.places[step]) continue;
      const c = new Cursor(this.bytes, this.places[step]);
      for (let n = c.uvarint(); n > 0; n--) {
        const name = names[c.uvarint()].replace("data ", "");
        if (!all.has(name)) all.set(name, []);
        all.get(name).push({step, at: c.at});
        c.skipRow(this.executed[step]);
      }
    }
    return all;
  }
}
