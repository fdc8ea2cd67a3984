package sfu

import (
	"compress/gzip"
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// function is one function of the unit in its two forms.
type function struct {
	name   string
	scalar func(uint32) uint32
	row    func(d, a *Row)
}

func functions() []function {
	return []function{
		{"rcp", Rcp, RcpRow},
		{"rsqrt", Rsqrt, RsqrtRow},
		{"lg2", Lg2, Lg2Row},
		{"presin", PreSin, PreSinRow},
		{"preex2", PreEx2, PreEx2Row},
		{"sin", Sin, SinRow},
		{"cos", Cos, CosRow},
		{"ex2", Ex2, Ex2Row},
	}
}

// sat is the clamp of the ex2 instruction, which another unit computes.
func sat(x uint32) uint32 {
	if x <= inf && x > one {
		return one
	}
	return x
}

func TestVectors(t *testing.T) {
	byName := map[string]function{}
	for _, f := range functions() {
		byName[f.name] = f
	}
	file, err := os.Open("../testdata/vectors/sfu.csv.gz")
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	rows, err := csv.NewReader(z).ReadAll()
	require.NoError(t, err)
	for _, row := range rows[1:] {
		a, err := strconv.ParseUint(row[2], 16, 32)
		require.NoError(t, err)
		want, err := strconv.ParseUint(row[6], 16, 32)
		require.NoError(t, err)
		f, ok := byName[row[0]]
		require.True(t, ok, row[0])
		x := uint32(a)
		if strings.Contains(row[1], "abs") {
			x &^= sign
		}
		if strings.Contains(row[1], "neg") {
			x ^= sign
		}
		lanes := Row{3: x}
		f.row(&lanes, &lanes)
		r, fast := f.scalar(x), lanes[3]
		if strings.Contains(row[1], "sat") {
			r, fast = sat(r), sat(fast)
		}
		if r != uint32(want) || fast != uint32(want) {
			require.Failf(t, "wrong", "%s %s %08x: scalar %08x, row %08x, want %08x", row[0], row[1], a, r, fast, want)
		}
	}
}
