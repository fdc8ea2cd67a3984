package driver

import (
	"jacquard/simt"
	"jacquard/simt/trace"
)

// traceKnob is the trace knob's value, understood.
type traceKnob struct {
	path    string // "" for no trace
	options trace.Options
}

// readTraceKnob reads the knob.
func readTraceKnob(value string) (k traceKnob, err error) {
	if value == "" {
		return k, nil
	}
	k.path, k.options, err = trace.ParsePath(value)
	k.path = ofProcess(k.path)
	return k, err
}

// openTrace begins the trace that the knob asks for.
func (d *Driver) openTrace(k traceKnob) (err error) {
	if k.path == "" {
		return nil
	}
	d.trace, err = trace.Create(k.path, k.options, func(err error) { d.log.error("%v", err) })
	if err == nil {
		d.writes("trace: every launch is recorded in", k.path, d.trace.Path())
	}
	return err
}

// record attaches the trace to a launch. What it returns must be called with the launch's error.
func (d *Driver) record(l *simt.Launch) (end func(error)) {
	if d.trace == nil {
		return func(error) {}
	}
	return d.trace.Attach(l)
}
