package sinks

import (
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/trace"
)

// OpenTrace begins a trace.
func OpenTrace(file knobs.File[trace.Options], log Log) (Sink, error) {
	if file.Path == "" {
		return nil, nil
	}
	r, err := trace.Create(file.Path, file.Options, log.Lost)
	if err != nil {
		return nil, err
	}
	opened(log, "trace: every launch is recorded in", file.Path, r.Path())
	return tracing{r}, nil
}

type tracing struct{ *trace.Recorder }

// End marks the end of the run.
func (t tracing) End() { t.Close() }

// Begin attaches the trace's recorder, unless no device runs the launch.
func (t tracing) Begin(l *Launch) (end func()) {
	if l.refused() {
		return func() {}
	}
	record := t.Attach(&l.Request, l.Device, l.Number)
	return func() { record(l.Err) }
}
