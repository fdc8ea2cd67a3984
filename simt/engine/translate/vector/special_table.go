package vector

import (
	"bytes"

	"jacquard/sfu"
	"jacquard/simt/engine/translate/x86"
)

// coefficients are the coefficients of a special function in the two columns that the function
// uses.
type coefficients struct {
	name    string                           // the function in package sfu
	rows    int                              // size of its table: 64 or 128
	columns func(c0, c1, c2 int32) [2]uint32 // makes an interval's two words
	swap    bool                             // whether the table's halves are swapped
	shift   int                              // from the argument to the index, whose low bits count
}

// table is a table of coefficients in the pool, column by column.
type table [2]x86.Operand

// table puts the words of the coefficients into the pool.
func (b *Builder) table(k *coefficients) table { return b.tableOf(k, k.name, false) }

// planes puts the bytes of the coefficients into the pool: the lowest bytes of a column's words,
// then the next.
func (b *Builder) planes(k *coefficients) table { return b.tableOf(k, k.name+" bytes", true) }

func (b *Builder) tableOf(k *coefficients, name string, planes bool) table {
	if t, ok := b.tables[name]; ok {
		return t
	}
	rows := sfu.Quadratics(k.name)
	var t table
	for c := range t {
		data := make([]byte, 4*k.rows)
		for i := range k.rows {
			from := i
			if k.swap {
				from ^= k.rows / 2
			}
			r := rows[from]
			w := k.columns(r[0], r[1], r[2])[c]
			for n := range 4 {
				if planes {
					data[n*k.rows+i] = byte(w >> (8 * n))
				} else {
					data[4*i+n] = byte(w >> (8 * n))
				}
			}
		}
		t[c] = b.a.Const(data, 64)
	}
	b.tables[name] = t
	return t
}

// signedHalves is a word of two signed halves.
func signedHalves(high, low int32) uint32 {
	if high != int32(int16(high)) || low != int32(int16(low)) {
		panic("vector: 16 bits are not enough for a coefficient")
	}
	return uint32(high)<<16 | uint32(low)&0xffff
}

// lookupFor returns the columns of the coefficients of each of two vectors of arguments. It looks
// up each vector when asked, or both vectors at once, byte by byte. Looking up bytes gains nothing
// for 64 coefficients.
func (b *Builder) lookupFor(k *coefficients, x [2]Vec) func(i int) [2]Vec {
	if b.Level == AVX512 && b.Bytes && k.rows == 128 {
		both := b.lookupBoth(k, x)
		return func(i int) [2]Vec { return both[i] }
	}
	return func(i int) [2]Vec { return b.lookup(k, b.shr(x[i], k.shift)) }
}

// lookupBoth is lookup for two vectors of arguments and 128 coefficients, byte by byte. Each 16-bit
// word repeats the index of a lane in both bytes, so one vector of words holds the indexes of both
// vectors. A permutation under a mask looks up one byte for all lanes.
func (b *Builder) lookupBoth(k *coefficients, x [2]Vec) (columns [2][2]Vec) {
	t := b.planes(k)
	index := b.use(x86.VPACKUSDW, b.shr(x[0], k.shift), b.shr(x[1], k.shift))
	b.in(x86.VPSHUFB, index, b.bytes16(func(i int) byte { return byte(i &^ 1) }))
	halves := [2]Mask{b.bytesMask(0x55), b.bytesMask(0xaa)} // of words
	low := b.Vec()
	for c, column := range t {
		var words [2]Vec // the lower and upper halves of the coefficients
		for i := range words {
			words[i] = b.copy(index)
			for n, m := range halves {
				plane := column.Disp(int32(128 * (2*i + n)))
				b.two(x86.VMOVDQU32, low, Mem(plane))
				b.under(m, x86.VPERMI2B, words[i], low, Mem(plane.Disp(64)))
			}
		}
		columns[0][c] = b.op(x86.VPUNPCKLWD, words[0], words[1])
		columns[1][c] = b.in(x86.VPUNPCKHWD, words[0], words[1])
		b.Free(words[1])
	}
	b.Free(low, index)
	b.FreeMask(halves[:]...)
	return columns
}

// bytesMask returns a mask of bytes that repeats eight bits.
func (b *Builder) bytesMask(bits byte) Mask {
	m := b.Mask()
	b.a.V(x86.Ins{Op: x86.KMOVQ, D: uint8(m), RM: b.a.Const(bytes.Repeat([]byte{bits}, 8), 8)})
	return m
}

// lookup returns the columns of the coefficients at index i, which it consumes. Only as many low
// bits of i count as the table's length needs.
func (b *Builder) lookup(k *coefficients, i Vec) (columns [2]Vec) {
	t := b.table(k)
	if b.Level == AVX2 {
		b.andIn(i, b.Literal(uint32(k.rows-1)))
		all := b.Vec()
		for c := range columns {
			columns[c] = b.Vec()
			b.a.Lea(64, x86.RAX, t[c])
			b.three(x86.VPCMPEQD, all, all, all)
			b.three(x86.VPGATHERDD, columns[c], all, Mem(x86.At(x86.RAX, 0).Gather(uint8(i), 4)))
		}
		b.Free(all, i)
		return columns
	}
	// A permutation looks up 32 entries. It overwrites the indexes under a mask, so two
	// permutations look up 64.
	odd := b.nonzero(i, b.Literal(32))
	even := b.Mask()
	b.a.V(x86.Ins{Op: x86.KNOTW, D: uint8(even), RM: x86.K(uint8(odd))})
	part := func(c, k int) Vec {
		low, d := b.Vec(), b.copy(i)
		for n, m := range []Mask{even, odd} {
			at := int32(128 * (k + n))
			b.two(x86.VMOVDQU32, low, Mem(t[c].Disp(at)))
			b.under(m, x86.VPERMI2D, d, low, Mem(t[c].Disp(at+64)))
		}
		b.Free(low)
		return d
	}
	for c := range columns {
		columns[c] = part(c, 0)
	}
	if k.rows == 128 {
		upper := b.nonzero(i, b.Literal(64))
		for c := range columns {
			d := part(c, 2)
			b.under(upper, x86.VPBLENDMD, columns[c], columns[c], d)
			b.Free(d)
		}
		b.FreeMask(upper)
	}
	b.FreeMask(odd, even)
	b.Free(i)
	return columns
}
