package mem

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Transaction is one transfer between device memory and a multiprocessor: Bytes bytes from At on.
type Transaction struct {
	At    uint32
	Bytes int
}

// Explain returns the transactions that serve the lanes m of one half-warp, in the order of need.
// [Traffic.Of] counts the same transactions. An access has size bytes per lane.
func Explain(arch tesla.Arch, addr *lane.Row, m lane.Mask, size int) (list []Transaction) {
	if m == 0 {
		return nil
	}
	if arch >= tesla.SM12 {
		transactions12(addr, m, size, &list)
		return list
	}
	if i := first(m); size >= 4 && coalesces(addr, m, i&^(halfWarp-1), uint32(size)) {
		all := uint32(halfWarp * size)
		for at := uint32(0); at < all; at += min(128, all) {
			list = append(list, Transaction{addr[i]&^(all-1) + at, int(min(128, all))})
		}
		return list
	}
	for ; m != 0; m &= m - 1 {
		list = append(list, Transaction{addr[first(m)] &^ 31, 32})
	}
	return list
}

// BankSteps returns in how many steps each bank of shared memory serves the first words of the
// lanes m of one half-warp. [SharedSteps] counts the same steps.
func BankSteps(addr *lane.Row, m lane.Mask) (steps [Banks]int) {
	for m != 0 {
		served, busy := step(addr, m, 0)
		m &^= served
		for n := range steps {
			steps[n] += int(busy >> n & 1)
		}
	}
	return steps
}
