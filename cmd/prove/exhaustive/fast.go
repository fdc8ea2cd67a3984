package main

import (
	"jacquard/fpu"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/lane"
)

// unaryTasks compares the fast form of every operation on one 32-bit word with its reference.
// Negation and absolute value of a source are word operations before the function; sampling tests
// both, except in instructions without another function.
func unaryTasks(f forms) []task {
	var tasks []task
	for _, s := range specials(f) {
		tasks = append(tasks, unary("sfu "+s.name, s.row, s.scalar))
	}
	tasks = append(tasks,
		unary("f32 sat", f.row(lane.FSat, each((*vector.Builder).FSat)), fpu.Sat),
		unary("f32 flags", func(d, a *row) {
			s := lane.Sel{Full: true}
			s.Add(0, lane.All)
			var flags [1]lane.Flags
			lane.FFlags(flags[:], lane.RowsOf(a, 0), &s)
			for i := range d {
				d[i] = uint32(flagsOf(&flags[0], i))
			}
		}, func(x uint32) uint32 { return uint32(fpu.FlagsOf(x)) }))
	for _, c := range conversions() {
		tasks = append(tasks, unary("cvt "+c.String(), f.conversion(c), func(x uint32) uint32 {
			r, _ := c.Do(uint64(x))
			return uint32(r)
		}))
	}
	return tasks
}

// narrow lists the kinds of up to 32 bits.
var narrow = [...]fpu.Kind{fpu.U8, fpu.S8, fpu.U8W, fpu.S8W, fpu.U16, fpu.S16, fpu.U32, fpu.S32, fpu.F16, fpu.F32}

// conversions lists the conversions of 32-bit words with the modifiers that change the function.
func conversions() []fpu.Conversion {
	all := []fpu.Conversion{
		{To: fpu.F32, From: fpu.F32},
		{To: fpu.F32, From: fpu.F32, Abs: true},
		{To: fpu.F32, From: fpu.F32, Neg: true},
		{To: fpu.F32, From: fpu.F32, Abs: true, Neg: true},
		{To: fpu.F32, From: fpu.F32, Sat: true},
	}
	for r := range fpu.RZ + 1 {
		for _, to := range narrow {
			if to != fpu.F16 && to != fpu.F32 {
				all = append(all, fpu.Conversion{To: to, From: fpu.F32, Round: r})
				continue
			}
			all = append(all,
				fpu.Conversion{To: to, From: fpu.U32, Round: r},
				fpu.Conversion{To: to, From: fpu.S32, Round: r},
				fpu.Conversion{To: to, From: fpu.F32, Round: r, Integral: true},
				fpu.Conversion{To: to, From: fpu.F32, Round: r, Integral: true, Sat: true})
			if to == fpu.F16 {
				all = append(all,
					fpu.Conversion{To: to, From: fpu.F32, Round: r},
					fpu.Conversion{To: to, From: fpu.F32, Round: r, Sat: true})
			}
		}
	}
	for _, to := range narrow[:8] {
		all = append(all, fpu.Conversion{To: to, From: fpu.U32}, fpu.Conversion{To: to, From: fpu.S32})
	}
	return all
}

// conversion returns the fast form of a conversion.
func (f forms) conversion(c fpu.Conversion) func(d, a *row) {
	return f.row(lane.Convert(c), func(b *vector.Builder, x [2]vector.Vec) (d [2]vector.Vec, ok bool) {
		for i := range x {
			if d[i], ok = b.Convert(c, x[i]); !ok {
				return d, false
			}
		}
		return d, true
	})
}

// unary compares fast with scalar.
func unary(name string, fast func(d, a *row), scalar func(uint32) uint32) task {
	return task{name, words, func(first uint32, n int) error {
		var a, d row
		for i := 0; i < n; i += len(row{}) {
			count(&a, first+uint32(i))
			fast(&d, &a)
			for lane, x := range a {
				if want := scalar(x); d[lane] != want {
					return &mismatch{name, x, uint64(d[lane]), uint64(want)}
				}
			}
		}
		return nil
	}}
}

// smallConversions compares the conversions of 8- and 16-bit values, with all modifiers.
func smallConversions(f forms) []task {
	var tasks []task
	for _, from := range []fpu.Kind{fpu.U8, fpu.S8, fpu.U8W, fpu.S8W, fpu.U16, fpu.S16, fpu.F16} {
		for _, to := range narrow {
			var each []task
			for mods := range 64 {
				c := fpu.Conversion{
					To: to, From: from, Round: fpu.Round(mods & 3),
					Abs: mods&4 != 0, Neg: mods&8 != 0, Sat: mods&16 != 0, Integral: mods&32 != 0,
				}
				each = append(each, unary(c.String(), f.conversion(c), func(x uint32) uint32 {
					r, _ := c.Do(uint64(x))
					return uint32(r)
				}))
			}
			tasks = append(tasks, task{"small " + to.String() + " " + from.String(), 1 << 16, func(first uint32, n int) error {
				for _, t := range each {
					if err := t.check(first, n); err != nil {
						return err
					}
				}
				return nil
			}})
		}
	}
	return tasks
}
