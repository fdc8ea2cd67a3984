package report

import (
	"cmp"
	"fmt"
	"slices"

	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// memory is the memory use of a kernel, or of all kernels.
type memory struct {
	Device []traffic // loads and stores of g[] and l[]
	Chip   []chip    // of s[], and loads of c[]
	Lanes  []Split   // atomics and texture fetches, by active lanes
}

// traffic is the cost of one kind of access to device memory, by the rules of both generations.
type traffic struct {
	Name string
	mem.Traffic
	Asked uint64 // bytes that lanes loaded or stored
}

// chip is the cost of one kind of access to on-chip memory.
type chip struct {
	Name string
	mem.Steps
}

// Used reports whether memory was used. Operands in memory that never wait do not count.
func (m *memory) Used() bool {
	var n uint64
	for i := range m.Device {
		n += m.Device[i].Accesses
	}
	for i := range m.Chip {
		n += m.Chip[i].Accesses
	}
	return n+total(m.Lanes).Issues > 0
}

// Indices of the kinds in a memory.
const (
	globalLoads = iota
	globalStores
	localLoads
	localStores
)

const (
	sharedLoads = iota
	sharedStores
	constants
)

// memoryOf sums up the memory use of the instructions of kernels.
func memoryOf(kernels ...*Kernel) *memory {
	m := &memory{
		Device: []traffic{{Name: "g[] loads"}, {Name: "g[] stores"}, {Name: "l[] loads"}, {Name: "l[] stores"}},
		Chip:   []chip{{Name: "s[] loads"}, {Name: "s[] stores"}, {Name: "c[] loads"}},
		Lanes:  []Split{{Name: "atomics"}, {Name: "texture fetches"}},
	}
	for _, k := range kernels {
		for i := range k.Code {
			m.add(&k.Code[i], &k.Sum.ByInstruction[i])
		}
	}
	return m
}

// add adds the memory use of an instruction.
func (m *memory) add(in *tesla.Instruction, s *simt.InstructionStats) {
	device, shared := -1, sharedLoads // any other instruction with such an operand loads it
	store := 0
	if in.Op.HandsOver(1) {
		store = 1
	}
	switch class := in.Op.Class(); {
	case class == tesla.ClassGlobal:
		device = globalLoads + store
	case class == tesla.ClassLocal:
		device = localLoads + store
	case class == tesla.ClassShared:
		shared = sharedLoads + store
	case class == tesla.ClassAtomic:
		m.Lanes[0].add(s.Issues, s.Threads)
	case in.Op.ReadsTexels():
		m.Lanes[1].add(s.Issues, s.Threads)
	}
	if device >= 0 {
		m.Device[device].Add(&s.Memory.Device)
		if in.Bad == tesla.OK { // an illegal instruction has no size, and never ran
			m.Device[device].Asked += s.Threads * uint64(mem.Size(in.Type))
		}
	}
	m.Chip[shared].Add(&s.Memory.Shared)
	m.Chip[constants].Add(&s.Memory.Const)
}

// transactions returns the transactions by the rule of the kernel's architecture.
func (k *Kernel) transactions(t *mem.Traffic) uint64 {
	return t.Of(k.Arch).Count()
}

// Rule names the compute capabilities with the rule of the kernel's transactions.
func (k *Kernel) Rule() string {
	if k.Arch >= tesla.SM12 {
		return "1.2 and 1.3"
	}
	return "1.0 and 1.1"
}

// cost returns the memory cost of instruction i and the accesses that it counts. The cost is
// transactions of device memory, with one per lane of an atomic, and steps of on-chip memory.
func (k *Kernel) cost(i int) (cost, accesses uint64) {
	s := &k.Sum.ByInstruction[i]
	m := &s.Memory
	cost = k.transactions(&m.Device) + m.Shared.Steps + m.Const.Steps
	accesses = m.Device.Accesses + m.Shared.Accesses + m.Const.Accesses
	if k.Code[i].Op.Class() == tesla.ClassAtomic {
		cost += s.Threads
		accesses += s.Threads
	}
	return cost, accesses
}

// accesses returns the instructions with the highest memory cost, at most most of them.
func (k *Kernel) accesses(most int) []spot {
	var order []int
	costs := make([]uint64, len(k.Code))
	for i := range k.Code {
		if costs[i], _ = k.cost(i); costs[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[b], costs[a]) })
	return k.spots(order[:min(len(order), most)])
}

// times writes the ratio of a to b if it is above 1: "×2.5".
func times(a, b uint64) string {
	if a <= b || b == 0 {
		return ""
	}
	return fmt.Sprintf("×%.3g", ratio(a, b))
}
