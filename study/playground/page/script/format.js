// Numbers and elements.

export const $ = id => document.getElementById(id);

// element makes an element with properties and children.
export function element(name, properties, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (key.includes("-") || key === "scope" || key === "colspan") e.setAttribute(key, value);
    else e[key] = value;
  }
  e.append(...children);
  return e;
}

export const count = n => n.toLocaleString("en-US");
export const mean = x => x.toFixed(2);

// words is a buffer's content as 32-bit words.
export function words(base64) {
  const raw = atob(base64), bytes = new Uint8Array(raw.length + 3 & ~3);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Uint32Array(bytes.buffer);
}

// fromHex is the words of a text of a test: three dots at its end repeat those before them.
export function fromHex(text, n) {
  const list = (text ?? "").trim().split(/\s+/).filter(w => w !== ""), some = list.at(-1) === "..." ? list.slice(0, -1) : list;
  return Uint32Array.from({length: n}, (_, i) => parseInt(some[i % Math.max(some.length, 1)] ?? "0", 16) >>> 0);
}

const scratch = new DataView(new ArrayBuffer(8));

// word shows a word.
export function word(w, format) {
  switch (format) {
  case "i32": return String(w | 0);
  case "x32": return w.toString(16).padStart(8, "0");
  case "f32":
    scratch.setUint32(0, w);
    return String(Number(scratch.getFloat32(0).toPrecision(7)));
  }
  return String(w >>> 0);
}

// toValue is a number as a value of so many bytes in a test: an integer, hexadecimal, or with a point
// or exponent the bits of a floating-point number. null if it is none.
export function toValue(text, size) {
  text = text.trim();
  let bits;
  if (/^-?(0x[0-9a-f]+|\d+)$/i.test(text)) {
    bits = text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text);
    const limit = 1n << BigInt(8 * size);
    if (bits >= limit || bits < -limit / 2n) return null;
  } else if (/^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) && size >= 4) {
    scratch.setBigUint64(0, 0n);
    if (size === 4) scratch.setFloat32(4, Number(text));
    else scratch.setFloat64(0, Number(text));
    bits = scratch.getBigUint64(0);
  } else return null;
  return "0x" + BigInt.asUintN(8 * size, bits).toString(16).padStart(2 * size, "0");
}
