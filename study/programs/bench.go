package programs

import (
	"context"
	"fmt"
	"math"
	"time"

	"jacquard/libcuda/driver/events"
)

// Way is a way of running programs.
type Way struct {
	Build   string `json:"build,omitempty"` // of the simulator; "" if there is one
	Workers int    `json:"workers"`         // host cores
}

// Bench measures programs.
type Bench struct {
	Ways   []Way // a program runs in each, in this order
	Rounds int   // in all ways; the fastest run of each way counts
	Limit  time.Duration
	// Command is what runs the program of that name in a way.
	Command  func(name string, w Way) Command
	Progress func(what string)
}

// Row has the figures of a program.
type Row struct {
	Program string `json:"program"`
	// Launches that every run ended. The others do not count.
	Launches int       `json:"launches"`
	Ways     []Figures `json:"ways,omitempty"`
	Late     bool      `json:"late,omitempty"`   // the limit ended a run
	Reason   string    `json:"reason,omitempty"` // why it is not in the table
}

// Figures are the figures of a program in one way.
type Figures struct {
	Way
	Speed
	Slowest *Kernel `json:"slowest,omitempty"` // a kernel much slower than the program
}

// Speed is what launches executed, and how fast.
type Speed struct {
	WarpInstructions uint64  `json:"warp_instructions"`
	Seconds          float64 `json:"seconds"` // inside launches
	Rate             float64 `json:"warp_instructions_per_second"`
}

// Kernel is the speed of a kernel.
type Kernel struct {
	Name string `json:"kernel"`
	Speed
}

// Measure runs the program of that name in all ways.
func (b *Bench) Measure(ctx context.Context, name string) *Row {
	row := &Row{Program: name, Launches: math.MaxInt}
	runs := make([][]*Result, len(b.Ways))
	for range b.Rounds {
		for i, w := range b.Ways {
			b.Progress(fmt.Sprintf("%s, %v", name, w))
			r := Run(ctx, b.Limit, b.Command(name, w))
			if reason := r.unmeasured(); reason != "" {
				if i > 0 {
					reason = fmt.Sprintf("with %v: %s", w, reason)
				}
				return &Row{Program: name, Reason: reason}
			}
			row.Late = row.Late || r.Late
			row.Launches = min(row.Launches, len(r.Launches))
			runs[i] = append(runs[i], r)
		}
	}
	for i, w := range b.Ways {
		row.Ways = append(row.Ways, figures(w, runs[i], row.Launches))
	}
	if n := row.Ways[0].WarpInstructions; n < least {
		row.Reason = fmt.Sprintf("only %d warp-instructions", n)
	}
	return row
}

// least is the number of warp-instructions of a program that says something about speed.
const least = 1e6

// unmeasured is why a run has no figures, or "".
func (r *Result) unmeasured() string {
	switch {
	case r.Late && len(r.Launches) > 0:
		return ""
	case r.Verdict != Passed && r.Verdict != Silent:
		return fmt.Sprintf("%s: %s", r.Verdict, r.Reason)
	case len(r.Launches) == 0:
		return "its summary has no launches"
	}
	return ""
}

// figures describes the first launches of the fastest run.
func figures(w Way, runs []*Result, launches int) (best Figures) {
	for _, r := range runs {
		record := events.Record{Launches: r.Launches[:launches]}
		f := Figures{Way: w}
		kernels := record.Kernels()
		for i := range kernels {
			f.WarpInstructions += kernels[i].WarpInstructions
			f.Seconds += kernels[i].Seconds
		}
		f.Speed = speed(f.WarpInstructions, f.Seconds)
		f.Slowest = slowest(kernels, f.Speed)
		if best.Seconds == 0 || f.Seconds < best.Seconds {
			best = f
		}
	}
	return best
}

func speed(instructions uint64, seconds float64) Speed {
	return Speed{instructions, seconds, float64(instructions) / max(seconds, 1e-9)}
}

// A kernel is shown if its rate is below the program's times much, and it takes at least a share of
// the program's time.
const much, share = 0.85, 0.1

// slowest returns the slowest kernel that is shown, or nil.
func slowest(kernels []events.Kernel, all Speed) (k *Kernel) {
	for i := range kernels {
		s := speed(kernels[i].WarpInstructions, kernels[i].Seconds)
		if s.Rate < much*all.Rate && s.Seconds >= share*all.Seconds && (k == nil || s.Rate < k.Rate) {
			k = &Kernel{kernels[i].Name, s}
		}
	}
	return k
}

// String describes the way for people.
func (w Way) String() string {
	text := fmt.Sprintf("%d workers", w.Workers)
	if w.Workers == 1 {
		text = "1 worker"
	}
	if w.Build != "" {
		text += ", " + w.Build
	}
	return text
}
