// The page: it holds a state, runs it in the simulator, and shows what comes back.
import {Editor} from "./editor.js";
import * as form from "./form.js";
import {$, element} from "./format.js";
import {fromLink, toLink} from "./link.js";
import * as results from "./results.js";
import {Simulator, Stopped} from "./simulator.js";

const lessons = JSON.parse($("lessons").textContent);
for (const l of lessons) l.state.lesson = l.name;
const loaded = JSON.parse($("loaded").textContent); // what jacquard play was given, or null
const simulator = new Simulator();
const controls = ["run", "link", "lesson", "addbuffer", "addvalue"]; // disabled until the simulator is there
let state, lesson, about = {policies: []};
let runs = [], lines = new Map(), arch = "";
let number = 0; // of the run that is shown
let firstResult = 0; // when it came, in milliseconds since the page was opened
let ran = false; // the text has been run since its last change

const say = text => { $("status").textContent = text; };

const editor = new Editor($("editor"), {changed: edited, moved: explain, run, check, explain: explanation});

// explanation is what the lesson and the run say about a line.
function explanation(n, text) {
  const notes = (lesson?.notes ?? []).filter(note => text.includes(note.code)).map(note => note.text);
  const l = ran ? lines.get(n) : undefined;
  if (l) notes.push(results.said(l, $("shown").value));
  if (l && form.language(state) === "ptx") notes.push(`Machine code: ${l.code.join("; ")}`);
  return notes.join("\n");
}

function explain(n, text) { $("explained").textContent = explanation(n, text) || `Line ${n}.`; }

function edited() {
  ran = false;
  editor.show([]);
}

// check returns the mistakes of a text, for the editor.
async function check(text) {
  if (text.trim() === "" || !take(text)) return [];
  const of = state;
  let checked;
  try {
    checked = await simulator.ask("check", of);
  } catch (error) {
    if (!(error instanceof Stopped)) say(error.message);
    return [];
  }
  if (of !== state || text !== editor.text) return []; // another lesson is open, or somebody typed
  const {kernels} = checked, name = state.test.name;
  if (kernels.length > 0 && !kernels.includes(name)) { // the only kernel was renamed, or another text came
    state.test.name = kernels[0];
    return check(text);
  }
  $("entry").replaceChildren(...kernels.map(k => element("option", {value: k, textContent: k})));
  $("entry").value = name;
  $("entrylabel").hidden = kernels.length < 2;
  const k = checked.kernel;
  $("resources").textContent = k ? `${k.name} for ${k.arch}: ${k.code.length} instructions, ${k.registers} registers, ${k.shared} bytes shared` + (k.local ? `, ${k.local} local` : "") : "";
  $("mistake").textContent = checked.problems.filter(p => p.line === 0).map(p => p.message).join("\n");
  return checked.problems.filter(p => p.line > 0);
}

// take reads the form into the state, and reports whether it could. Before the first state is open
// there is no form.
function take(text = editor.text) {
  if (!state) return false;
  try {
    form.read(state, text);
    return true;
  } catch (error) {
    $("problem").textContent = error.message;
    return false;
  }
}

function busy(yes) {
  $("run").disabled = yes;
  $("stop").disabled = !yes;
  document.body.dataset.busy = yes;
}

async function run() {
  if ($("run").disabled || !take()) return;
  const mine = ++number;
  $("problem").textContent = "";
  runs = [];
  arch = Object.keys(state.test.builds)[0];
  busy(true);
  const text = editor.text;
  try {
    for (const policy of state.policies) {
      say(`Running under ${policy} …`);
      const r = await simulator.ask("run", {...state, policies: [policy]});
      if (mine !== number) return;
      for (const l of r.code ?? []) l.arch = arch;
      r.checked = state.checks;
      runs.push(r);
      ran = text === editor.text;
      show();
      firstResult ||= performance.now();
    }
    say("Recording the steps …");
    await play();
    say("Done.");
  } catch (error) {
    if (mine !== number) return;
    show();
    if (error instanceof Stopped) say("Stopped.");
    else {
      $("problem").textContent = error.message;
      say("There is no run.");
    }
  } finally {
    if (mine === number) busy(false);
  }
}

// play fills the player.
async function play() {
  const page = await simulator.ask("play", {...state, steps: state.steps || (state.trace ? form.defaults.traceSteps : form.defaults.steps)});
  const frame = element("iframe", {title: "Player of warps", srcdoc: page});
  const there = new Promise(resolve => frame.addEventListener("load", resolve, {once: true}));
  $("player").replaceChildren(frame);
  await there;
}

function show() {
  results.showTotals(runs, arch);
  results.showMemory(runs, state.test.params, $("format").value);
  $("problem").textContent = results.errors(runs) || $("problem").textContent;
  $("notes").textContent = results.notes(runs);
  results.showFound(runs, goTo);
  const before = $("shown").value;
  $("shown").replaceChildren(...runs.map(r => element("option", {value: r.policy, textContent: r.policy})));
  if (runs.some(r => r.policy === before)) $("shown").value = before;
  showPolicy();
}

