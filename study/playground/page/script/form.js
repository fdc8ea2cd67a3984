// The form: launch shape, device, policies and arguments of a state.
import {$, element, toValue} from "./format.js";

const architectures = {"8800gtx": "sm_10", "9800gx2": "sm_11", "gt240": "sm_12", "gtx280": "sm_13", "c1060": "sm_13"};
export const defaults = {limit: 20_000_000, steps: 20_000, traceSteps: 50_000};
export const mostPolicies = 4;

// offer lists the policies. Others that a state has, with options of their own, come to the end.
export function offer(names, chosen, changed) {
  $("policies").replaceChildren($("policies").querySelector("legend"), ...[...new Set([...names, ...chosen])].map(name => {
    const box = element("input", {type: "checkbox", value: name, checked: chosen.includes(name)});
    box.addEventListener("change", () => {
      limitPolicies();
      changed();
    });
    return element("label", {}, box, " " + name);
  }));
  limitPolicies();
}

function limitPolicies() {
  const boxes = [...$("policies").querySelectorAll("input")], full = boxes.filter(b => b.checked).length >= mostPolicies;
  for (const b of boxes) b.disabled = full && !b.checked;
}

export const language = state => Object.values(state.test.builds)[0].file.endsWith(".ptx") ? "ptx" : "s";

// show fills the form in.
export function show(state, changed) {
  const {test} = state;
  test.grid.forEach((n, i) => { $("grid" + i).value = n; });
  test.block.forEach((n, i) => { $("block" + i).value = n; });
  $("shared").value = test.shared ?? 0;
  $("limit").value = state.limit ?? 0;
  $("checks").checked = state.checks ?? false;
  const arch = Object.keys(test.builds)[0];
  $("device").value = state.device === "c1060" ? "gtx280" : state.device || Object.entries(architectures).find(([, a]) => a === arch)[0];
  $("language").value = language(state);
  showArguments(test.params, changed);
}

function showArguments(params, changed) {
  $("arguments").tBodies[0].replaceChildren(...params.map((p, i) => row(params, p, i, changed)));
}

function row(params, p, i, changed) {
  const input = (label, value, className, set) => {
    const e = element("input", {value, className, "aria-label": `${label} of argument ${i + 1}`, spellcheck: false, autocomplete: "off"});
    e.addEventListener("change", () => {
      const wrong = set(e.value);
      e.setCustomValidity(wrong ?? "");
      e.reportValidity();
      if (!wrong) changed();
    });
    return e;
  };
  const again = () => {
    showArguments(params, changed);
    changed();
  };
  const kind = element("select", {"aria-label": `Kind of argument ${i + 1}`},
    ...[["buffer", "buffer"], ["4", "32 bits"], ["8", "64 bits"], ["2", "16 bits"], ["1", "8 bits"]].map(([value, text]) => element("option", {value, textContent: text})));
  kind.value = p.kind === "buffer" ? "buffer" : String(p.size);
  kind.addEventListener("change", () => {
    params[i] = kind.value === "buffer" ? buffer(p.name) : value(p.name, Number(kind.value));
    again();
  });
  const remove = element("button", {type: "button", textContent: "Remove", "aria-label": `Remove argument ${i + 1}, ${p.name}`});
  remove.addEventListener("click", () => {
    params.splice(i, 1);
    again();
    $("addbuffer").focus();
  });
  const unjudged = () => { // what the test expected was for other arguments
    for (const q of params) {
      if (q.kind !== "buffer" || q.expect === "unchanged") continue;
      delete q.expect; delete q.rtol; delete q.atol;
      q.compare = "any";
    }
  };
  const cells = [input("Name", p.name, "", name => name.trim() === "" ? "an argument has a name" : void (p.name = name.trim())), kind];
  if (p.kind === "buffer") {
    cells.push(input("Words", p.words, "", text => {
      if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > 1 << 22) return "1 to 4194304 words";
      const n = Number(text), list = p.init.trim().split(/\s+/);
      if (list.at(-1) !== "..." && list.length !== n) p.init = list.slice(0, n).join(" ") + (n > list.length ? " ..." : "");
      p.words = n;
      unjudged();
      showArguments(params, changed);
    }), input("Content", p.init, "content", text => {
      const list = text.trim().split(/\s+/).map(w => w === "..." ? w : w.toLowerCase().padStart(8, "0"));
      if (list.some((w, j) => !/^[0-9a-f]{8}$/.test(w) && !(w === "..." && j > 0 && j === list.length - 1))) return "words of up to eight hexadecimal digits; three dots repeat them";
      if (list.length > p.words && list.at(-1) !== "...") return `${p.words} words at most`;
      p.init = list.length < p.words && list.at(-1) !== "..." ? list.join(" ") + " ..." : list.join(" ");
      unjudged();
      showArguments(params, changed);
    }));
  } else {
    cells.push(input("Value", p.value, "content", text => {
      const v = toValue(text, p.size);
      if (v === null) return "a number that fits: 12, -3, 0xff, or 1.5 for floating point";
      p.value = v;
      unjudged();
      showArguments(params, changed);
    }), element("span"));
  }
  cells.push(remove);
  return element("tr", {}, ...cells.map(c => element("td", {}, c)));
}

const buffer = name => ({name, kind: "buffer", words: 64, init: "00000000 ...", compare: "any"});
const value = (name, size) => ({name, kind: "value", size, value: "0x" + "0".repeat(2 * size)});

// add adds an argument.
export function add(state, kind, changed) {
  const {params} = state.test;
  let n = params.length;
  while (params.some(p => p.name === "arg" + n)) n++;
  params.push(kind === "buffer" ? buffer("arg" + n) : value("arg" + n, 4));
  showArguments(params, changed);
  changed();
  $("arguments").tBodies[0].lastElementChild.querySelector("input").focus();
}

// read takes what the form says into the state, and lays the arguments out in their order, each at a
// multiple of its size. A kernel that declares its parameters says itself where they are.
export function read(state, text) {
  const number = id => {
    const n = Number($(id).value);
    if (!Number.isInteger(n) || n < 0) throw new Error(`${$(id).ariaLabel ?? $(id).parentElement.textContent.trim()}: want a number`);
    return n;
  };
  const {test} = state;
  state.text = text;
  test.grid = [number("grid0"), number("grid1")];
  test.block = [number("block0"), number("block1"), number("block2")];
  test.shared = number("shared");
  state.limit = number("limit");
  state.checks = $("checks").checked;
  state.device = $("device").value;
  state.policies = [...$("policies").querySelectorAll("input:checked")].map(b => b.value);
  if (state.policies.length === 0) throw new Error("Choose at least one divergence policy.");
  const arch = $("language").value === "ptx" ? architectures[state.device] : /^\s*\.module\s+(sm_1[0-3])/m.exec(text)?.[1] ?? architectures[state.device];
  test.builds = {[arch]: {file: "kernel." + $("language").value}};
  let at = 0;
  for (const p of test.params) {
    const size = p.kind === "buffer" ? 4 : p.size;
    at = Math.ceil(at / size) * size;
    p.param_offset = at;
    at += size;
  }
  test.param_bytes = at;
}
