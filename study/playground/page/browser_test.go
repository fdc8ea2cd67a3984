package page

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/chromium"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/stats"
	"jacquard/study/kerneltest"
	"jacquard/study/launch"
	"jacquard/study/playground"
)

const built = "../../../build/playground"

// folder returns the folder that make playground made; without one the test is skipped.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs(built)
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		t.Skip("make browser runs this: want build/playground, which make playground makes")
	}
	return dir
}

// browser shows the playground.
type browser struct{ *chromium.Browser }

func start(t testing.TB) browser {
	return browser{chromium.Start(t, "../../../build/playground-pictures")}
}

// open opens the page from the disk, with a fragment.
func (b browser) open(fragment string) {
	b.T.Helper()
	b.Visit("file://" + folder(b.T) + "/index.html" + fragment)
	b.rest()
}

// rest waits until nothing runs.
func (b browser) rest() {
	b.T.Helper()
	b.Wait(`document.body.dataset.busy === "false"`)
}

func (b browser) text(id string) string {
	b.T.Helper()
	return b.Eval(fmt.Sprintf(`document.getElementById(%q).textContent`, id)).(string)
}

// choose sets a field as a user would.
func (b browser) choose(id, value string) {
	b.T.Helper()
	b.Eval(fmt.Sprintf(`{ const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event("change")) }`, id, value))
}

// replace replaces a part of the kernel's text.
func (b browser) replace(old, with string) {
	b.T.Helper()
	require.Equal(b.T, true, b.Eval(fmt.Sprintf(`{ const text = playground.editor.text; playground.editor.text = text.replace(%q, %q); text.includes(%[1]q) }`, old, with)))
}

// TestBrowserImpatient uses everything before the simulator is there. Nothing may break, and the first
// lesson runs.
func TestBrowserImpatient(t *testing.T) {
	b := start(t)
	b.Call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `
		globalThis.broke = [];
		addEventListener("error", e => broke.push(e.message));
		addEventListener("unhandledrejection", e => broke.push(String(e.reason)));
		addEventListener("DOMContentLoaded", () => {
			const early = setInterval(() => {
				if (document.body.dataset.busy) { clearInterval(early); return; }
				globalThis.tries = (globalThis.tries ?? 0) + 1;
				for (const id of ["run", "link", "addbuffer", "addvalue"]) document.getElementById(id).click();
				for (const e of document.querySelectorAll("select, input")) e.dispatchEvent(new Event("change"));
				document.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true}));
				dispatchEvent(new HashChangeEvent("hashchange"));
			}, 1);
		});`}, nil)
	b.open("")
	require.NotZero(t, b.Eval(`globalThis.tries ?? 0`))
	require.Equal(t, []any{}, b.Eval(`broke`))
	require.Equal(t, "Done.", b.text("status"))
	require.Empty(t, b.text("problem"))
}

