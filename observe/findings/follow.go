package findings

import "jacquard/simt/check"

// races are the reads of errors of kind race.
type races map[raceRead]bool

// raceRead is an instruction that reads memory of a space.
type raceRead struct {
	kernel, space string
	pc            uint32
}

// newRaces returns the reads of races.
func newRaces(list []check.Finding) races {
	r := races{}
	for i := range list {
		f := &list[i]
		if f.Kind != check.KindRace || f.Level != check.Error {
			continue
		}
		for _, s := range append([]check.Site{f.At}, f.With...) {
			if s.Device != nil && s.Role != "write" {
				r[raceRead{kernelAt(f, &s), f.Space, s.Device.PC}] = true
			}
		}
	}
	return r
}

// cause reports whether the value of a finding of kind init was read by an access of a race: the read
// may only have come before its write.
func (r races) cause(f *check.Finding) bool {
	if f.Kind != check.KindInit {
		return false
	}
	read := &f.At
	if len(f.With) > 0 {
		read = &f.With[0]
	}
	return read.Device != nil && r[raceRead{kernelAt(f, read), f.Space, read.Device.PC}]
}

// follow makes notes of what may follow from a race that is reported: of one mistake, one error is
// enough.
func (r *Report) follow() {
	known := newRaces(r.Findings)
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Level == check.Error && known.cause(f) {
			f.Level = check.Note
			f.Advice = "Order the accesses of the race at the same read first. If this remains, write the value before it is read."
		}
	}
}
