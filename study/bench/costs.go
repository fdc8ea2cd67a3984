package bench

import (
	"io"
	"time"

	"jacquard/observe/trace"
	"jacquard/simt"
)

// Undivided names the workload for costs that should be nothing: its warps stay together. Divided
// names one whose warps diverge.
const (
	Undivided = "matmul"
	Divided   = "collatz"
)

// The costs that have a goal.
const (
	idleObserver = "idle observer"
	pathTrace    = "trace"
	valueTrace   = "trace with values"
)

// cost is a way to launch that is slower, or faster, than a plain launch.
type cost struct {
	name    string
	prepare func(l *simt.Launch) (end func() error, err error)
}

// costs lists the ways to launch, the plain one first.
func costs() []cost {
	policy := func(name string) func(l *simt.Launch) (func() error, error) {
		return func(l *simt.Launch) (func() error, error) { l.Policy = name; return nil, nil }
	}
	recorder := func(o trace.Options) func(l *simt.Launch) (func() error, error) {
		return func(l *simt.Launch) (func() error, error) {
			var failed error
			r, err := trace.NewRecorder(io.Discard, o, func(err error) { failed = err })
			if err != nil {
				return nil, err
			}
			end := r.Attach(l, "", 0)
			return func() error { end(nil); r.Close(); return failed }, nil
		}
	}
	return []cost{
		{"", func(*simt.Launch) (func() error, error) { return nil, nil }},
		{"no statistics", func(l *simt.Launch) (func() error, error) { l.NoStats = true; return nil, nil }},
		{idleObserver, func(l *simt.Launch) (func() error, error) { l.Observer = idle{}; return nil, nil }},
		{"empty observer", func(l *simt.Launch) (func() error, error) { l.Observer = empty{}; return nil, nil }},
		{pathTrace, recorder(trace.Options{})},
		{valueTrace, recorder(trace.Options{Values: trace.Values{Registers: true, Addresses: true, Data: true}})},
		{"policy stackless", policy("stackless")},
		{"policy pdom", policy("pdom")},
	}
}

// idle is attached and declines every block; empty sees every issue and does nothing.
type (
	idle  struct{}
	empty struct{}
)

func (idle) Block(*simt.Block) simt.BlockObserver  { return nil }
func (empty) Block(*simt.Block) simt.BlockObserver { return empty{} }
func (empty) Issue(*simt.Issue)                    {}
func (empty) End()                                 {}

// Costs launches the workload rounds times in every way of costs. A result's Relative compares it
// with the plain launch right before. The first result is for plain launches. All launches have one
// worker.
func (b *Bench) Costs(rounds int) ([]*Result, error) {
	ways := costs()
	all, relative := make([]fastest, len(ways)), make([]ratios, len(ways))
	for round := range 1 + rounds { // the first round warms up
		for i := range ways {
			plain, err := b.launchWith(&ways[0])
			if err != nil {
				return nil, err
			}
			s := plain
			if i > 0 {
				if s, err = b.launchWith(&ways[i]); err != nil {
					return nil, err
				}
			}
			if round > 0 {
				all[i].add(s)
				relative[i].add(s, plain)
			}
		}
	}
	var results []*Result
	for i := range ways {
		r := b.result(&all[i])
		plain := r
		if i > 0 {
			plain = results[0]
		}
		r.With, r.Workers, r.Relative = ways[i].name, 1, relative[i].median()
		// Without statistics nothing is counted, but the work is the same.
		r.WarpInstructions, r.ThreadInstructions = plain.WarpInstructions, plain.ThreadInstructions
		r.WarpInstructionsPerSecond = float64(r.WarpInstructions) / r.Seconds
		r.ThreadInstructionsPerSecond = float64(r.ThreadInstructions) / r.Seconds
		results = append(results, r)
	}
	return results, nil
}

// launchWith launches once in the given way. The time includes all writing.
func (b *Bench) launchWith(way *cost) (*simt.Stats, error) {
	l := b.launch
	l.Workers = 1
	end, err := way.prepare(&l)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	s, err := b.run(&l)
	if err == nil && end != nil {
		err = end()
		s.Elapsed = time.Since(start)
	}
	return s, err
}
