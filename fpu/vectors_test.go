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
		r := single32(t, v)
		f := FlagsOf(r)
		switch v.op {
		case "fslct":
			f = FlagsSelect(r)
		case "fset":
			f = flagsOfSet(r)
		}
		check(t, v, uint64(r), f)
	}
}

// single32 evaluates a vector of fp.csv with the scalar forms.
func single32(t *testing.T, v vector) uint32 {
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
		switch v.mods[0] {
		case "add":
			r = Add(a, b, RN)
		case "sub":
			r = Add(a, b^sign32, RN)
		case "subr":
			r = Add(b, a^sign32, RN)
		case "mov2":
			r = Add(b, 0, RN)
		}
	default:
		require.Fail(t, "unknown operation", v.op)
	}
	if v.has("sat") {
		r = Sat(r)
	}
	return r
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
		var r uint64
		switch v.op {
		case "dadd":
			r = Add64(a, b, v.round())
		case "dmul":
			r = Mul64(a, b, v.round())
		case "dfma":
			r = Fma64(a, b, c, v.round())
		case "dmin":
			r = Min64(a, b)
		case "dmax":
			r = Max64(a, b)
		case "dset":
			if Compare64(a, b)&v.condition() != 0 {
				r = 1<<32 - 1
			}
			check(t, v, r, flagsOfSet(uint32(r)))
			continue
		default:
			require.Fail(t, "unknown operation", v.op)
		}
		check(t, v, r, Flags64(r))
	}
}

func TestVectorsConversion(t *testing.T) {
	for _, v := range readVectors(t, "cvt.csv.gz") {
		r, f := v.conversion(t).Do(v.a)
		check(t, v, r, f)
	}
}
