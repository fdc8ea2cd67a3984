package bind

import (
	"os"
	"slices"

	"jacquard/cubin"
	"jacquard/cubin/carrier"
	"jacquard/tesla"
)

// findCode fills in the device code that the program carries.
func (r *Report) findCode() error {
	data, err := os.ReadFile(r.Program)
	if err != nil {
		return err
	}
	found, err := carrier.Find(data)
	if err != nil {
		return nil // a broken cubin is no program
	}
	runs, ptx := false, false
	for _, m := range found.Modules {
		for i := range m.Contents.Entries {
			e := &m.Contents.Entries[i]
			if target := e.Target(); !slices.Contains(r.Code, target) {
				r.Code = append(r.Code, target)
			}
			runs = runs || e.Runs(tesla.SM13)
			ptx = ptx || e.Container == cubin.PTX
		}
	}
	slices.Sort(r.Code)
	switch {
	case len(r.Code) == 0 || runs:
	case ptx:
		r.note("it carries PTX and no machine code for sm_10 .. sm_13: the simulator compiles its modules")
	default:
		r.note("it carries no machine code for sm_10 .. sm_13 and no PTX: its modules load only from other files")
	}
	return nil
}
