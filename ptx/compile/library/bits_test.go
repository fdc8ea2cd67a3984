package library_test

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
)

func TestCounts(t *testing.T) {
	check(t, "popc_b32", one(func(r row) uint64 { return uint64(bits.OnesCount32(uint32(r[0]))) }))
	check(t, "popc_b64", one(func(r row) uint64 { return uint64(bits.OnesCount64(r[0])) }))
	check(t, "clz_b32", one(func(r row) uint64 {
		return uint64(bits.LeadingZeros32(uint32(r[0])))
	}))
	check(t, "clz_b64", one(func(r row) uint64 { return uint64(bits.LeadingZeros64(r[0])) }))
	check(t, "brev_b32", one(func(r row) uint64 { return uint64(bits.Reverse32(uint32(r[0]))) }))
	check(t, "brev_b64", one(func(r row) uint64 { return bits.Reverse64(r[0]) }))
	for _, typ := range []string{"u32", "s32", "u64", "s64"} {
		n := map[byte]int{'3': 32, '6': 64}[typ[1]]
		place := func(x uint64) int {
			if x = low(x, n); typ[0] == 's' && signExtend(x, n) < 0 {
				x = low(^x, n)
			}
			return bits.Len64(x) - 1
		}
		check(t, "bfind_"+typ, one(func(r row) uint64 { return uint64(place(r[0])) }))
		check(t, "bfind_shiftamt_"+typ, one(func(r row) uint64 {
			if place(r[0]) < 0 {
				return ^uint64(0)
			}
			return uint64(n - 1 - place(r[0]))
		}))
	}
}

func TestLop3(t *testing.T) {
	check(t, "lop3_b32", one(func(r row) (d uint64) {
		for i := range 32 {
			k := r[0]>>i&1<<2 | r[1]>>i&1<<1 | r[2]>>i&1
			d |= r[3] >> k & 1 << i
		}
		return d
	}))
}

// TestInstructions compares functions with the instructions that they are for, as the reference
// executes them.
func TestInstructions(t *testing.T) {
	types := strings.Fields("u32 s32 u64 s64")
	for _, typ := range types {
		checkInstruction(t, "bfe_"+typ, "bfe."+typ)
	}
	for _, n := range []string{"32", "64"} {
		checkInstruction(t, "bfi_b"+n, "bfi.b"+n)
	}
	for _, mode := range []string{"clamp", "wrap"} {
		checkInstruction(t, "bmsk_"+mode+"_b32", "bmsk."+mode+".b32")
		for _, typ := range types[:2] {
			checkInstruction(t, "szext_"+mode+"_"+typ, "szext."+mode+"."+typ)
		}
		for _, side := range []string{"l", "r"} {
			checkInstruction(t, "shf_"+side+"_"+mode+"_b32", "shf."+side+"."+mode+".b32")
		}
	}
	checkInstruction(t, "fns_b32", "fns.b32")
	checkInstruction(t, "prmt_b32", "prmt.b32")
	for _, mode := range []string{"f4e", "b4e", "rc8", "rc16", "ecl", "ecr"} {
		checkInstruction(t, "prmt_"+mode+"_b32", "prmt.b32."+mode)
	}
	for _, a := range types[:2] {
		for _, b := range types[:2] {
			checkInstruction(t, "dp4a_"+a+"_"+b, "dp4a."+a+"."+b)
			checkInstruction(t, "dp2a_lo_"+a+"_"+b, "dp2a.lo."+a+"."+b)
			checkInstruction(t, "dp2a_hi_"+a+"_"+b, "dp2a.hi."+a+"."+b)
		}
	}
	for _, typ := range []string{"f32", "f64"} {
		tests := strings.Fields("finite infinite number notanumber normal subnormal")
		for _, test := range tests {
			checkInstruction(t, "testp_"+test+"_"+typ, "testp."+test+"."+typ)
		}
	}
}

// checkInstruction compares a function with an instruction.
func checkInstruction(t *testing.T, name, instruction string) {
	f := functions()[name]
	require.NotNil(t, f, "no function %s", name)
	var b strings.Builder
	b.WriteString(".version 8.0\n.target sm_90\n.address_size 64\n")
	kernel(&b, name, f, func(results, args []string) string {
		return instruction + " " + strings.Join(append(results, args...), ", ") + ";"
	})
	m, err := ptx.Parse(name, []byte(b.String()))
	require.NoError(t, err)
	checkRows(t, name, func(rows []row) func(i int) (result, bool) {
		want := apply(t, m, name, rows)
		return func(i int) (result, bool) { return want[i], true }
	})
}
