package report

import (
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
	sum(&k.Sum, &l.Stats)
	if k.Sum.ByInstruction == nil {
		k.Sum.ByInstruction = make([]simt.InstructionStats, len(k.Code))
		for i, pc := range k.PCs {
			k.Sum.ByInstruction[i].PC = pc
		}
	}
	columns := stats.InstructionColumns()
	for i := range l.Stats.ByInstruction {
		to, from := &k.Sum.ByInstruction[i], &l.Stats.ByInstruction[i]
		for _, c := range columns {
			*c.Of(to) += *c.Of(from)
		}
		addTo(to.Active[:], from.Active[:])
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

// addSplits adds parts to the parts of the same index.
func addSplits(to, parts []Split) []Split {
	for i, p := range parts {
		if len(to) <= i {
			to = append(to, Split{Name: p.Name})
		}
		to[i].add(p.Issues, p.Threads)
	}
	return to
}

// mix splits the executed instructions by class.
func (k *Kernel) mix() []Split {
	parts := make([]Split, tesla.Classes)
	for c := range parts {
		parts[c].Name = tesla.Class(c).String()
	}
	for i := range k.Code {
		s := &k.Sum.ByInstruction[i]
		parts[k.Code[i].Op.Class()].add(s.Issues, s.Threads)
	}
	return parts
}

// exactness splits the executed instructions by exactness, the most certain first.
func (k *Kernel) exactness() []Split {
	parts := make([]Split, tesla.Exactnesses)
	for e := range parts {
		parts[len(parts)-1-e].Name = tesla.Exactness(e).String()
	}
	for i := range k.Code {
		s := &k.Sum.ByInstruction[i]
		parts[len(parts)-1-int(k.Code[i].Certainty().Exactness)].add(s.Issues, s.Threads)
	}
	return parts
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
