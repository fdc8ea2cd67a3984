package library

import (
	"fmt"
	"math/bits"
	"testing"
)

func TestCounts(t *testing.T) {
	check(t, "popc_b32", one(func(r row) uint64 { return uint64(bits.OnesCount32(uint32(r[0]))) }))
	check(t, "popc_b64", one(func(r row) uint64 { return uint64(bits.OnesCount64(r[0])) }))
	check(t, "clz_b32", one(func(r row) uint64 { return uint64(bits.LeadingZeros32(uint32(r[0]))) }))
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

// theInstruction makes the reference the truth: it executes the instruction that a function is for.
func checkInstruction(t *testing.T, name, instruction string) {
	truth := fmt.Sprint(instruction)
	check(t, name, func(row) (result, bool) { return result{}, truth == "" })
}
