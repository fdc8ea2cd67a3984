package driver

import (
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/shadow"
)

// checkers look for mistakes of the kernels of a context, from launch to launch.
type checkers struct {
	race   *check.Race
	shadow *shadow.Memory  // what nobody wrote; nil: nobody asks
	found  []check.Finding // by the launch that runs
}

// checkers returns those of a context without memory.
func (d *Driver) checkers() (x checkers) {
	if d.settings.Check.Has(check.KindInit) {
		x.shadow = shadow.NewMemory()
	}
	return x
}

// checker returns what looks for mistakes in a launch of the context; nil if nothing does.
func (c *context) checker() check.Checker {
	x := &c.checkers
	var list []check.Checker
	if c.d.settings.Check.Has(check.KindRace) {
		if x.race == nil {
			x.race = &check.Race{Found: x.add}
		}
		list = append(list, x.race)
	}
	return check.Together(list...)
}

// add keeps a finding until the launch ends: it may run again.
func (x *checkers) add(f check.Finding) { x.found = append(x.found, f) }

// watched returns what runs a launch of the context, by its number, and looks for its mistakes.
func (c *context) watched(number int) func(*simt.Launch) (*simt.Stats, error) {
	return func(l *simt.Launch) (*simt.Stats, error) {
		x := &c.checkers
		defer func() {
			for _, f := range x.found {
				f.Launch = number
				c.d.found(f)
			}
			x.found = nil
		}()
		l.Checker = c.checker()
		if x.shadow == nil {
			return simt.Run(l)
		}
		return x.shadow.Run(l, func() { x.found = nil }, x.add)
	}
}
