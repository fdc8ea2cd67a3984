function element(tag, name, parent) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  if (parent) parent.append(e);
  return e;
}

// Colours are those of the legend, which follow the page's colour scheme.
class Colours {
  constructor(root) {
    for (const name of ["runs", "off", "vetoed", "waits"]) {
      this[name] = getComputedStyle(root.querySelector(".cell." + name)).backgroundColor;
    }
    this.ink = getComputedStyle(root).color;
  }
}

// Lanes is a picture of lanes by steps.
class Lanes {
  constructor(parent, label, height, pick, wheel) {
    this.canvas = element("canvas", "", parent);
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
    this.height = height; // of a lane
    const at = (e) => {
      const box = this.canvas.getBoundingClientRect();
      pick(this.from + Math.floor(Math.max(0, Math.min(0.999999, (e.clientX - box.left) / box.width)) * this.span));
    };
    this.canvas.addEventListener("pointerdown", at);
    this.canvas.addEventListener("pointermove", (e) => { if (e.buttons === 1) at(e); });
    this.canvas.addEventListener("wheel", (e) => {
      const by = Math.abs(e.deltaX) > Math.abs(e.deltaY) ? e.deltaX : e.shiftKey ? e.deltaY : 0;
      if (!by) return; // the page scrolls
      e.preventDefault();
      wheel(by / this.canvas.clientWidth * this.span);
    }, {passive: false});
  }

  // draw draws span steps of a track, and marks one. The picture without the mark is kept.
  draw(track, from, span, step, colours) {
    const scale = devicePixelRatio || 1, width = Math.round(this.canvas.clientWidth * scale) || 300;
    const height = Math.round(this.height * track.lanes * scale);
    Object.assign(this, {from, span});
    const whole = span === track.length && track.long;
    if (!whole && track.need(from, from + span)) return; // the picture before stays until the steps are there
    const key = [width, height, from, span, ...Object.values(colours)].join();
    if (this.drawn !== track || this.key !== key) {
      this.picture ||= document.createElement("canvas");
      this.picture.width = width;
      this.picture.height = height;
      const g = this.picture.getContext("2d");
      if (whole) this.bins(g, track, width, height, colours);
      else this.steps(g, track, width, height, colours, scale);
      this.drawn = track;
      this.key = key;
    }
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.canvas.style.height = height / scale + "px";
    }
    const g = this.canvas.getContext("2d");
    g.clearRect(0, 0, width, height);
    g.drawImage(this.picture, 0, 0);
    g.strokeStyle = colours.ink;
    g.lineWidth = 2 * scale;
    g.strokeRect((step - from) / span * width, 0, Math.max(width / span, 1), height);
  }

  // steps draws steps. Of many in one column the share of each kind shows.
  steps(g, track, width, height, colours, scale) {
    const {from, span} = this, columns = Math.min(span, width), tall = height / track.lanes, gap = tall > 4 * scale ? scale : 0;
    for (let c = 0; c < columns; c++) {
      const first = from + Math.floor(c * span / columns), last = Math.max(from + Math.floor((c + 1) * span / columns), first + 1);
      const x = Math.floor(c * width / columns), wide = Math.ceil(width / columns) - (width / columns > 5 * scale ? scale : 0);
      const every = Math.max(1, Math.floor((last - first) / 16));
      for (let l = 0; l < track.lanes; l++) {
        const kinds = {runs: 0, off: 0, vetoed: 0};
        let sampled = 0;
        for (let i = first; i < last; i += every, sampled++) {
          const kind = track.kind(i, l);
          if (kind) kinds[kind]++;
        }
        const y = Math.floor(l * tall), deep = Math.ceil(tall) - gap;
        g.fillStyle = colours.waits;
        g.fillRect(x, y, wide, deep);
        for (const kind in kinds) {
          if (!kinds[kind]) continue;
          g.fillStyle = colours[kind];
          g.globalAlpha = kinds[kind] / sampled;
          g.fillRect(x, y, wide, deep);
        }
        g.globalAlpha = 1;
      }
    }
  }

  // bins draws the overview of a long track.
  bins(g, track, width, height, colours) {
    g.fillStyle = colours.waits;
    g.fillRect(0, 0, width, height);
    g.fillStyle = colours.runs;
    const {bins, length} = track, tall = height / track.lanes, columns = Math.min(width, bins.length);
    const sums = new Float64Array(32);
    for (let c = 0; c < columns; c++) {
      const first = Math.floor(c * bins.length / columns), last = Math.max(Math.floor((c + 1) * bins.length / columns), first + 1);
      let steps = 0;
      sums.fill(0);
      for (let b = first; b < last; b++) {
        steps += bins[b].steps;
        for (let l = 0; l < track.lanes; l++) sums[l] += bins[b].lanes[l];
      }
      const x = Math.floor(bins[first].from / length * width), wide = Math.max(1, Math.ceil((bins[last - 1].from + bins[last - 1].steps) / length * width) - x);
      for (let l = 0; l < track.lanes; l++) {
        if (!sums[l]) continue;
        g.globalAlpha = sums[l] / steps;
        g.fillRect(x, Math.floor(l * tall), wide, Math.ceil(tall));
      }
    }
    g.globalAlpha = 1;
  }
}
