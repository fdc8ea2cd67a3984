package events

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// Progress is a line about a process that launches. The driver appends one to the file of the
// progress knob twice a second, while there is something new to tell.
type Progress struct {
	Event    string  `json:"event"` // "progress"
	PID      int     `json:"pid"`
	Launches int     `json:"launches"` // that ended
	Kernel   string  `json:"kernel"`   // that runs; "" if none does
	Blocks   int     `json:"blocks"`   // of its grid, that ended
	Of       int     `json:"of"`       // blocks of its grid
	Seconds  float64 `json:"seconds"`  // since it began
}

// TakeProgress returns the lines in a file of progress and empties the file. A line that is being
// written is lost: the next one says as much.
func TakeProgress(f *os.File) ([]Progress, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	data, err := io.ReadAll(io.NewSectionReader(f, 0, info.Size()))
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(0); err != nil {
		return nil, err
	}
	var list []Progress
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var p Progress
		if json.Unmarshal(lines.Bytes(), &p) == nil && p.Event == "progress" {
			list = append(list, p)
		}
	}
	return list, nil
}

// String describes the kernel that runs: blocks, rate, and the time that is left at this rate. The
// name is last, because it may be long. It is "" if none runs.
func (p *Progress) String() string {
	if p.Kernel == "" {
		return ""
	}
	elapsed := time.Duration(p.Seconds * float64(time.Second))
	pace := cmp.Or(Pace(p.Blocks, p.Of, elapsed), elapsed.Round(time.Second).String())
	return fmt.Sprintf("%d of %d blocks (%s) of %s", p.Blocks, p.Of, pace, p.Kernel)
}

// Pace returns the rate so far and the time that the rest takes at this rate, or "" if none or all
// is done.
func Pace(done, total int, elapsed time.Duration) string {
	if done <= 0 || done >= total || elapsed <= 0 {
		return ""
	}
	rate := float64(done) / elapsed.Seconds()
	left := time.Duration(float64(total-done) / rate * float64(time.Second))
	return fmt.Sprintf("%.3g per second, %s left", rate, left.Round(time.Second))
}
