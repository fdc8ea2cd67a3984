package flowgraph

// Components returns the strongly connected component of each node: nodes that lead to each other
// have the same component, the number of one of them. order comes from [Search], pred are the
// predecessors. Nodes that the root does not reach have None.
func Components[N Node](order []N, pred [][]N) []N {
	of := make([]N, len(pred))
	for i := range of {
		of[i] = None
	}
	reached := make([]bool, len(pred))
	for _, n := range order {
		reached[n] = true
	}
	for _, root := range order { // Kosaraju's algorithm
		if of[root] != None {
			continue
		}
		of[root] = root
		for work := []N{root}; len(work) > 0; {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			for _, p := range pred[n] {
				if reached[p] && of[p] == None {
					of[p] = root
					work = append(work, p)
				}
			}
		}
	}
	return of
}
