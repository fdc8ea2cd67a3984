package main

import (
	"fmt"

	"jacquard/simt/engine/reference/alu"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// pairOp is an operation on two 16-bit values: the kernel, on operands extended as engines extend
// them, and the reference.
type pairOp struct {
	name   string
	signed bool // how operands are extended
	width  int  // of the result
	run    func(d, a, b lane.Rows, f []lane.Flags, s *lane.Sel)
	ref    func(a, b uint32) (r uint32, flags uint8)
}

// integerTasks compares every 16-bit integer operation with its reference, result and
// flags, for all pairs of operands.
func integerTasks() []task {
	ops := append(sums(), comparisons()...)
	for _, op := range logic() {
		op.width = 16
		ops = append(ops, op)
	}
	ops = append(ops, products()...)
	ops = append(ops, shifts()...)
	tasks := make([]task, len(ops))
	for i, op := range ops {
		tasks[i] = op.task()
	}
	return tasks
}

// warps is the number of rows per kernel call.
const warps = lane.MaxWarps

func (op pairOp) task() task {
	name := "int16 " + op.name
	return task{name, words, func(first uint32, n int) error {
		var a, b, d [warps]lane.Row
		var f [warps]lane.Flags
		s := &lane.Sel{N: warps, Full: true}
		for w := range warps {
			s.Warp[w], s.Mask[w] = uint8(w), lane.All
		}
		for i := 0; i < n; i += warps * lane.Width {
			for w := range warps {
				op.operands(&a[w], &b[w], first+uint32(i+w*lane.Width))
				f[w] = lane.Flags{C: lane.All} // the carry that addc reads
			}
			op.run(lane.RowsOf(&d[0], 1), lane.RowsOf(&a[0], 1), lane.RowsOf(&b[0], 1), f[:], s)
			for w := range warps {
				if k, want := op.wrong(&a[w], &b[w], &d[w], &f[w]); k >= 0 {
					got := uint64(alu.Extend(d[w][k], op.width, false)) | uint64(flagsOf(&f[w], k))<<32
					return &mismatch{name, first + uint32(i+w*lane.Width+k), got, want}
				}
			}
		}
		return nil
	}}
}

// operands extends the halves of 32 inputs from first on; a is the upper half.
func (op *pairOp) operands(a, b *lane.Row, first uint32) {
	for k := range a {
		x := first + uint32(k)
		if op.signed {
			a[k], b[k] = uint32(int32(x)>>16), uint32(int16(x))
		} else {
			a[k], b[k] = x>>16, x&0xffff
		}
	}
}

// wrong returns the first lane whose result or flags differ from the reference, or -1, and the
// reference's answer with the flags above the result.
func (op *pairOp) wrong(a, b, d *lane.Row, f *lane.Flags) (k int, want uint64) {
	unused := 32 - op.width
	for k := range d {
		r, flags := op.ref(a[k], b[k])
		if (d[k]^r)<<unused != 0 || flagsOf(f, k) != lane.Mask(flags) {
			return k, uint64(r) | uint64(flags)<<32
		}
	}
	return -1, 0
}

func flagsOf(f *lane.Flags, k int) lane.Mask {
	return f.Z>>k&1 | f.S>>k&1<<1 | f.C>>k&1<<2 | f.O>>k&1<<3
}

// sums lists the adder with and without saturation. The carry read is 1.
func sums() []pairOp {
	var ops []pairOp
	for _, sat := range []bool{false, true} {
		add := func(name string, variant tesla.Arith, run func(d, a, b lane.Rows, f []lane.Flags, s *lane.Sel)) {
			if sat {
				name += " sat"
			}
			ops = append(ops, pairOp{name, false, 16, run, func(a, b uint32) (uint32, uint8) {
				return alu.Add(variant, a, b, 16, true, sat)
			}})
		}
		add("add", tesla.Add, func(d, a, b lane.Rows, f []lane.Flags, s *lane.Sel) {
			lane.AddFlags(f, a, b, 16, sat, s)
			if sat {
				lane.AddSat(d, a, b, 16, s)
			} else {
				lane.Add(d, a, b, s)
			}
		})
		sub := func(d, a, b lane.Rows, f []lane.Flags, s *lane.Sel) {
			lane.SubFlags(f, a, b, 16, sat, s)
			if sat {
				lane.SubSat(d, a, b, 16, s)
			} else {
				lane.Sub(d, a, b, s)
			}
		}
		add("sub", tesla.Sub, sub)
		add("subr", tesla.SubR, func(d, a, b lane.Rows, f []lane.Flags, s *lane.Sel) { sub(d, b, a, f, s) })
		add("addc", tesla.AddC, func(d, a, b lane.Rows, f []lane.Flags, s *lane.Sel) {
			if sat {
				lane.AddCarrySat(d, a, b, f, 16, s)
			} else {
				lane.AddCarry(d, a, b, f, s)
			}
			lane.AddCarryFlags(f, a, b, f, 16, sat, s)
		})
	}
	return ops
}

// comparisons lists set with every condition, min and max.
func comparisons() []pairOp {
	var ops []pairOp
	for _, signed := range []bool{false, true} {
		sign, compare, least, most := "u16", lane.CompareU, lane.MinU, lane.MaxU
		if signed {
			sign, compare, least, most = "s16", lane.CompareS, lane.MinS, lane.MaxS
		}
		for cmp := range uint8(8) {
			ops = append(ops, pairOp{fmt.Sprintf("set %d %s", cmp, sign), signed, 16,
				func(d, a, b lane.Rows, f []lane.Flags, s *lane.Sel) {
					var m [lane.MaxWarps]lane.Mask
					compare(&m, a, b, cmp, s)
					lane.Expand(d, &m, s)
					lane.MaskFlags(f, &m, s)
				},
				func(a, b uint32) (uint32, uint8) { return alu.Set(a, b, cmp, 16, signed) }})
		}
		ops = append(ops,
			withFlags("min "+sign, signed, 16, least, func(a, b uint32) (uint32, uint8) { return alu.Min(a, b, 16, signed) }),
			withFlags("max "+sign, signed, 16, most, func(a, b uint32) (uint32, uint8) { return alu.Max(a, b, 16, signed) }))
	}
	return ops
}

// withFlags is an operation whose flags follow from its result alone.
func withFlags(name string, signed bool, width int, kernel func(d, a, b lane.Rows, s *lane.Sel), ref func(a, b uint32) (uint32, uint8)) pairOp {
	return pairOp{name, signed, width, func(d, a, b lane.Rows, f []lane.Flags, s *lane.Sel) {
		kernel(d, a, b, s)
		lane.ResultFlags(f, d, width, s)
	}, ref}
}

func logic() []pairOp {
	op := func(name string, kernel func(d, a, b lane.Rows, s *lane.Sel), ref func(a, b uint32) uint32) pairOp {
		return withFlags(name, false, 16, kernel, func(a, b uint32) (uint32, uint8) { return alu.Result(ref(a, b), 16, 0) })
	}
	return []pairOp{
		op("and", lane.And, func(a, b uint32) uint32 { return a & b }),
		op("and not2", lane.AndNot, func(a, b uint32) uint32 { return a &^ b }),
		op("or", lane.Or, func(a, b uint32) uint32 { return a | b }),
		op("or not2", lane.OrNot, func(a, b uint32) uint32 { return a | ^b }),
		op("xor", lane.Xor, func(a, b uint32) uint32 { return a ^ b }),
	}
}

func products() []pairOp {
	unsigned := func(a, b uint32) (uint32, uint8) { return alu.Mul(tesla.U16, false, a, b) }
	signed := func(a, b uint32) (uint32, uint8) { return alu.Mul(tesla.S16, false, a, b) }
	difference := func(signed bool) func(a, b uint32) (uint32, uint8) {
		return func(a, b uint32) (uint32, uint8) {
			r, _ := alu.Sad(a, b, 0, 16, signed)
			return alu.Result(r, 32, 0) // a sum with 0: no carry, no overflow
		}
	}
	return []pairOp{
		withFlags("mul u16", false, 32, lane.Mul, unsigned),
		withFlags("mul s16", true, 32, lane.Mul, signed),
		withFlags("sad u16", false, 32, lane.AbsDiffU, difference(false)),
		withFlags("sad s16", true, 32, lane.AbsDiffS, difference(true)),
	}
}

// shifts lists the shifts. Counts are extended like values; halves are unsigned.
func shifts() []pairOp {
	op := func(name string, run func(d, a, n lane.Rows, f []lane.Flags, s *lane.Sel), ref func(a, n uint32) (uint32, uint8)) pairOp {
		return pairOp{name, false, 16, run, ref}
	}
	return []pairOp{
		op("shl", func(d, a, n lane.Rows, f []lane.Flags, s *lane.Sel) {
			lane.ShlFlags(f, a, n, 16, s)
			lane.Shl(d, a, n, s)
		}, func(a, n uint32) (uint32, uint8) { return alu.Shl(a, n, 16) }),
		op("shr u16", func(d, a, n lane.Rows, f []lane.Flags, s *lane.Sel) {
			lane.ShrUFlags(f, a, n, 16, s)
			lane.ShrU(d, a, n, s)
		}, func(a, n uint32) (uint32, uint8) { return alu.Shr(a, n, 16, false) }),
		op("shr s16", func(d, a, n lane.Rows, f []lane.Flags, s *lane.Sel) {
			lane.ExtractLowS(a, a, s)
			lane.ShrSFlags(f, a, n, 16, s)
			lane.ShrS(d, a, n, s)
		}, func(a, n uint32) (uint32, uint8) { return alu.Shr(a, n, 16, true) }),
	}
}
