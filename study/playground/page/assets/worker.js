// The worker's own part: the first message brings the program, compressed or compiled; the program
// takes over onmessage, and messages wait until it has. fs is replaced so that output of the Go
// runtime reaches the console.
const waiting = [];
self.onmessage = e => {
  if (e.data[0] !== "begin") {
    waiting.push(e);
    return;
  }
  begin(e.data[1]).catch(error => postMessage(["failed", String(error)]));
};

async function begin(wasm) {
  const go = new Go();
  if (typeof wasm === "string") {
    const stream = new Blob([bytes(wasm)]).stream().pipeThrough(new DecompressionStream("gzip"));
    wasm = await WebAssembly.compileStreaming(new Response(stream, {headers: {"Content-Type": "application/wasm"}}));
    postMessage(["module", wasm]);
  }
  const instance = await WebAssembly.instantiate(wasm, go.importObject);
  const ended = go.run(instance).then(() => postMessage(["failed", "the simulator has ended"]));
  while (waiting.length > 0) self.onmessage(waiting.shift()); // main has set onmessage
  await ended;
}

function bytes(text) {
  const raw = atob(text), out = new Uint8Array(raw.length);
  for (let i = 0; i < out.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}
