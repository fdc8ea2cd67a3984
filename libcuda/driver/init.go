package driver

import (
	"errors"
	"slices"

	"jacquard/libcuda/driver/judge"
	"jacquard/libcuda/driver/sinks"
	"jacquard/ptx/jit"
	"jacquard/simt"
)

// Init starts the driver. Before it, all methods but DriverGetVersion and a few that say so answer
// ErrNotInitialized. Flags must be 0. A knob with a bad value makes every Init fail, with one log
// line.
func (t *Thread) Init(flags uint32) error {
	if flags != 0 {
		return ErrInvalidValue
	}
	d := t.d
	d.start.Do(func() {
		if err := d.open(); err != nil {
			d.failure = d.logged(failure(ErrInvalidValue, err, "cuInit: %v", err))
		}
	})
	return d.failure
}

func (d *Driver) open() error {
	v, err := d.config.Settings.Parse()
	if err != nil {
		return err
	}
	if d.config.Debug != nil && (v.Trace.Path != "" || d.config.Recorder != nil) {
		return errors.New("a debugged launch may run several times: leave out the trace")
	}
	d.settings, d.log.level = v, v.Log
	d.ptx.compiler = jit.New(d.config.JIT)
	summary, err := sinks.OpenSummary(&v, d.config.Launched, &d.log)
	if err != nil {
		return err
	}
	// Sinks are told of a launch in this order.
	d.sinks = append(d.sinks, d.config.Sinks...)
	if err := d.add(d.openListener()); err != nil {
		return err
	}
	if b := sinks.NewBundle(v.Record, &d.log); b != nil {
		d.sinks, d.listeners = append(d.sinks, b), append(d.listeners, bundled{b})
	}
	if summary != nil {
		d.sinks = append(d.sinks, summary)
	}
	if err := d.add(sinks.OpenProgress(&v, &d.log)); err != nil {
		return err
	}
	if d.findings, err = sinks.OpenFindings(&v, d.config.Stderr, d.config.Later.Found, &d.log); err != nil {
		return err
	}
	d.judge = judge.New(v.Check.Set, d.found)
	if d.findings != nil {
		d.sinks = append(d.sinks, d.findings)
	}
	if !d.config.Later.Files {
		if err := d.openFiles(); err != nil {
			return err
		}
	}
	d.sums = d.config.Recorder == nil && len(d.config.Sinks) == 0 && !v.Stats.Write
	for i, key := range v.Models {
		m := modelOf(key)
		d.devices = append(d.devices, &device{ordinal: Device(i), model: m, warp: simt.WarpLanes(d.settings.Policy)})
		d.log.Info("device %d is a simulated %s (%s)", i, m.name, m.arch)
	}
	if summary != nil {
		summary.Init(Version, &v)
	}
	for _, hint := range d.config.Hints {
		d.log.Error("%s", hint)
	}
	d.ready.Store(true)
	if d.config.Debug != nil {
		d.config.Debug.Begin()
	}
	return nil
}

// OpenFiles begins the files of launches that Later.Files kept from Init. No launch may run
// meanwhile.
func (d *Driver) OpenFiles() error {
	if err := d.openFiles(); err != nil {
		return d.logged(failure(ErrInvalidValue, err, "%v", err))
	}
	return nil
}

// openFiles begins the trace, the bundle and the statistics of the settings. The trace is told of a
// launch before the listener, the statistics are told last.
func (d *Driver) openFiles() error {
	trace, err := sinks.OpenTrace(d.settings.Trace, &d.log)
	if err != nil {
		return err
	}
	if trace != nil {
		d.sinks = slices.Insert(d.sinks, len(d.config.Sinks), trace)
	}
	for _, s := range d.sinks {
		if b, ok := s.(*sinks.Bundle); ok {
			if err := b.Open(); err != nil {
				return err
			}
		}
	}
	return d.add(sinks.OpenStats(&d.settings, d.config.Program, &d.log))
}

// add adds an opened sink; s is nil if no knob asks for it.
func (d *Driver) add(s sinks.Sink, err error) error {
	if s != nil {
		d.sinks = append(d.sinks, s)
	}
	return err
}

// DriverGetVersion returns Version. It works before Init.
func (t *Thread) DriverGetVersion() (int, error) { return Version, nil }

// initialized answers ErrNotInitialized before Init has succeeded, and ErrNotPermitted inside a
// stream's callback.
func (t *Thread) initialized() error {
	if t.inCallback {
		return ErrNotPermitted
	}
	if !t.d.ready.Load() {
		return ErrNotInitialized
	}
	return nil
}

// NotSupported stands for every function of the API that this driver lacks: it logs the function's
// name the first time and answers ErrNotSupported.
func (t *Thread) NotSupported(function string) error {
	if err := t.initialized(); err != nil {
		return err
	}
	t.d.log.Once("%s is not supported", function)
	return ErrNotSupported
}
