package sinks

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
)

// progressEvery is the time between two lines of progress.
const progressEvery = 500 * time.Millisecond

// Progress appends a line to a file while launches run. Several processes may append to the same
// file. A launch costs it two locks; blocks of the launch cost it one addition each.
type Progress struct {
	log  Log
	file *os.File

	mu       sync.Mutex
	launches int        // that ended
	running  []*running // in the order in which they began
	told     int        // launches of the last line
	writes   bool       // lines are being written
}

// running is a launch that runs.
type running struct {
	kernel string
	blocks int
	ended  atomic.Int64 // blocks
	since  time.Time
}

// OpenProgress opens the knob's file for appending.
func OpenProgress(v *knobs.Values, log Log) (Sink, error) {
	if v.Progress == "" {
		return nil, nil
	}
	file, err := os.OpenFile(v.Progress, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, fmt.Errorf("progress: %w", err)
	}
	return &Progress{log: log, file: file}, nil
}

// Begin has the blocks of the launch counted.
func (p *Progress) Begin(l *Launch) (end func()) {
	r := &running{kernel: l.Kernel.Name, blocks: l.Request.Grid[0] * l.Request.Grid[1], since: time.Now()}
	l.Request.Ended = &r.ended
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = append(p.running, r)
	if !p.writes {
		p.writes = true
		go p.write()
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.running = slices.DeleteFunc(p.running, func(o *running) bool { return o == r })
		p.launches++
	}
}

// write writes a line at every tick, until nothing has happened since the last.
func (p *Progress) write() {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		<-tick.C
		line, idle := p.state()
		if idle {
			return
		}
		data, err := json.Marshal(line)
		if err == nil {
			_, err = p.file.Write(append(data, '\n'))
		}
		if err != nil { // the next launch tries again
			p.log.Once("progress: %v", err)
		}
	}
}

// state returns the line of now, about the launch that began first. If nothing runs and nothing
// ended since the last line, p is idle, and no longer writes.
func (p *Progress) state() (line events.Progress, idle bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.running) == 0 && p.launches == p.told {
		p.writes = false
		return line, true
	}
	p.told = p.launches
	line = events.Progress{Event: "progress", PID: os.Getpid(), Launches: p.launches}
	if len(p.running) > 0 {
		r := p.running[0]
		line.Kernel, line.Blocks, line.Of, line.Seconds = r.kernel, int(r.ended.Load()), r.blocks, time.Since(r.since).Seconds()
	}
	return line, false
}
