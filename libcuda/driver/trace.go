package driver

import (
	"jacquard/simt"
	"jacquard/simt/trace"
)

// openTrace begins the trace that the knob asks for.
func (d *Driver) openTrace(k fileKnob[trace.Options]) (err error) {
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