// TestBrowser uses the page as a reader would, from a disk. Its screenshots are kept.
func TestBrowser(t *testing.T) {
	b := start(t)
	b.Look(1440, 900, "light")
	for _, browser := range []string{"that has just begun", "that has opened the page before"} {
		b.open("")
		t.Logf("in a browser %s the first result came %.0f ms after opening", browser, b.Eval(`playground.firstResult`))
	}
	require.Equal(t, "Done.", b.text("status"))
	require.Empty(t, b.text("problem"))
	require.Equal(t, "nvidia|as expected|16|26.00", b.Eval(`[...document.querySelector("#totals tbody tr").cells].slice(0, 4).map(c => c.textContent).join("|")`))
	require.Equal(t, "0 4 1 10 2 16 3 22", b.Eval(`[...document.querySelector("#memory tr").querySelectorAll("td")].map(c => c.textContent).join(" ")`))
	require.Contains(t, b.Eval(`document.querySelector(".cm-gutters .counts").textContent`), "1 × 16.00")
	b.Wait(`document.querySelector("iframe").contentDocument.querySelector(".meters")?.textContent.includes("of 16")`)
	b.Eval(`playground.editor.go(8)`)
	require.Contains(t, b.text("explained"), "If some do and some do not, the warp diverges.")
	require.Contains(t, b.text("explained"), "Under nvidia: 1 issue with 32.00 of 32 lanes active in the mean; 1 of them divergent")

	// A tip over a line.
	b.Eval(`document.getElementById("kernel").scrollIntoView()`)
	place := b.Eval(`{ const r = [...document.querySelectorAll(".cm-line")][7].getBoundingClientRect(); [r.left + 120, r.top + 8] }`).([]any)
	for _, shift := range []float64{0, 2} {
		b.Call("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": place[0].(float64) + shift, "y": place[1]}, nil)
	}
	b.Wait(`document.querySelector(".explained")?.textContent.includes("A branch with a guard")`)
	b.Shot("tip")

	// A mistake is marked in place; the run says so, too.
	b.replace("bra together", "bra nowhere")
	b.Wait(`document.querySelector(".cm-lintRange-error")?.textContent === "nowhere"`)
	b.Eval(`playground.editor.view.focus()`)
	b.ControlKey("Enter")
	b.rest()
	require.Contains(t, b.text("problem"), "line 12, column 6: label nowhere is nowhere")
	b.Shot("mistake")
	b.replace("bra nowhere", "bra together")
	b.Wait(`!document.querySelector(".cm-lintRange-error")`)
	b.ControlKey("Enter")
	b.Wait(`playground.runs.length === 3`)
	b.rest()
	require.Empty(t, b.text("problem"))

	// Another architecture, policy and argument, carried by a link.
	b.replace(".module sm_13", ".module sm_10")
	b.choose("device", "8800gtx")
	b.Eval(`document.querySelector("#policies input[value=mimd]").click()`)
	b.Eval(`document.querySelector("#policies input[value=simty]").click()`)
	b.choose("otherpolicy", "nvidia:warp=8")
	b.choose("block0", "20")
	b.Eval(`document.getElementById("link").click()`)
	b.Wait(`location.hash.length > 100`)
	link := b.Eval(`location.hash`).(string)
	b.open(link)
	require.Equal(t, "nvidia stackless simty nvidia:warp=8", b.Eval(`playground.runs.map(r => r.policy).join(" ")`))
	require.Equal(t, "sm_10", b.Eval(`Object.keys(playground.state.test.builds)[0]`))
	require.Contains(t, b.text("problem"), "12 of 32 words differ", "the test expects 32 threads")
	b.open("#s=AAAA")
	require.Equal(t, "The link is damaged: it holds no kernel.", b.text("problem"))
	require.Empty(t, b.Complaints())
}

// TestBrowserChecks has the page look for mistakes; a button leads to each line.
func TestBrowserChecks(t *testing.T) {
	b := start(t)
	b.Look(1280, 900, "light")
	b.open("")
	require.Equal(t, "", b.text("found"))
	b.Eval(`document.getElementById("checks").click()`)
	run := func() {
		b.Eval(`document.getElementById("run").click()`)
		b.rest()
	}
	run()
	require.Equal(t, "MistakesNone was found.", b.text("found"))
	b.replace(".kernel branch registers=4 shared=20", ".kernel branch registers=4 shared=0x120")
	b.replace("\tand b32 $r1 $r0 0x1", "\tshl $a1 $r0 0x2\n\tst b32 s[$a1+0x20] $r0\n\tmov b32 $r1 b32 s[$a1+0x24]\n\tand b32 $r1 $r0 0x1")
	b.choose("block0", "64")
	run()
	require.Contains(t, b.text("found"), "error: race read-write shared")
	require.Contains(t, b.text("found"), "error: memory out-of-bounds global")
	require.Contains(t, b.text("found"), ":6 in branch: st b32 s[$a1+0x20] $r0")
	b.Eval(`document.querySelectorAll("#found button")[1].click()`)
	require.Equal(t, b.Eval(`document.querySelectorAll("#found button")[1].textContent`), b.Eval(`"Line " + playground.editor.at()[0]`))
	b.Shot("checks")
	b.Look(390, 844, "dark")
	require.Equal(t, true, b.Eval(`document.documentElement.scrollWidth <= innerWidth`))
	b.Eval(`document.getElementById("found").scrollIntoView()`)
	b.Shot("checks-small")
	require.Empty(t, b.Complaints())
}

