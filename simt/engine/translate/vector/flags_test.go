package vector

import (
	"fmt"
	"testing"

	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
)

// flagging tests a body that collects flags and may have a result.
func flagging(name string, n int, emit func(b *Builder, x []Vec, part int) []Vec, want func(r *reference, f []lane.Flags)) body {
	return body{name: name, n: n, flags: true,
		emit: func(b *Builder, x []Vec, part int) []Vec { return emit(b, x, part) },
		want: func(r *reference) { want(r, r.flags[:]) }}
}

func carryMask(b *Builder, part int) Mask {
	if part%2 == 0 {
		return b.FromMemory(at(4), part)
	}
	b.a.Mov(32, x86.R(x86.RCX), at(4))
	return b.FromBits(x86.RCX, part)
}

func flagBodies() (list []body) {
	list = append(list, body{name: "AddCarry", n: 2,
		emit: func(b *Builder, x []Vec, part int) []Vec {
			m := carryMask(b, part)
			d := b.AddCarry(x[0], x[1], m)
			b.FreeMask(m)
			return []Vec{d}
		},
		want: func(r *reference) { lane.AddCarry(r.d(), r.x(0), r.x(1), r.flags[:], whole) }})
	for _, width := range []int{16, 32} {
		list = append(list, flagging(fmt.Sprint("ResultFlags/", width), 1,
			func(b *Builder, x []Vec, part int) []Vec { b.ResultFlags(x[0], width, part); return nil },
			func(r *reference, f []lane.Flags) { lane.ResultFlags(f, r.x(0), width, whole) }))
		for how := SumAdd; how <= SumCarry; how++ {
			for _, sat := range []bool{false, true} {
				list = append(list, flagging(fmt.Sprint("SumFlags/", how, "/", width, "/", sat), 2,
					func(b *Builder, x []Vec, part int) []Vec {
						m := carryMask(b, part)
						b.SumFlags(how, width, sat, x[0], x[1], m, part)
						d := b.SumSat(how, width, x[0], x[1], m)
						b.FreeMask(m)
						return []Vec{d}
					},
					func(r *reference, f []lane.Flags) {
						carry := f[0]
						switch x, y := r.x(0), r.x(1); how {
						case SumAdd:
							lane.AddFlags(f, x, y, width, sat, whole)
							lane.AddSat(r.d(), x, y, width, whole)
						case SumSub:
							lane.SubFlags(f, x, y, width, sat, whole)
							lane.SubSat(r.d(), x, y, width, whole)
						default:
							lane.AddCarryFlags(f, x, y, []lane.Flags{carry}, width, sat, whole)
							lane.AddCarrySat(r.d(), x, y, []lane.Flags{carry}, width, whole)
						}
					}))
			}
		}
		for how := ShiftLeft; how <= ShiftRightS; how++ {
			k := flagging(fmt.Sprint("ShiftFlags/", how, "/", width), 2,
				func(b *Builder, x []Vec, part int) []Vec {
					n := b.copy(x[1])
					v := b.copy(x[0])
					if width == 16 {
						b.Free(n, v)
						n = b.ExtractLowU(x[1])
						v = b.ExtractLowU(x[0])
						if how == ShiftRightS {
							b.Free(v)
							v = b.ExtractLowS(x[0])
						}
					}
					b.ShiftFlags(how, width, v, n, part)
					b.Free(n, v)
					return nil
				},
				func(r *reference, f []lane.Flags) {
					if width == 16 {
						for i := range r.in[0] {
							r.in[1][i] &= 0xffff
							r.in[0][i] &= 0xffff
							if how == ShiftRightS {
								r.in[0][i] = uint32(int16(r.in[0][i]))
							}
						}
					}
					switch how {
					case ShiftLeft:
						lane.ShlFlags(f, r.x(0), r.x(1), width, whole)
					case ShiftRightU:
						lane.ShrUFlags(f, r.x(0), r.x(1), width, whole)
					default:
						lane.ShrSFlags(f, r.x(0), r.x(1), width, whole)
					}
				})
			list = append(list, k)
		}
	}
	list = append(list,
		flagging("FFlags", 1, func(b *Builder, x []Vec, part int) []Vec { b.FFlags(x[0], part); return nil },
			func(r *reference, f []lane.Flags) { lane.FFlags(f, r.x(0), whole) }),
		flagging("FSlctFlags", 1, func(b *Builder, x []Vec, part int) []Vec { b.FSlctFlags(x[0], part); return nil },
			func(r *reference, f []lane.Flags) { lane.FSlctFlags(f, r.x(0), whole) }),
		flagging("DFlags", 2, func(b *Builder, x []Vec, part int) []Vec { b.DFlags(Pair{x[0], x[1]}, part); return nil },
			func(r *reference, f []lane.Flags) { lane.DFlags(f, r.pair(0), whole) }))
	for i := range list {
		list[i].words = smallCount
	}
	return list
}

// smallCount makes half of the words small: counts of shifts.
func smallCount(x uint32) uint32 {
	if x&1 != 0 {
		return x >> 1 % 40
	}
	return floatWord(x >> 1)
}

func TestFlags(t *testing.T) { run(t, flagBodies()) }
