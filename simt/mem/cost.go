package mem

import (
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Cost is the cost of accesses on hardware of compute capability 1.x. Loads and stores add to a
// *Cost unless it is nil. Refused accesses add nothing.
type Cost struct {
	Device Traffic // global and local memory, both in device memory
	Shared Steps
	Const  Steps
}

// Add adds other costs.
func (c *Cost) Add(o *Cost) {
	c.Device.Add(&o.Device)
	c.Shared.Add(&o.Shared)
	c.Const.Add(&o.Const)
}

// Access counts the accesses of one instruction to memory.
type Access struct {
	Cost
	// Singles counts accesses of half-warps to shared memory of one step each, which Cost does not
	// have yet.
	Singles uint64
	// Wholes counts accesses of whole warps to consecutive words of global memory, from a multiple of
	// 64 on, which Cost does not have yet.
	Wholes uint64
}

// Forget clears the costs.
func (a *Access) Forget() { *a = Access{} }

// Merge adds the costs of other accesses of the same instruction.
func (a *Access) Merge(o *Access) {
	a.Cost.Add(&o.Cost)
	a.Singles += o.Singles
	a.Wholes += o.Wholes
}

// Total sets c to all costs. A result instead would be copied right after its words were written, for
// which a host waits.
func (a *Access) Total(c *Cost) {
	*c = a.Cost
	c.Shared.AddSingle(int(a.Singles))
	c.Device.Accesses += 2 * a.Wholes
	c.Device.G80.By64 += 2 * a.Wholes
	c.Device.GT200.By64 += 2 * a.Wholes
}

// Traffic counts accesses to device memory, by the rules of both generations.
type Traffic struct {
	// Accesses counts half-warps with an accessing lane. 64- and 128-bit elements of local memory
	// count 2 and 4 times.
	Accesses uint64
	G80      Transactions // compute capability 1.0 and 1.1
	GT200    Transactions // compute capability 1.2 and 1.3
}

// Add adds other traffic.
func (t *Traffic) Add(o *Traffic) {
	t.Accesses += o.Accesses
	t.G80.Add(o.G80)
	t.GT200.Add(o.GT200)
}

// Of returns the transactions by the rule of an architecture.
func (t *Traffic) Of(arch tesla.Arch) Transactions {
	if arch >= tesla.SM12 {
		return t.GT200
	}
	return t.G80
}

// Transactions counts the transactions between device memory and the multiprocessor by size in
// bytes.
type Transactions struct {
	By32, By64, By128 uint64
}

// Add adds other transactions.
func (t *Transactions) Add(o Transactions) {
	t.By32 += o.By32
	t.By64 += o.By64
	t.By128 += o.By128
}

// Count returns the number of transactions of all sizes.
func (t Transactions) Count() uint64 { return t.By32 + t.By64 + t.By128 }

// Bytes returns the bytes moved.
func (t Transactions) Bytes() uint64 { return 32*t.By32 + 64*t.By64 + 128*t.By128 }

func (t *Transactions) add(size uint32, n int) {
	switch size {
	case 32:
		t.By32 += uint64(n)
	case 64:
		t.By64 += uint64(n)
	case 128:
		t.By128 += uint64(n)
	}
}

// Steps counts accesses to memory that serves a half-warp in one or more steps.
type Steps struct {
	// Accesses counts half-warps with an accessing lane. 64- and 128-bit elements of shared memory
	// count 2 and 4 times.
	Accesses uint64
	// Single counts accesses of one step: shared memory without a conflict, a constant at one
	// address.
	Single uint64
	Steps  uint64 // of all accesses
}

// Conflicts returns the steps beyond one per access.
func (s Steps) Conflicts() uint64 { return s.Steps - s.Accesses }

// Add adds other accesses.
func (s *Steps) Add(o *Steps) {
	s.Accesses += o.Accesses
	s.Single += o.Single
	s.Steps += o.Steps
}

// add counts an access of that many steps.
func (s *Steps) add(steps int) {
	s.Accesses++
	s.Steps += uint64(steps)
	if steps == 1 {
		s.Single++
	}
}

// AddSingle counts n accesses of one step each.
func (s *Steps) AddSingle(n int) {
	s.Accesses += uint64(n)
	s.Single += uint64(n)
	s.Steps += uint64(n)
}

// halfWarp is the number of lanes that the memory system serves together.
const halfWarp = lane.Width / 2

// halfOf returns the lanes of m in the half-warp that begins at lane h.
func halfOf(m lane.Mask, h int) lane.Mask { return m & ((1<<halfWarp - 1) << h) }

// HalfWarps returns the number of half-warps with a lane in m.
func HalfWarps(m lane.Mask) int {
	n := 0
	if m<<halfWarp != 0 {
		n++
	}
	if m>>halfWarp != 0 {
		n++
	}
	return n
}

// last returns the highest lane of m, which must not be empty.
func last(m lane.Mask) int { return bits.Len32(uint32(m)) - 1 }
