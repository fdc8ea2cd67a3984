package branch

// Stacked is a policy that keeps a stack for each warp.
type Stacked interface {
	// Entries returns how many entries the stack of warp w has now; ok is false if the flow of the
	// warp has no stack.
	Entries(w int) (n int, ok bool)
}

// stackFlow is a flow with a stack.
type stackFlow interface{ entries() int }

// Entries returns the number of entries of a flow with a stack.
func (p *perWarp) Entries(w int) (n int, ok bool) {
	if f, ok := p.flows[w].(stackFlow); ok {
		return f.entries(), true
	}
	return 0, false
}

func (f *nvidia) entries() int { return len(f.stack) }

// entries counts the levels below the running one, which a machine has in registers.
func (f *pdom) entries() int { return max(0, len(f.stack)-1) }

func (f *implicit) entries() int { return len(f.ifs) + len(f.loops) + len(f.inside) - 1 }
