package chromium

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Browser is a headless Chromium, driven by the DevTools protocol over a pair of pipes.
type Browser struct {
	T        testing.TB // test that fails; a part of a test sets its own
	pictures string     // the folder of screenshots
	to       *os.File
	session  string // of the page
	site     string // from which the page may fetch: a prefix of addresses
	number   int
	answers  chan message

	mu     sync.Mutex
	events []message // received but not requested
}

// message is a command, a reply or an event.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// path returns the path of the browser; without one the test is skipped.
func path(t testing.TB) string {
	t.Helper()
	path := os.Getenv("JACQUARD_CHROMIUM")
	if path == "" {
		t.Skip("make browser runs this: want the path of Chromium in JACQUARD_CHROMIUM")
	}
	return path
}

// noise is the output of any Chromium without a desktop.
var noise = regexp.MustCompile(`(?m)^.*dbus/.*\n`)

// Start starts a browser with an empty page; the end of the test stops it. Screenshots are kept in the
// folder pictures.
func Start(t testing.TB, pictures string) *Browser {
	t.Helper()
	program := path(t)
	commands, to, err := os.Pipe()
	require.NoError(t, err)
	from, replies, err := os.Pipe()
	require.NoError(t, err)
	home := t.TempDir()
	cmd := exec.Command(program,
		"--headless=new", "--remote-debugging-pipe", "--user-data-dir="+home, "--no-sandbox", "--no-first-run", "--disable-gpu",
		"--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio", "about:blank")
	cmd.ExtraFiles = []*os.File{commands, replies} // descriptors 3 and 4
	var log bytes.Buffer
	cmd.Stderr = &log
	require.NoError(t, cmd.Start())
	commands.Close()
	replies.Close()
	b := &Browser{T: t, pictures: pictures, to: to, answers: make(chan message)}
	go b.listen(from)
	t.Cleanup(func() {
		b.session = ""
		b.write("Browser.close", nil)
		to.Close()
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			_ = cmd.Process.Kill() // it ignored the request to close
			<-ended
		}
		from.Close()
		if t.Failed() {
			t.Logf("the page said:\n%s", strings.Join(b.Complaints(), "\n"))
			t.Logf("the browser said:\n%s", noise.ReplaceAll(log.Bytes(), nil))
		}
	})
	var target struct{ TargetID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Call(domain+".enable", nil, nil)
	}
	return b
}

// listen receives messages until the browser ends.
func (b *Browser) listen(from *os.File) {
	defer close(b.answers)
	for r := bufio.NewReader(from); ; {
		data, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(data[:len(data)-1], &m) != nil {
			return
		}
		if m.ID != 0 {
			b.answers <- m
			continue
		}
		b.mu.Lock()
		b.events = append(b.events, m)
		b.mu.Unlock()
	}
}

func (b *Browser) write(method string, params any) {
	b.number++
	data, err := json.Marshal(params)
	require.NoError(b.T, err)
	if params == nil {
		data = []byte("{}")
	}
	command, err := json.Marshal(message{ID: b.number, Session: b.session, Method: method, Params: data})
	require.NoError(b.T, err)
	_, _ = b.to.Write(append(command, 0)) // the missing reply shows that the browser has ended
}

// Call sends a command and waits for the reply.
func (b *Browser) Call(method string, params, result any) {
	b.T.Helper()
	b.write(method, params)
	select {
	case m, ok := <-b.answers:
		require.True(b.T, ok, "%s: the browser has ended", method)
		require.Equal(b.T, b.number, m.ID)
		require.Nil(b.T, m.Error, method)
		if result != nil {
			require.NoError(b.T, json.Unmarshal(m.Result, result))
		}
	case <-time.After(2 * time.Minute):
		require.Fail(b.T, "no answer", method)
	}
}

// Open loads a page and waits for it.
func (b *Browser) Open(page []byte) {
	b.T.Helper()
	path := filepath.Join(b.T.TempDir(), "page.html")
	require.NoError(b.T, os.WriteFile(path, page, 0o666))
	b.Visit("file://" + path)
}

// Visit loads the page at an address and waits for it. The page may fetch files of its own folder
// from a server, and any file from a disk.
func (b *Browser) Visit(address string) {
	b.T.Helper()
	b.site = address[:strings.LastIndex(address, "/")+1]
	b.Call("Page.navigate", map[string]any{"url": "about:blank"}, nil)
	b.Wait(`location.href === 'about:blank'`)
	b.Call("Page.navigate", map[string]any{"url": address}, nil)
	b.Wait(`location.href !== 'about:blank' && document.readyState === 'complete'`)
}

