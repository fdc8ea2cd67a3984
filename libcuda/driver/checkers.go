package driver

import "jacquard/simt/check"

// checkers look for mistakes of the kernels of a context, from launch to launch.
type checkers struct{ race *check.Race }

// checker returns what looks for mistakes in a launch of the context, by its number; nil if nothing
// does.
func (c *context) checker(number int) check.Checker {
	wanted := c.d.settings.Check.Set
	found := func(f check.Finding) {
		f.Launch = number
		c.d.found(f)
	}
	var list []check.Checker
	if wanted.Has(check.KindRace) {
		if c.checkers.race == nil {
			c.checkers.race = &check.Race{}
		}
		c.checkers.race.Found = found
		list = append(list, c.checkers.race)
	}
	return check.Together(list...)
}
