package driver

import (
	"os"
	"slices"

	"jacquard/simt"
	"jacquard/simt/stats"
	"jacquard/simt/tags"
)

// statsKnob is the stats knob's value, understood.
type statsKnob struct {
	count bool
	write bool // to
	to    stats.Target
}

// readStatsKnob reads the knob: on, off or where statistics go.
func readStatsKnob(value string) (k statsKnob, err error) {
	switch value {
	case "on":
		k.count = true
	case "off":
	default:
		k.count, k.write = true, true
		k.to, err = stats.ParseTarget(value)
		k.to.Path = ofProcess(k.to.Path)
	}
	return k, err
}

// openStats begins the files that the knob asks for.
func (d *Driver) openStats() error {
	s := &d.settings
	if !s.stats.write {
		return nil
	}
	r := stats.Run{Program: d.config.Program, Policy: s.policy, Workers: s.workers, SIMD: s.simd}
	if r.Program == "" {
		r.Program, _ = os.Executable() // unknown is ""
	}
	for _, m := range s.models {
		r.Devices = append(r.Devices, m.key)
	}
	sink, err := s.stats.to.Create(&r)
	if err != nil {
		return err
	}
	d.stats = sink
	if err := sink.Err(); err != nil { // the disk is full: what was asked of the program can be done all the same
		d.log.once("%v", err)
	}
	d.writes("statistics: those of every launch go to", s.stats.to.Path, sink.Path())
	return nil
}

// countOperands makes a launch count uniform and affine operands, if somebody asked for it. What it returns adds them to
// what the launch counted.
func (d *Driver) countOperands(l *simt.Launch) (count func(*simt.Stats)) {
	if !d.settings.stats.to.Tags {
		return func(*simt.Stats) {}
	}
	return tags.Attach(l).Count
}

// keep writes what a launch of f counted, if somebody asked for it. Launches that were refused
// counted nothing.
func (f *function) keep(l *simt.Launch, counted *simt.Stats, failure error) {
	d := f.module.ctx.d
	if d.stats == nil || counted == nil {
		return
	}
	if f.described == nil {
		f.described = stats.Describe(&l.Program.Kernel)
	}
	launch := stats.Launch{Kernel: f.described, Device: f.module.ctx.device.model.key, Shared: l.Dynamic, Stats: *counted}
	if failure != nil {
		launch.Error = failure.Error()
	}
	if launch.Stats.InStep != nil {
		launch.InStep = launch.Stats.InStep.String()
		launch.Stats.InStep = nil
	}
	if launch.Stats.Overrun != nil {
		launch.Overrun = launch.Stats.Overrun.String()
		launch.Stats.Overrun = nil
	}
	if err := d.stats.Add(&launch); err != nil {
		d.log.once("%v", err)
	}
}

// wantStats says what the knob takes, whose words are values.
func wantStats(values []string) string {
	return list(append(slices.Clone(values), stats.WantTarget))
}
