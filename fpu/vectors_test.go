package fpu

import (
	"compress/gzip"
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// vector is one row of a golden file.
type vector struct {
	op      string
	mods    []string
	a, b, c uint64
	r       uint64
	flags   int // -1: the instruction writes none
}

func (v vector) has(mod string) bool {
	for _, m := range v.mods {
		if m == mod {
			return true
		}
	}
	return false
}

func (v vector) round() Round {
	for i, name := range []string{"rn", "rm", "rp", "rz"} {
		if v.has(name) || v.has(name+"i") {
			return Round(i)
		}
	}
	return RN
}

// operands returns the 32-bit operands after their modifiers.
func (v vector) operands() (a, b, c uint32) {
	a, b, c = uint32(v.a), uint32(v.b), uint32(v.c)
	for _, m := range v.mods {
		switch m {
		case "abs1":
			a &^= sign32
		case "abs2":
			b &^= sign32
		}
	}
	for _, m := range v.mods {
		switch m {
		case "neg1":
			a ^= sign32
		case "neg2":
			b ^= sign32
		case "neg3":
			c ^= sign32
		}
	}
	return a, b, c
}

func (v vector) operands64() (a, b, c uint64) {
	return Modify64(v.a, v.has("abs1"), v.has("neg1")),
		Modify64(v.b, v.has("abs2"), v.has("neg2")),
		Modify64(v.c, false, v.has("neg3"))
}

var conditions = map[string]Relation{
	"never": 0, "l": 1, "e": 2, "le": 3, "g": 4, "lg": 5, "ge": 6, "lge": 7,
	"u": 8, "lu": 9, "eu": 10, "leu": 11, "gu": 12, "lgu": 13, "geu": 14, "always": 15,
}

func (v vector) condition() Relation { return conditions[v.mods[0]] }

func (v vector) conversion(t *testing.T) Conversion {
	t.Helper()
	kind := func(name string) Kind {
		for k := range kinds {
			if k.String() == name {
				return k
			}
		}
		require.Fail(t, "unknown kind", name)
		return 0
	}
	c := Conversion{
		To: kind(v.mods[0]), From: kind(v.mods[1]), Round: v.round(),
		Abs: v.has("abs"), Neg: v.has("neg"), Sat: v.has("sat"),
	}
	for _, m := range v.mods[2:] {
		c.Integral = c.Integral || strings.HasSuffix(m, "i")
	}
	require.True(t, c.Valid(), v)
	return c
}

// readVectors reads a golden file of the repository.
func readVectors(t *testing.T, name string) []vector {
	t.Helper()
	file, err := os.Open("../testdata/vectors/" + name)
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	rows, err := csv.NewReader(z).ReadAll()
	require.NoError(t, err)
	hex := func(s string) uint64 {
		if s == "" {
			return 0
		}
		x, err := strconv.ParseUint(s, 16, 64)
		require.NoError(t, err)
		return x
	}
	vectors := make([]vector, 0, len(rows))
	for _, row := range rows[1:] {
		v := vector{
			op: row[0], mods: strings.Fields(row[1]),
			a: hex(row[2]), b: hex(row[3]), c: hex(row[4]), r: hex(row[6]), flags: -1,
		}
		if row[7] != "" {
			v.flags = int(hex(row[7]))
		}
		vectors = append(vectors, v)
	}
	return vectors
}

func check(t *testing.T, v vector, r uint64, f Flags) {
	t.Helper()
	if r == v.r && (v.flags < 0 || f == Flags(v.flags)) {
		return // most of the time; require is slow
	}
	require.Equalf(t, v.r, r, "%s %v %x %x %x: got %x, want %x", v.op, v.mods, v.a, v.b, v.c, r, v.r)
	require.Equalf(t, Flags(v.flags), f, "flags of %s %v %x %x %x", v.op, v.mods, v.a, v.b, v.c)
}

func TestVectorsSingle(t *testing.T) {
	for _, v := range readVectors(t, "fp.csv.gz") {
		r := scalar32(t, v)
		f := FlagsOf(r)
		switch v.op {
		case "fslct":
			f = FlagsSelect(r)
		case "fset":
			f = flagsOfSet(r)
		}
		check(t, v, r64(r), f)
		if !v.has("zerowins") { // no row form
			check(t, v, r64(row32(t, v)), f)
		}
	}
}

func r64(r uint32) uint64 { return uint64(r) }

// scalar32 evaluates a vector of fp.csv with the scalar forms.
func scalar32(t *testing.T, v vector) uint32 {
	t.Helper()
	a, b, c := v.operands()
	r := uint32(0)
	switch v.op {
	case "fadd":
		r = Add(a, b, v.round())
	case "fmul":
		r = Mul(a, b, v.round())
		if v.has("zerowins") {
			r = MulZeroWins(a, b, v.round())
		}
	case "fmad":
		r = Mad(a, b, c)
	case "fmin":
		r = Min(a, b)
	case "fmax":
		r = Max(a, b)
	case "fset":
		if Compare(a, b)&v.condition() != 0 {
			r = 1<<32 - 1
		}
	case "fslct":
		r = Select(a, b, c)
	case "quadop":
		a, b = v.quad(a, b)
		r = Add(a, b, RN)
	default:
		require.Fail(t, "unknown operation", v.op)
	}
	if v.has("sat") {
		r = Sat(r)
	}
	return r
}

// quad returns the summands of a quadop.
func (v vector) quad(a, b uint32) (x, y uint32) {
	switch v.mods[0] {
	case "sub":
		return a, b ^ sign32
	case "subr":
		return b, a ^ sign32
	case "mov2":
		return b, 0
	}
	return a, b
}

// row32 evaluates a vector of fp.csv with the row forms. All lanes are equal, so that the short
// bodies run wherever possible.
func row32(t *testing.T, v vector) uint32 {
	t.Helper()
	var a, b, c, d Row
	for i := range d {
		a[i], b[i], c[i] = v.operands()
	}
	switch {
	case v.op == "fadd" && v.round() == RZ:
		AddRowRZ(&d, &a, &b)
	case v.op == "fadd":
		AddRow(&d, &a, &b)
	case v.op == "fmul" && v.round() == RZ:
		MulRowRZ(&d, &a, &b)
	case v.op == "fmul":
		MulRow(&d, &a, &b)
	case v.op == "fmad":
		MadRow(&d, &a, &b, &c)
	case v.op == "fmin":
		MinRow(&d, &a, &b)
	case v.op == "fmax":
		MaxRow(&d, &a, &b)
	case v.op == "fset":
		lanes := CompareRow(&a, &b, v.condition())
		for i := range d {
			d[i] = -(lanes >> i & 1)
		}
	case v.op == "fslct":
		SelectRow(&d, &a, &b, &c)
	case v.op == "quadop":
		for i := range d {
			a[i], b[i] = v.quad(a[i], b[i])
		}
		AddRow(&d, &a, &b)
	}
	if v.has("sat") {
		SatRow(&d, &d)
	}
	require.Equal(t, Row{}, difference(&d), "lanes differ")
	return d[31]
}

// difference is zero if all lanes are equal.
func difference(d *Row) (x Row) {
	for i := range x {
		x[i] = d[i] ^ d[0]
	}
	return x
}

// flagsOfSet returns the flags of a compare-and-set result.
func flagsOfSet(r uint32) Flags {
	if r == 0 {
		return Zero
	}
	return Sign
}

func TestVectorsDouble(t *testing.T) {
	for _, v := range readVectors(t, "fp64.csv.gz") {
		a, b, c := v.operands64()
		x, y, z, d := Row64{5: a}, Row64{5: b}, Row64{5: c}, Row64{}
		var r uint64
		switch v.op {
		case "dadd":
			r = Add64(a, b, v.round())
			Add64Row(&d, &x, &y, v.round())
		case "dmul":
			r = Mul64(a, b, v.round())
			Mul64Row(&d, &x, &y, v.round())
		case "dfma":
			r = Fma64(a, b, c, v.round())
			Fma64Row(&d, &x, &y, &z, v.round())
		case "dmin":
			r = Min64(a, b)
			Min64Row(&d, &x, &y)
		case "dmax":
			r = Max64(a, b)
			Max64Row(&d, &x, &y)
		case "dset":
			if Compare64(a, b)&v.condition() != 0 {
				r = 1<<32 - 1
			}
			check(t, v, r, flagsOfSet(uint32(r)))
			lane := Compare64Row(&x, &y, v.condition()) >> 5 & 1
			check(t, v, r64(-lane), flagsOfSet(lane))
			continue
		default:
			require.Fail(t, "unknown operation", v.op)
		}
		check(t, v, r, Flags64(r))
		check(t, v, d[5], Flags64(d[5]))
	}
}

func TestVectorsConversion(t *testing.T) {
	for _, v := range readVectors(t, "cvt.csv.gz") {
		c := v.conversion(t)
		r, f := c.Do(v.a)
		check(t, v, r, f)
		if c.wide() {
			continue // no row form
		}
		var a, d Row
		for i := range a {
			a[i] = uint32(v.a)
		}
		c.RowFunc()(&d, &a)
		require.Equal(t, Row{}, difference(&d), "lanes differ")
		check(t, v, r64(d[0]), f)
	}
}