// A run that does not end is stopped by the button, or by the limit. The page goes on.
func TestBrowserStops(t *testing.T) {
	b := start(t)
	b.Look(1440, 900, "light")
	b.open("")
	b.replace("\tbra together\neven:\n\tshr u32 $r2 $r0 0x1 ", "even:\n\tadd b32 $r2 $r2 0x1\n\tbra even\n//")
	b.choose("limit", "0")
	b.Eval(`document.getElementById("run").click()`)
	b.Wait(`document.body.dataset.busy === "true"`)
	b.Eval(`document.getElementById("stop").click()`)
	b.rest()
	require.Equal(t, "Stopped.", b.text("status"))
	b.choose("limit", "200000")
	b.Eval(`document.querySelector("#policies input[value=stackless]").click(); document.querySelector("#policies input[value=mimd]").click()`)
	b.Eval(`document.getElementById("run").click()`)
	b.Wait(`playground.runs.length === 1`)
	b.rest()
	require.Contains(t, b.text("problem"), "nvidia: watchdog in kernel branch")
	b.choose("lesson", "02-loop")
	b.Wait(`playground.runs.length === 3 && playground.state.lesson === "02-loop"`)
	b.rest()
	require.Equal(t, "Done.", b.text("status"))
	require.Empty(t, b.Complaints())
}

// A page whose parts are missing says so, and a worker that breaks down is replaced.
func TestBrowserBroken(t *testing.T) {
	b := start(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(folder(t))))
	for _, c := range []struct{ code, want string }{
		{"", "The simulator cannot be loaded: simulator.js is missing"},
		{`globalThis.jacquardCode = {exec: "", glue: "throw new Error('broken')", wasm: ""};`, "The simulator cannot be loaded: Uncaught Error: broken"},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "simulator.js"), []byte(c.code), 0o666))
		b.Visit("file://" + dir + "/index.html")
		b.Wait(`document.getElementById("status").textContent.startsWith("The simulator cannot")`)
		require.Equal(t, c.want, b.text("status"))
	}
	b.open("")
	require.Equal(t, "the worker broke", b.Eval(`{ const asked = playground.simulator.ask("check", {}).catch(e => e.message);
		playground.simulator.broke(new Error("the worker broke")); asked }`))
	b.Eval(`document.getElementById("run").click()`)
	b.rest()
	require.Equal(t, "Done.", b.text("status"))
}

// Everything can be reached and used by keys alone.
func TestBrowserKeys(t *testing.T) {
	b := start(t)
	b.Look(1440, 900, "light")
	b.open("")
	b.Eval(`document.getElementById("addvalue").focus()`)
	b.Key("Enter")
	require.Equal(t, "Name of argument 2", b.Eval(`document.activeElement.ariaLabel`), "a new argument has the focus")
	b.Eval(`playground.editor.view.focus()`)
	b.Type("// typed ")
	require.Equal(t, true, b.Eval(`playground.editor.text.startsWith("// typed // out[i]")`))
	b.open("")
	seen := map[string]bool{}
	for range 120 {
		b.Key("Tab")
		at := b.Eval(`{ const e = document.activeElement; e.id || e.closest("[id]")?.id || e.tagName }`).(string)
		seen[at] = true
		if at == "h-play" || b.Eval(`document.activeElement.tagName`) == "IFRAME" {
			break
		}
	}
	for _, id := range []string{"lesson", "run", "link", "language", "editor", "grid0", "block2", "device", "limit", "policies", "arguments", "addbuffer", "format", "shown"} {
		require.Contains(t, seen, id)
	}
	require.Equal(t, true, b.Eval(`[...document.querySelectorAll("button, select, input, iframe, [tabindex='0']")].every(e =>
		e.ariaLabel || e.title || e.labels?.length || e.textContent.trim())`), "every control has a name")
	require.Empty(t, b.Complaints())
}

