package report

import (
	"slices"

	"jacquard/observe/stats"
	"jacquard/simt"
	"jacquard/simt/cfg"
	"jacquard/tesla"
)

// Kernel is a kernel with the sums over its launches.
type Kernel struct {
	*stats.Kernel
	Rank     int  // from 1
	Twin     bool // another kernel has the same name, and other code or resources
	Launches int
	Failed   int
	Sum      simt.Stats // of all launches
}

// add adds a launch.
func (k *Kernel) add(l *stats.Launch) {
	k.Launches++
	if l.Error != "" {
		k.Failed++
	}
	stats.Add(&k.Sum, &l.Stats)
	if k.Sum.ByInstruction == nil {
		k.Sum.ByInstruction = make([]simt.InstructionStats, len(k.Code))
		for i, pc := range k.PCs {
			k.Sum.ByInstruction[i].PC = pc
		}
	}
	for i := range l.Stats.ByInstruction {
		stats.AddInstruction(&k.Sum.ByInstruction[i], &l.Stats.ByInstruction[i])
	}
}

// lanes returns the mean active lanes of the issues of instruction i, without vetoed ones; 0 if
// there are none.
func (k *Kernel) lanes(i int) float64 {
	s := &k.Sum.ByInstruction[i]
	return ratio(s.Threads+s.Off, s.Issues-s.Vetoed)
}

// flow returns the kernel's flow graph, nil if it has no code.
func (k *Kernel) flow() *cfg.Graph {
	g, err := cfg.New(k.Code)
	if err != nil {
		return nil
	}
	return g
}

// Split is a part of the instructions: its issues, and the lanes that executed. The two numbers are
// never added.
type Split struct {
	Name            string
	Issues, Threads uint64
}

func (p *Split) add(issues, threads uint64) {
	p.Issues += issues
	p.Threads += threads
}

// split sums up the executed instructions of kernels by a property with so many values.
func split(kernels []*Kernel, values int, name func(int) string, of func(*tesla.Instruction) int) []Split {
	parts := make([]Split, values)
	for v := range parts {
		parts[v].Name = name(v)
	}
	for _, k := range kernels {
		for i := range k.Code {
			s := &k.Sum.ByInstruction[i]
			parts[of(&k.Code[i])].add(s.Issues, s.Threads)
		}
	}
	return parts
}

// mix splits the executed instructions of kernels by class.
func mix(kernels ...*Kernel) []Split {
	parts := split(kernels, int(tesla.Classes), func(c int) string { return tesla.Class(c).String() },
		func(in *tesla.Instruction) int { return int(in.Op.Class()) })
	return slices.DeleteFunc(parts, func(p Split) bool { return p.Issues == 0 })
}

// exactness splits the executed instructions of kernels by exactness, the most certain first.
func exactness(kernels ...*Kernel) []Split {
	if len(kernels) == 0 {
		return nil
	}
	const last = int(tesla.Exactnesses) - 1
	return split(kernels, last+1, func(v int) string { return tesla.Exactness(last - v).String() },
		func(in *tesla.Instruction) int { return last - int(in.Certainty().Exactness) })
}

// ratio returns a/b, 0 if b is 0.
func ratio(a, b uint64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// divergence describes how lanes parted and met, in numbers that do not depend on the policy, and
// the saving of skipping idle lanes.
type divergence struct {
	Merges, Swaps, Rejoins, Annotations, PartialBarriers uint64
	MostPaths, DeepestStack                              int
	// mean slots that an issue would take
	BCC, SCC float64
}

func divergenceOf(s *simt.Stats) divergence {
	return divergence{
		Merges: s.Merges, Swaps: s.Swaps, Rejoins: s.ReissuedJoins, Annotations: s.Annotations, PartialBarriers: s.PartialBarriers,
		MostPaths: s.MostPaths, DeepestStack: s.DeepestStack, BCC: slots(s.BCC), SCC: slots(s.SCC),
	}
}

// slots returns the mean of a histogram of slots.
func slots(issues [simt.Slots + 1]uint64) float64 {
	var sum, all uint64
	for n, i := range issues {
		sum += uint64(n) * i
		all += i
	}
	return ratio(sum, all)
}