// Type types a text where the cursor is.
func (b *Browser) Type(text string) {
	b.T.Helper()
	b.Call("Input.insertText", map[string]any{"text": text}, nil)
}

// Eval returns the value of an expression in the page, in JSON types.
func (b *Browser) Eval(expression string) any {
	b.T.Helper()
	var answer struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	require.Empty(b.T, string(answer.ExceptionDetails), expression)
	return answer.Result.Value
}

// Wait waits until an expression is true.
func (b *Browser) Wait(expression string) {
	b.T.Helper()
	require.Eventually(b.T, func() bool { return b.Eval(expression) == true }, time.Minute, 10*time.Millisecond, expression)
}

// Key presses and releases a key.
func (b *Browser) Key(name string) {
	b.T.Helper()
	b.key(name, 0)
}

// ControlKey presses and releases a key while the control key is down.
func (b *Browser) ControlKey(name string) {
	b.T.Helper()
	b.key(name, 2)
}

func (b *Browser) key(name string, modifiers int) {
	b.T.Helper()
	codes := map[string]int{"Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35, " ": 32}
	down := map[string]any{"type": "keyDown", "key": name, "windowsVirtualKeyCode": codes[name], "modifiers": modifiers}
	switch {
	case modifiers != 0:
	case len(name) == 1:
		down["text"] = name
	case name == "Enter":
		down["text"] = "\r"
	}
	b.Call("Input.dispatchKeyEvent", down, nil)
	b.Call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": name, "windowsVirtualKeyCode": codes[name], "modifiers": modifiers}, nil)
}

// Look sets the window's size and the preferred colour scheme.
func (b *Browser) Look(width, height int, scheme string) {
	b.T.Helper()
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Shot saves a screenshot.
func (b *Browser) Shot(name string) {
	b.T.Helper()
	var answer struct{ Data []byte }
	b.Call("Page.captureScreenshot", map[string]any{"format": "png"}, &answer)
	b.keep(name+".png", answer.Data)
}

// Print saves the printed pages as a PDF.
func (b *Browser) Print(name string) []byte {
	b.T.Helper()
	var answer struct{ Data []byte }
	b.Call("Page.printToPDF", map[string]any{"preferCSSPageSize": true, "printBackground": true}, &answer)
	b.keep(name+".pdf", answer.Data)
	return answer.Data
}

func (b *Browser) keep(name string, data []byte) {
	b.T.Helper()
	require.NoError(b.T, os.MkdirAll(b.pictures, 0o777))
	require.NoError(b.T, os.WriteFile(filepath.Join(b.pictures, name), data, 0o666))
}

// Complaints returns errors and messages of the page, and its requests to other places.
func (b *Browser) Complaints() (all []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		switch e.Method {
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
			all = append(all, fmt.Sprintf("%s %s", e.Method, e.Params))
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			own := func(prefix string) bool { return prefix != "" && strings.HasPrefix(p.Request.URL, prefix) }
			if json.Unmarshal(e.Params, &p) == nil && !slices.ContainsFunc([]string{"file://", "data:", "blob:", "about:", b.site}, own) {
				all = append(all, "it fetched "+p.Request.URL)
			}
		}
	}
	return all
}

// Faults looks for faults of accessibility with axe-core and returns the serious and critical
// ones, one line each. JACQUARD_AXE names the script of axe-core. Frames are left out. Without a
// script it logs why it did not look.
func (b *Browser) Faults() []string {
	b.T.Helper()
	path := os.Getenv("JACQUARD_AXE")
	if path == "" {
		b.T.Log("axe-core did not look: want the path of axe.min.js in JACQUARD_AXE; make playground fetches it")
		return nil
	}
	script, err := os.ReadFile(path)
	require.NoError(b.T, err)
	b.Eval(string(script) + "\n; true")
	var faults []string
	for _, f := range b.Eval(`axe.run(document, {iframes: false, preload: false, resultTypes: ["violations"]}).then(r => r.violations
		.filter(v => v.impact === "serious" || v.impact === "critical")
		.flatMap(v => v.nodes.map(n => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary.replaceAll("\n", " "))))`).([]any) {
		faults = append(faults, f.(string))
	}
	return faults
}
