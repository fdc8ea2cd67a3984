package sinks

import (
	"os"
	"sync"

	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/costs"
	"jacquard/observe/stats"
	"jacquard/observe/tags"
	"jacquard/simt"
)

// OpenStats begins files of statistics. program is the program's name, "" for the executable.
func OpenStats(v *knobs.Values, program string, log Log) (Sink, error) {
	if !v.Stats.Write {
		return nil, nil
	}
	if program == "" {
		program, _ = os.Executable() // unknown is ""
	}
	to := v.Stats.To
	out, err := to.Create(&stats.Run{Program: program, Policy: v.Policy, Workers: v.Workers, SIMD: v.Host.SIMD, Devices: v.Models})
	if err != nil {
		return nil, err
	}
	if err := out.Err(); err != nil { // a full disk must not stop the program
		log.Lost(err)
	}
	opened(log, "statistics: those of every launch go to", to.Path, out.Path())
	return &counting{out: out, tags: to.Tags, costs: to.Costs, log: log, described: map[*simt.Program]*stats.Kernel{}}, nil
}

// counting writes the counts of launches.
type counting struct {
	out   *stats.Writer
	tags  bool // count uniform and affine operands, too
	costs bool // count costs, too
	log   Log

	mu        sync.Mutex
	described map[*simt.Program]*stats.Kernel
}

// Begin attaches the recorder of operands and the observer of costs if the knob asks for them.
func (c *counting) Begin(l *Launch) (end func()) {
	var counters []interface{ Count(*simt.Stats) }
	if c.tags {
		counters = append(counters, tags.Attach(&l.Request))
	}
	if c.costs {
		counters = append(counters, costs.Attach(&l.Request))
	}
	return func() {
		for _, k := range counters {
			if l.Stats != nil {
				k.Count(l.Stats)
			}
		}
		c.add(l)
	}
}

// add writes the counts of a launch that was not refused.
func (c *counting) add(l *Launch) {
	if l.Stats == nil {
		return
	}
	launch := stats.Launch{Number: l.Number, Kernel: c.describe(l.Request.Program), Policy: l.Request.Policy, Device: l.Device, Shared: l.Request.Dynamic, Stats: *l.Stats}
	if l.Err != nil {
		launch.Error = l.Err.Error()
	}
	if launch.Stats.InStep != nil {
		launch.InStep = launch.Stats.InStep.String()
		launch.Stats.InStep = nil
	}
	if launch.Stats.Overrun != nil {
		launch.Overrun = launch.Stats.Overrun.String()
		launch.Stats.Overrun = nil
	}
	launch.Stats.Missed = nil
	if err := c.out.Add(&launch); err != nil {
		c.log.Lost(err)
	}
}

// End marks the end of the run.
func (c *counting) End() {
	if err := c.out.Close(); err != nil {
		c.log.Lost(err)
	}
}

// mostDescribed bounds the descriptions kept.
const mostDescribed = 64

// describe returns the description of a program.
func (c *counting) describe(p *simt.Program) *stats.Kernel {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.described[p]
	if k == nil {
		if len(c.described) == mostDescribed {
			clear(c.described)
		}
		k = stats.Describe(&p.Kernel)
		c.described[p] = k
	}
	return k
}
