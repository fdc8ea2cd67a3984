package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// browser is a headless Chromium, driven by the DevTools protocol over a pair of pipes.
type browser struct {
	t       testing.TB
	to      *os.File
	session string // of the page
	number  int
	answers chan message

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

// chromium returns the path of the browser; without one the test is skipped.
func chromium(t testing.TB) string {
	t.Helper()
	path := os.Getenv("JACQUARD_CHROMIUM")
	if path == "" {
		t.Skip("make browser runs this: want the path of Chromium in JACQUARD_CHROMIUM")
	}
	return path
}

// noise is the output of any Chromium without a desktop.
var noise = regexp.MustCompile(`(?m)^.*dbus/.*\n`)

// browse starts a browser with an empty page; the end of the test stops it.
func browse(t testing.TB) *browser {
	t.Helper()
	program := chromium(t)
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
	b := &browser{t: t, to: to, answers: make(chan message)}
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
			t.Logf("the browser said:\n%s", noise.ReplaceAll(log.Bytes(), nil))
		}
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// listen receives messages until the browser ends.
func (b *browser) listen(from *os.File) {
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

func (b *browser) write(method string, params any) {
	b.number++
	data, err := json.Marshal(params)
	require.NoError(b.t, err)
	if params == nil {
		data = []byte("{}")
	}
	command, err := json.Marshal(message{ID: b.number, Session: b.session, Method: method, Params: data})
	require.NoError(b.t, err)
	_, _ = b.to.Write(append(command, 0)) // the missing reply shows that the browser has ended
}

// call sends a command and waits for the reply.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.write(method, params)
	select {
	case m, ok := <-b.answers:
		require.True(b.t, ok, "%s: the browser has ended", method)
		require.Equal(b.t, b.number, m.ID)
		require.Nil(b.t, m.Error, method)
		if result != nil {
			require.NoError(b.t, json.Unmarshal(m.Result, result))
		}
	case <-time.After(2 * time.Minute):
		require.Fail(b.t, "no answer", method)
	}
}

// open loads a page and waits for it.
func (b *browser) open(page []byte) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "page.html")
	require.NoError(b.t, os.WriteFile(path, page, 0o666))
	b.call("Page.navigate", map[string]any{"url": "file://" + path}, nil)
	b.wait(`location.protocol === 'file:' && document.readyState === 'complete'`)
}

// eval returns the value of an expression in the page, in JSON types.
func (b *browser) eval(expression string) any {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	require.Empty(b.t, string(answer.ExceptionDetails), expression)
	return answer.Result.Value
}

// wait waits until an expression is true.
func (b *browser) wait(expression string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool { return b.eval(expression) == true }, time.Minute, 10*time.Millisecond, expression)
}

// key presses and releases a key.
func (b *browser) key(name string) {
	b.t.Helper()
	codes := map[string]int{"Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35, " ": 32}
	down := map[string]any{"type": "keyDown", "key": name, "windowsVirtualKeyCode": codes[name]}
	switch {
	case len(name) == 1:
		down["text"] = name
	case name == "Enter":
		down["text"] = "\r"
	}
	b.call("Input.dispatchKeyEvent", down, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": name, "windowsVirtualKeyCode": codes[name]}, nil)
}

// look sets the window's size and the preferred colour scheme.
func (b *browser) look(width, height int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// shot saves a screenshot in build/report.
func (b *browser) shot(name string) {
	b.t.Helper()
	var answer struct{ Data []byte }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &answer)
	b.keep(name+".png", answer.Data)
}

// print saves the printed pages as a PDF.
func (b *browser) print(name string) []byte {
	b.t.Helper()
	var answer struct{ Data []byte }
	b.call("Page.printToPDF", map[string]any{"preferCSSPageSize": true, "printBackground": true}, &answer)
	b.keep(name+".pdf", answer.Data)
	return answer.Data
}

func (b *browser) keep(name string, data []byte) {
	b.t.Helper()
	dir := "../../../build/report"
	require.NoError(b.t, os.MkdirAll(dir, 0o777))
	require.NoError(b.t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
}

// complaints returns errors and messages of the page, and its requests to other places.
func (b *browser) complaints() (all []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		switch e.Method {
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
			all = append(all, fmt.Sprintf("%s %s", e.Method, e.Params))
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if json.Unmarshal(e.Params, &p) == nil && !bytes.HasPrefix([]byte(p.Request.URL), []byte("file://")) && !bytes.HasPrefix([]byte(p.Request.URL), []byte("data:")) {
				all = append(all, "it fetched "+p.Request.URL)
			}
		}
	}
	return all
}
