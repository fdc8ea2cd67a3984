package branch

import "slices"

// merging says where the paths of a list may meet, an option of bfs and dfs: "When and where do we
// check for convergence?" (C. Collange's lecture on SIMT, 2021). Lanes that wait at a barrier of
// the block at one pc always go on together.
type merging struct {
	head   bool     // only the running path meets others, at its pc
	labels []uint32 // pcs where paths may meet, ascending; nil: any
}

// newMerging returns the merging of a kernel for a value of the option: at any pc ("always"), with
// the running path only ("head"), or at any pc that an instruction of the kernel names ("labels").
func newMerging(k *Kernel, chosen string) merging {
	if chosen != "labels" {
		return merging{head: chosen == "head"}
	}
	labels := []uint32{}
	for _, in := range k.Code {
		if in.labels() {
			labels = append(labels, in.Target)
		}
	}
	slices.Sort(labels)
	return merging{labels: slices.Compact(labels)}
}

// labels reports whether the instruction names a pc of the code.
func (in *Instruction) labels() bool {
	switch in.Kind {
	case Branch, Call:
		return !in.Indirect
	case JoinAt, BreakAddr, PreReturn:
		return true
	}
	return false
}

// meet joins the paths that may meet, unless only the running path may.
func (m *merging) meet(p *paths) {
	switch {
	case m.head:
	case m.labels == nil:
		p.merge()
	default:
		p.mergeAt(func(pc uint32) bool {
			_, found := slices.BinarySearch(m.labels, pc)
			return found
		})
	}
}

// meetHead joins the running path with the paths at its pc, if no others may meet.
func (m *merging) meetHead(p *paths) {
	if !m.head {
		return
	}
	for i := len(p.list) - 1; i >= 0; i-- {
		if i != p.at && p.list[i].pc == p.list[p.at].pc {
			p.list[p.at].mask |= p.list[i].mask
			p.remove(i)
		}
	}
}
