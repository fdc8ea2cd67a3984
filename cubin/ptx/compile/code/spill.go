package code

import "fmt"

// Spills counts what did not fit the registers.
type Spills struct {
	Rounds         int // of spilling, after which allocation began again
	Words          int // put into local memory
	Rematerialised int // computed again where they are used
	Loads, Stores  int // instructions added
}

// allocate gives all virtual registers physical ones.
func allocate(f *Func) error {
	var temporary set
	for range maxRounds {
		l := analyse(f)
		s := newGroups(l, temporary)
		s.coalesce()
		var failed *group
		class := Cond
		for _, class = range []Class{Cond, Addr, Word} {
			n, g := s.allocateClass(class)
			if g != nil {
				failed = g
				break
			}
			if class == Word {
				f.registersUsed = n
			}
		}
		if failed == nil {
			s.assign()
			return nil
		}
		return fmt.Errorf("class %d does not fit", class)
	}
	return fmt.Errorf("registers do not fit after %d rounds", maxRounds)
}

// maxRounds bounds the rounds of spilling.
const maxRounds = 100
