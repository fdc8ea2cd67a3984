package report

// gap is a part that a page lacks, and the way to add it.
type gap struct {
	What    string
	Why     string
	Command string // "" if there is none
}

// Missing lists the parts that the page lacks.
func (r *Report) Missing() (list []gap) {
	if len(r.Kernels) == 0 {
		return []gap{{"Kernels", "The run launched none.", ""}}
	}
	if !r.Played() {
		list = append(list, gap{"Timeline and player", "The page was made without a trace.", "jacquard exec --stats run.json --trace run.jqt -- ./program"})
	}
	if r.Operands() == nil {
		list = append(list, gap{"Uniform and affine operands", "They are counted on request.", "jacquard exec --stats run.json:tags -- ./program"})
	}
	bare := uint64(0)
	for _, k := range r.Kernels {
		if k.Source == nil {
			bare++
		}
	}
	switch {
	case bare > 0:
		list = append(list, gap{"Lines of source", "The code of " + count(bare) + " of " + plural(len(r.Kernels), "kernel") + " has no line table.", "nvcc -lineinfo"})
	case r.Text == nil:
		list = append(list, gap{"Text of source", "The files of source were not looked for.", ""})
	}
	if n := len(r.Kernels) - r.coded(); n > 0 {
		list = append(list, gap{"Code of " + plural(n, "kernel"), "A page holds " + count(mostLines) + " lines: those of the kernels with the most issues.", "jacquard report --kernel NAME"})
	}
	return list
}
