"use strict";
{

// Cursor reads numbers from bytes, as Go's encoding/binary writes them, and rows of piece.go.
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
    if (kind < 2) this.at += 4 * (kind + 1);
    else for (; lanes; lanes &= lanes - 1) this.at += 4;
  }

  text() {
    const length = this.uvarint(), from = this.at;
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(from, this.at));
  }
}

// inflated returns the bytes of an element.
async function inflated(id) {
  const text = atob(document.getElementById(id).textContent), packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

globalThis.jacquard = {Cursor, inflated};
}
