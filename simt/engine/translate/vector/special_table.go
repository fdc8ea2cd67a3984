package vector

import (
	"encoding/binary"

	"jacquard/sfu"
	"jacquard/simt/engine/translate/x86"
)

// table holds the coefficients of a special function in the two columns that the function uses.
type table struct {
	columns [2]x86.Operand
	rows    int
}

// table puts the table of a function into the pool. column makes two words of the coefficients of
// interval i.
func (b *Builder) table(name string, column func(c0, c1, c2 int32) [2]uint32, swap bool) table {
	if t, ok := b.tables[name]; ok {
		return t
	}
	rows := sfu.Quadratics(name)
	var data [2][]byte
	for i := range rows {
		if swap {
			i ^= len(rows) / 2
		}
		for c, w := range column(rows[i][0], rows[i][1], rows[i][2]) {
			data[c] = binary.LittleEndian.AppendUint32(data[c], w)
		}
	}
	t := table{rows: len(rows)}
	for c := range t.columns {
		t.columns[c] = b.a.Const(data[c], 64)
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

// lookup returns the columns of a table at index i, which it consumes. Only as many low bits of i
// count as the table's length needs.
func (b *Builder) lookup(t table, i Vec) (columns [2]Vec) {
	if b.Level == AVX2 {
		b.andIn(i, b.Literal(uint32(t.rows-1)))
		all := b.Vec()
		for c := range columns {
			columns[c] = b.Vec()
			b.a.Lea(64, x86.RAX, t.columns[c])
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
			b.two(x86.VMOVDQU32, low, Mem(t.columns[c].Disp(at)))
			b.under(m, x86.VPERMI2D, d, low, Mem(t.columns[c].Disp(at+64)))
		}
		b.Free(low)
		return d
	}
	for c := range columns {
		columns[c] = part(c, 0)
	}
	if t.rows == 128 {
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
