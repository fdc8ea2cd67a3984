package mem

import (
	"fmt"
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Kind is the kind of a violation. The zero Kind is no violation.
type Kind uint8

// The kinds of violation.
const (
	Unmapped   Kind = iota + 1 // no live allocation there
	OutOfRange                 // in an existing page or space, but beyond its end
	Misaligned                 // the address is not a multiple of the element's size
	ReadOnly                   // a store to read-only memory
	Trap                       // an atomic operation that stops the kernel
	Overrun                    // past the end of an allocation, in slack or in the next: the access was done
)

var kindNames = [...]string{
	Unmapped:   "unmapped address",
	OutOfRange: "address out of range",
	Misaligned: "misaligned address",
	ReadOnly:   "store to read-only memory",
	Trap:       "trapping operation",
	Overrun:    "address in the slack of an allocation",
}

// String returns the kind in words.
func (k Kind) String() string { return tesla.NameOf(kindNames[:], "Kind", k) }

// Violation says why an access was refused. If Kind is Overrun, the access was done and reached
// slack. Kind and Addr belong to the lowest lane at fault. An address both misaligned and outside
// counts as misaligned.
type Violation struct {
	Kind  Kind
	Space byte      // 'g', 's', 'l', 'c', or 't' for a texture
	Lanes lane.Mask // every lane at fault
	Addr  uint32
}

// String returns one line that names kind, address and lanes.
func (v *Violation) String() string {
	return fmt.Sprintf("%s %c[0x%x], lanes %08x", v.Kind, v.Space, v.Addr, uint32(v.Lanes))
}

// add records that lane i is at fault. Lanes come in ascending order.
func (v *Violation) add(i int, k Kind, addr uint32) {
	if v.Lanes == 0 {
		v.Kind, v.Addr = k, addr
	}
	v.Lanes |= 1 << i
}

// refuses reports whether the access was not done. A nil Violation refuses nothing.
func (v *Violation) refuses() bool { return v != nil && v.Kind != Overrun }

// orNil returns v on the heap, or nil if no lane is at fault: only faults allocate.
func (v *Violation) orNil() *Violation {
	if v.Lanes == 0 {
		return nil
	}
	fault := *v
	return &fault
}

// beyond returns the violation of accesses of size bytes to a space of limit bytes from address 0,
// or nil if there is none.
func beyond(space byte, limit int, addr *lane.Row, m lane.Mask, size uint32) *Violation {
	v := Violation{Space: space}
	for ; m != 0; m &= m - 1 {
		i := first(m)
		switch a := addr[i]; {
		case a&(size-1) != 0:
			v.add(i, Misaligned, a)
		case uint64(a)+uint64(size) > uint64(limit):
			v.add(i, OutOfRange, a)
		}
	}
	return v.orNil()
}

// first returns the lowest lane of m, which must not be empty.
func first(m lane.Mask) int { return bits.TrailingZeros32(uint32(m)) & (lane.Width - 1) }
