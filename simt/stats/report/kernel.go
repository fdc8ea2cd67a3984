package report

import (
	"jacquard/simt"
	"jacquard/simt/cfg"
	"jacquard/simt/stats"
	"jacquard/tesla"
)

// Kernel is a kernel with the sums over its launches.
//
// Many methods: each makes one table or picture of the page.
type Kernel struct {
	*stats.Kernel
	Rank     int  // from 1
	Twin     bool // another has the same name, and other code or resources
	Launches int
	Failed   int
	Sum      simt.Stats // of all launches
}

// add takes in a launch.
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

// lanes returns the mean number of active lanes of the issues of instruction i that were not
// vetoed, 0 without any.
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

// Split is a part of the instructions, in issues and in lanes that executed: two figures that are
// never added.
type Split struct {
	Name            string
	Issues, Threads uint64
}

func (p *Split) add(issues, threads uint64) {
	p.Issues += issues
	p.Threads += threads
}

// addSplits adds parts of another whole to those of the same place.
func addSplits(to, parts []Split) []Split {
	for i, p := range parts {
		if len(to) <= i {
			to = append(to, Split{Name: p.Name})
		}
		to[i].add(p.Issues, p.Threads)
	}
	return to
}

// mix splits what was executed by kinds of work.
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

// exactness splits what was executed by how certain it is that hardware does the same; the most
// certain first.
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

// ratio is a/b, and 0 if b is 0.
func ratio(a, b uint64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// divergence is how lanes parted and met, in figures that do not depend on the policy, and what
// skipping idle lanes would save.
type divergence struct {
	Merges, Swaps, Rejoins, Annotations, PartialBarriers uint64
	MostPaths, DeepestStack                              int
	BCC, SCC                                             float64 // slots an issue would take, a mean
}

func divergenceOf(s *simt.Stats) divergence {
	return divergence{
		Merges: s.Merges, Swaps: s.Swaps, Rejoins: s.ReissuedJoins, Annotations: s.Annotations, PartialBarriers: s.PartialBarriers,
		MostPaths: s.MostPaths, DeepestStack: s.DeepestStack, BCC: slots(s.BCC), SCC: slots(s.SCC),
	}
}

// slots is the mean of a histogram of slots.
func slots(issues [simt.Slots + 1]uint64) float64 {
	var sum, all uint64
	for n, i := range issues {
		sum += uint64(n) * i
		all += i
	}
	return ratio(sum, all)
}