// Every lesson has the tool's results: the same memory, counters and errors.
func TestBrowserLessons(t *testing.T) {
	b := start(t)
	b.Look(1440, 900, "light")
	b.open("")
	lessons, err := Lessons("../../../testdata/lessons")
	require.NoError(t, err)
	require.Len(t, lessons, 10)
	for _, l := range lessons {
		b.choose("lesson", l.Name)
		b.Wait(fmt.Sprintf(`playground.state.lesson === %q && playground.runs.length === %d`, l.Name, len(l.State.Policies)))
		b.rest()
		require.Equal(t, "Done.", b.text("status"), "%s: %s", l.Name, b.text("problem"))
		require.Equal(t, float64(len(l.Notes)), b.Eval(`document.querySelectorAll("#lessontext .notes li").length`))
		b.Wait(`document.querySelector("iframe").contentDocument.querySelectorAll("section").length === playground.runs.length`)
		var got []playground.Run
		require.NoError(t, json.Unmarshal([]byte(b.Eval(`JSON.stringify(playground.runs)`).(string)), &got))
		for i := range got {
			equalsTool(t, l, &got[i])
		}
		b.Shot("lesson-" + l.Name)
	}
	require.Empty(t, b.Complaints())
}

// A check that answers after another lesson was opened changes nothing there.
func TestBrowserLateCheck(t *testing.T) {
	b := start(t)
	b.open("")
	b.Eval(`{ const s = playground.simulator, ask = s.ask.bind(s); globalThis.checks = 0;
		s.ask = (word, state) => {
			if (word !== "check") return ask(word, state);
			const copy = structuredClone(state);
			checks++;
			return new Promise(answer => setTimeout(() => answer(ask(word, copy)), 500)).finally(() => checks--);
		} }`)
	b.choose("lesson", "09-banks")
	b.Wait(`playground.state.lesson === "09-banks" && checks === 1`)
	b.choose("lesson", "10-reduction")
	b.Wait(`checks === 2`) // the first lesson's check is on its way
	b.Wait(`checks === 0`)
	b.rest()
	require.Equal(t, "reduction", b.Eval(`playground.state.test.name`))
	require.Equal(t, true, b.Eval(`playground.state.text === playground.editor.text && playground.state.text.includes("reduction")`))
	require.Equal(t, "Done.", b.text("status"), b.text("problem"))
	require.Empty(t, b.Complaints())
}

// equalsTool runs a lesson as "jacquard run --test --stats" does, and compares.
func equalsTool(t *testing.T, l *Lesson, got *playground.Run) {
	t.Helper()
	test, err := kerneltest.Load("../../../testdata/lessons/" + l.Name + "/test.json")
	require.NoError(t, err)
	j, err := launch.OfBuild(test, &test.Builds[0])
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "s.json")
	result, failed := launch.Run(context.Background(), knobs.Settings{Policy: got.Policy, Stats: path}, j, io.Discard)
	want, err := stats.Load(path)
	require.NoError(t, err)
	s := &want.Launches[0].Stats
	for _, c := range stats.Columns() {
		require.Equal(t, *c.Of(s), got.Counters[c.Name], "%s under %s: %s", l.Name, got.Policy, c.Name)
	}
	require.Len(t, got.Each, len(s.ByInstruction))
	for i := range s.ByInstruction {
		for _, c := range stats.InstructionColumns() {
			require.Equal(t, *c.Of(&s.ByInstruction[i]), got.Each[i].Counters[c.Name], "%s under %s: instruction %d: %s", l.Name, got.Policy, i, c.Name)
		}
	}
	if failed != nil {
		require.Equal(t, strings.ReplaceAll(failed.Error(), test.Builds[0].File, "kernel"+filepath.Ext(test.Builds[0].File)), got.Error)
		return
	}
	require.Empty(t, got.Error)
	for _, m := range got.Memory {
		require.Equal(t, result.Buffers[m.Name], m.Bytes, "%s under %s: %s", l.Name, got.Policy, m.Name)
		require.Empty(t, m.Mismatch)
	}
}

// Every width has room for the page, in light and dark, and axe-core finds no serious fault.
func TestBrowserScreens(t *testing.T) {
	b := start(t)
	for _, width := range []int{320, 768, 1440, 2560} {
		for _, scheme := range []string{"light", "dark"} {
			b.Look(width, 1000, scheme)
			b.open("")
			require.Equal(t, true, b.Eval(`document.documentElement.scrollWidth <= innerWidth`), "%d", width)
			b.Eval(`document.querySelector("details").open = true`)
			require.Empty(t, b.Faults(), "%d, %s", width, scheme)
			b.Shot(fmt.Sprintf("%d-%s", width, scheme))
			b.Eval(`document.getElementById("results").scrollIntoView()`)
			b.Shot(fmt.Sprintf("%d-%s-results", width, scheme))
			b.Wait(`Boolean(document.querySelector("iframe").contentDocument.querySelector(".meters")?.textContent)`)
			b.Eval(`document.getElementById("play").scrollIntoView()`)
			b.Shot(fmt.Sprintf("%d-%s-play", width, scheme))
		}
	}
	require.Empty(t, b.Complaints())
}

