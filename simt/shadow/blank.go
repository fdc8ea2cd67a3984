package shadow

import (
	"math/bits"

	"jacquard/simt/lane"
)

// blankBytes says which bytes of a block's shared memory nobody has written.
type blankBytes struct {
	bits []uint64 // by byte
	left int      // how many there are
}

// begin begins a block with size bytes of shared memory, of which the first head are written.
func (b *blankBytes) begin(size, head int) {
	if n := (size + 63) / 64; len(b.bits) != n {
		b.bits = make([]uint64, n)
	}
	for i := range b.bits {
		from, to := max(head-64*i, 0), min(size-64*i, 64)
		b.bits[i] = 0
		if from < to {
			b.bits[i] = ^uint64(0) >> (64 - to) &^ (1<<from - 1)
		}
	}
	b.left = max(size-head, 0)
}

// any reports whether lanes read blank bytes: size of them each, at multiples of size.
func (b *blankBytes) any(addr *lane.Row, m lane.Mask, size int) bool {
	if b.left == 0 {
		return false
	}
	list, mask, all := b.bits, uint64(1)<<size-1, m == lane.All
	for l, a := range addr {
		if (all || m>>l&1 != 0) && int(a/64) < len(list) && list[a/64]>>(a%64)&mask != 0 {
			return true
		}
	}
	return false
}

// define says that lanes write.
func (b *blankBytes) define(addr *lane.Row, m lane.Mask, size int) {
	if !b.any(addr, m, size) {
		return
	}
	mask := uint64(1)<<size - 1
	for ; m != 0; m &= m - 1 {
		if a := addr[bits.TrailingZeros32(uint32(m))]; int(a/64) < len(b.bits) {
			word := &b.bits[a/64]
			b.left -= bits.OnesCount64(*word >> (a % 64) & mask)
			*word &^= mask << (a % 64)
		}
	}
}
