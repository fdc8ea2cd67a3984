package sweep

import (
	"fmt"
	"strings"
	"time"

	"jacquard/libcuda/driver/events"
)

// Progress counts the cells of a study.
type Progress struct {
	Total      int `json:"total"`
	Done       int `json:"done"`       // with a result
	Bad        int `json:"bad"`        // of those: failed, differ from the recording, or late
	Refused    int `json:"refused"`    // of those
	Running    int `json:"running"`    // now
	Unfinished int `json:"unfinished"` // began in this run and left no result

	began  time.Time
	before int // done when this run began
}

// start begins to measure the rate.
func (p *Progress) start() { p.began, p.before = time.Now(), p.Done }

// add counts a result.
func (p *Progress) add(r *Result) {
	p.Done++
	switch {
	case r.Status == Refused:
		p.Refused++
	case !r.Status.Good():
		p.Bad++
	}
}

// Add counts a cell that ended, with a result or without.
func (p *Progress) Add(r *Result) {
	if r == nil {
		p.Unfinished++
		return
	}
	p.add(r)
}

// String describes the progress in one line.
func (p *Progress) String() string {
	parts := []string{fmt.Sprintf("%d of %d cells done", p.Done, p.Total)}
	for _, n := range []struct {
		n    int
		what string
	}{{p.Bad, "failed"}, {p.Refused, "refused"}, {p.Unfinished, "broken off"}, {p.Running, "running"}} {
		if n.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.n, n.what))
		}
	}
	now := p.Done - p.before
	if pace := events.Pace(now, p.Total-p.before, time.Since(p.began)); pace != "" {
		parts = append(parts, pace)
	}
	return strings.Join(parts, ", ")
}
