// A link carries the whole state: JSON, deflated, in the letters of base64 for addresses.

export async function toLink(state) {
  const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const b of packed) text += String.fromCharCode(b);
  return "s=" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// fromLink returns the state of a fragment, or null if it has none. A damaged link is an error.
export async function fromLink(fragment) {
  const found = /^#s=([\w-]+)$/.exec(fragment);
  if (!found) return null;
  try {
    const raw = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    const stream = new Blob([Uint8Array.from(raw, c => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const state = JSON.parse(await new Response(stream).text());
    if (typeof state.text !== "string" || !Array.isArray(state.policies) || typeof state.test !== "object") throw new Error("no state");
    return state;
  } catch {
    throw new Error("The link is damaged: it holds no kernel.");
  }
}
