package cli

import (
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
)

// gauge shows the progress of a command's launches on a terminal, for launches of this process or
// of programs that it runs. The driver appends lines to a temporary file, which the gauge takes. A
// nil gauge shows nothing.
type gauge struct {
	status *status
	apart  bool
	file   *os.File
	begun  time.Time
	quit   chan struct{}
	ended  chan struct{}

	mu    sync.Mutex
	what  string                  // the current run, and its number of how many
	known map[int]events.Progress // the last line of each process
}

// gaugeAfter is the time before a command's gauge shows anything, gaugeEvery the time between two
// looks for news.
const (
	gaugeAfter = time.Second
	gaugeEvery = 100 * time.Millisecond
)

// newGauge begins a gauge, if standard error is a terminal and the progress knob is unset. shared
// says that a program writes to the terminal, too.
func newGauge(c *cobra.Command, s knobs.Settings, shared bool) *gauge {
	out, ok := c.ErrOrStderr().(*stream)
	if !ok || out.status.terminal == nil || s.Progress != "" {
		return nil
	}
	file, err := os.CreateTemp("", "jacquard-progress-*.jsonl")
	if err != nil {
		return nil // the command matters more
	}
	g := &gauge{
		status: out.status, apart: shared, file: file, begun: time.Now(), quit: make(chan struct{}), ended: make(chan struct{}),
		known: map[int]events.Progress{},
	}
	go g.watch()
	return g
}

// knob returns the value of the progress knob; given is the user's.
func (g *gauge) knob(given string) string {
	if g == nil {
		return given
	}
	return g.file.Name()
}

// say names the current run.
func (g *gauge) say(what string) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.what = what
	clear(g.known)
}

// end removes the line and the file. The gauge may have ended.
func (g *gauge) end() {
	if g == nil {
		return
	}
	select {
	case <-g.ended:
		return
	default:
	}
	close(g.quit)
	<-g.ended
	g.status.show("", g.apart)
	g.file.Close()
	os.Remove(g.file.Name())
}

// watch shows the news until the end.
func (g *gauge) watch() {
	defer close(g.ended)
	tick := time.NewTicker(gaugeEvery)
	defer tick.Stop()
	for {
		select {
		case <-g.quit:
			return
		case <-tick.C:
		}
		g.take()
		if time.Since(g.begun) >= gaugeAfter {
			g.status.show(g.text(), g.apart)
		}
	}
}

// take takes the lines of the file.
func (g *gauge) take() {
	list, _ := events.TakeProgress(g.file)
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range list {
		g.known[p.PID] = p
	}
}

// text describes the progress so far.
func (g *gauge) text() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var parts []string
	if g.what != "" {
		parts = append(parts, g.what)
	}
	launches, runs := 0, ""
	for _, pid := range slices.Sorted(maps.Keys(g.known)) {
		p := g.known[pid]
		launches += p.Launches
		if text := p.String(); text != "" {
			runs = text
		}
	}
	if launches > 1 || launches == 1 && g.what == "" {
		parts = append(parts, counted(launches, "launch", "launches")+" done")
	}
	if runs != "" {
		parts = append(parts, runs)
	}
	return strings.Join(parts, "; ")
}