// goTo puts the cursor into a line of the text.
function goTo(n) {
  editor.go(n);
  editor.view.focus();
}

function showPolicy() {
  const r = runs.find(r => r.policy === $("shown").value);
  results.showEach(r, arch, goTo);
  lines = results.byLine(r);
  editor.show(ran ? [...lines].map(([n, l]) => [n, results.beside(l)]) : []);
  explain(...editor.at());
}

// open shows a state, and runs it.
async function open(next) {
  state = structuredClone(next);
  state.limit ??= form.defaults.limit;
  lesson = lessons.find(l => l.name === state.lesson);
  $("lesson").value = lesson?.name ?? "";
  showLesson();
  if (state.trace) {
    document.body.dataset.trace = true;
    for (const id of ["kernel", "launch", "results", "instructions"]) $(id).hidden = true;
    busy(true);
    say("Reading the trace …");
    try {
      await play();
      say("Done.");
    } catch (error) {
      say(error.message);
    }
    busy(false);
    $("run").disabled = true;
    return;
  }
  for (const id of ["kernel", "launch", "results", "instructions"]) $(id).hidden = false;
  form.show(state, changed);
  form.offer(about.policies, state.policies, changed);
  editor.speak(form.language(state));
  editor.text = state.text;
  $("player").replaceChildren(element("p", {textContent: "The player begins after a run."}));
  await run();
}

function changed() {
  ran = false;
  editor.show([]);
}

function showLesson() {
  const parts = lesson ? [element("div", {innerHTML: lesson.html})] : [];
  if (lesson?.notes.length > 0) {
    parts.push(element("div", {}, element("details", {}, element("summary", {textContent: "Notes on the code (or hover over a line, or put the cursor into it)"}),
      element("ul", {className: "notes"}, ...lesson.notes.map(n => element("li", {}, element("code", {textContent: n.code}), ": " + n.text))))));
  }
  $("lessontext").replaceChildren(...parts);
}

async function openLink() {
  try {
    const linked = await fromLink(location.hash);
    if (linked) {
      await open(linked);
      return true;
    }
  } catch (error) {
    await open(lessons[0].state);
    $("problem").textContent = error.message;
    return true;
  }
  return false;
}

$("lesson").append(element("option", {value: "", textContent: "None", hidden: true}), ...lessons.map((l, i) => element("option", {value: l.name, textContent: `${i + 1}. ${l.title}`})));

// listen lets the page be used. Before the simulator is there, no state is open.
function listen() {
  $("run").addEventListener("click", run);
  $("stop").addEventListener("click", () => simulator.stop());
  $("link").addEventListener("click", async () => {
    if (!take()) return;
    history.replaceState(null, "", "#" + await toLink(state));
    try {
      await navigator.clipboard.writeText(location.href);
      say("The address has the whole state, and is copied.");
    } catch {
      say("The address has the whole state.");
    }
  });
  $("lesson").addEventListener("change", () => {
    if (document.body.dataset.busy === "true") simulator.stop();
    busy(false);
    number++;
    history.replaceState(null, "", location.pathname + location.search);
    open(lessons.find(l => l.name === $("lesson").value).state);
  });
  $("language").addEventListener("change", () => {
    take();
    editor.speak($("language").value);
    editor.text = editor.text; // checked again
  });
  $("entry").addEventListener("change", () => {
    state.test.name = $("entry").value;
    editor.text = editor.text;
  });
  $("otherpolicy").addEventListener("change", () => {
    const name = $("otherpolicy").value.trim();
    if (name === "" || !take()) return;
    form.offer(about.policies, [...new Set([...state.policies, name])].slice(-form.mostPolicies), changed);
    $("otherpolicy").value = "";
    changed();
  });
  for (const kind of ["buffer", "value"]) $("add" + kind).addEventListener("click", () => form.add(state, kind, changed));
  $("format").addEventListener("change", () => results.showMemory(runs, state.test.params, $("format").value));
  $("shown").addEventListener("change", showPolicy);
  for (const e of $("launch").querySelectorAll("input:not(#otherpolicy), select")) e.addEventListener("change", changed);
  document.addEventListener("keydown", e => {
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !e.defaultPrevented) {
      e.preventDefault();
      run();
    }
  });
  addEventListener("hashchange", openLink);
  for (const id of controls) $(id).disabled = false;
}

// For tests, and for the curious.
globalThis.playground = {editor, simulator, get runs() { return runs; }, get state() { return state; }, get firstResult() { return firstResult; }};

simulator.ready.then(async value => {
  about = value;
  listen();
  say("Ready.");
  if (!await openLink()) await open(loaded ?? lessons[0].state);
}, error => say(`The simulator cannot be loaded: ${error.message}`));
