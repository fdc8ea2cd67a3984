// Cursor reads what piece.go and index.go write.
class Cursor {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get left() { return this.at < this.bytes.length; }

  byte() { return this.bytes[this.at++]; }

  // uvarint reads a number below 2**53.
  uvarint() {
    let n = 0, scale = 1;
    for (;;) {
      const b = this.bytes[this.at++];
      if (b < 128) return n + b * scale;
      n += (b - 128) * scale;
      scale *= 128;
    }
  }

  word() {
    const b = this.bytes, at = this.at;
    this.at += 4;
    return (b[at] | b[at + 1] << 8 | b[at + 2] << 16 | b[at + 3] << 24) >>> 0;
  }

  // row reads the values of some lanes, undefined for the others.
  row(lanes) {
    const row = [], kind = this.byte();
    const base = kind === 2 ? 0 : this.word(), stride = kind === 1 ? this.word() : 0;
    for (let l = 0; l < 32; l++) {
      if (lanes >>> l & 1) row[l] = kind === 2 ? this.word() : (base + Math.imul(l, stride)) >>> 0;
    }
    return row;
  }

  // skipRow passes over a row.
  skipRow(lanes) {
    const kind = this.byte();
    this.at += kind === 2 ? 4 * bits(lanes) : 4 * (kind + 1);
  }

  text() {
    const length = this.uvarint(), from = this.at;
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(from, this.at));
  }
}

// bits counts the lanes of a mask.
function bits(m) {
  m -= m >>> 1 & 0x55555555;
  m = (m & 0x33333333) + (m >>> 2 & 0x33333333);
  return Math.imul((m + (m >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

// json returns the data of an element.
const json = (id) => JSON.parse(document.getElementById(id).textContent);

// inflated returns the bytes of an element.
async function inflated(id) {
  const text = atob(document.getElementById(id).textContent), packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

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