// The folder works on a web server, and with what jacquard play puts into it.
func TestBrowserServed(t *testing.T) {
	b := start(t)
	b.Look(1440, 900, "dark")
	dir := folder(t)
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	lessons, err := Lessons("../../../testdata/lessons")
	require.NoError(t, err)
	state := lessons[4].State
	recorded := record(t, lessons[1])
	served := index
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			_, _ = w.Write(served)
			return
		}
		http.FileServer(http.Dir(dir)).ServeHTTP(w, r)
	}))
	defer server.Close()
	for _, c := range []struct {
		name  string
		state *playground.State
		want  string
	}{
		{"nothing", nil, `playground.runs.length === 3 && playground.state.lesson === "01-if"`},
		{"a kernel", state, `playground.runs.length === 3 && playground.state.test.name === "recursion"`},
		{"a trace", &playground.State{Trace: recorded, Policies: []string{}}, `document.getElementById("kernel").hidden && document.querySelector("iframe").contentDocument.querySelector(".meters")?.textContent.includes("of 166")`},
	} {
		served = index
		if c.state != nil {
			served, err = Load(index, c.state)
			require.NoError(t, err)
		}
		b.Visit(server.URL + "/")
		b.rest()
		b.Wait(c.want)
		require.Equal(t, "Done.", b.text("status"), c.name)
	}
	require.Empty(t, b.Complaints())
}

// record returns the trace of a lesson, in base64.
func record(t *testing.T, l *Lesson) string {
	t.Helper()
	j, err := launch.OfBuild(l.State.Test, &l.State.Test.Builds[0])
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "t.jqt")
	_, err = launch.Run(context.Background(), knobs.Settings{Trace: path + ":values=all+state"}, j, io.Discard)
	require.NoError(t, err)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return base64.StdEncoding.EncodeToString(data)
}

// busy is a kernel of 8 blocks of 8 warps with 20,000 rounds of arithmetic and a branch each.
const busy = `.module sm_13
.kernel busy registers=4 shared=16
	mov b32 $r1 0x4e20
again:
	add b32 $r2 $r2 $r1
	xor b32 $r3 $r3 $r2
	shl b32 $r2 $r2 0x1
	add b32 $r1 $r1 0xffffffff
	set $c0 # lg u32 $r63 $r1
	(lg $c0) bra again
	exit (never) nop
`

// TestBrowserSpeed prints how fast kernels run in the browser.
func TestBrowserSpeed(t *testing.T) {
	b := start(t)
	b.open("")
	for _, policy := range []string{"nvidia", "stackless"} {
		s := &playground.State{Text: busy, Policies: []string{policy}}
		var err error
		s.Test, err = kerneltest.Parse([]byte(`{"name": "busy", "block": [256, 1, 1], "grid": [8, 1], "param_bytes": 0, "params": [], "builds": {"sm_13": {"file": "kernel.s"}}}`))
		require.NoError(t, err)
		data, err := json.Marshal(s)
		require.NoError(t, err)
		var r playground.Run
		require.NoError(t, json.Unmarshal([]byte(b.Eval(`playground.simulator.ask("run", `+string(data)+`).then(r => JSON.stringify(r))`).(string)), &r))
		require.Empty(t, r.Error)
		n := r.Counters["warp_instructions"]
		require.EqualValues(t, 64*(6*20_000+2), n)
		t.Logf("%s: %d warp-instructions in %.2f s: %.2f million a second", policy, n, r.Seconds, float64(n)/r.Seconds/1e6)
	}
}

// The folder is small: at most 8 MB, compressed as web servers do.
func TestBrowserSize(t *testing.T) {
	total := 0
	err := filepath.WalkDir(folder(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write(data); err != nil {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		total += packed.Len()
		return nil
	})
	require.NoError(t, err)
	t.Logf("%.2f MB compressed", float64(total)/1e6)
	require.Less(t, total, 8_000_000)
}
