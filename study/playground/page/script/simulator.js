// The simulator in a worker. A run is stopped by ending the worker; the next one begins a new worker
// with the code that is already compiled.

// Stopped is what requests of an ended worker answer.
export class Stopped extends Error {}

export class Simulator {
  constructor() {
    this.waiting = new Map();
    this.number = 0;
    this.ready = new Promise((resolve, reject) => Object.assign(this, {began: resolve, failed: reject}));
    this.begin();
  }

  begin() {
    if (!globalThis.jacquardCode) {
      this.failed(new Error("simulator.js is missing"));
      return;
    }
    const {exec, glue, wasm} = globalThis.jacquardCode;
    this.code ??= URL.createObjectURL(new Blob([exec, "\n", glue], {type: "text/javascript"}));
    const worker = new Worker(this.code);
    this.worker = worker;
    worker.onmessage = e => {
      const [number, answer] = e.data;
      if (number === "module") this.module = answer;
      else if (number === "failed") this.broke(new Error(answer));
      else if (number === 0) {
        this.works = true;
        this.began(JSON.parse(answer).value);
      } else this.answer(number, JSON.parse(answer));
    };
    worker.onerror = e => { e.preventDefault(); this.broke(new Error(e.message)); };
    worker.postMessage(["begin", this.module ?? wasm]);
  }

  answer(number, {value, error}) {
    const request = this.waiting.get(number);
    this.waiting.delete(number);
    if (error === undefined) request?.resolve(value);
    else request?.reject(new Error(error));
  }

  // broke is called when the worker has ended by itself. One that has never worked is not begun again.
  broke(error) {
    this.fail(error);
    this.failed(error);
    if (!this.works) return;
    this.works = false;
    this.worker.terminate();
    this.begin();
  }

  fail(error) {
    for (const r of this.waiting.values()) r.reject(error);
    this.waiting.clear();
  }

  // ask sends a request and returns a promise of the answer.
  ask(word, state) {
    const number = ++this.number;
    this.worker.postMessage([number, word, JSON.stringify(state)]);
    return new Promise((resolve, reject) => this.waiting.set(number, {resolve, reject}));
  }

  // stop ends whatever runs.
  stop() {
    this.worker.terminate();
    this.fail(new Stopped("stopped"));
    this.begin();
  }
}
