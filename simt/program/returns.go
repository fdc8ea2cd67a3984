package program

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/tesla"
)

// returns returns for each return of a program where lanes may go from there: behind calls of the
// functions that the return is in. A return that is in none ends the lanes.
func returns(p *Program) [][]int32 {
	sites := map[int32][]int32{} // behind calls, by function
	for i := range p.Code {
		if u := &p.Code[i]; u.Event == branch.Call && u.To >= 0 && i+1 < len(p.Code) {
			sites[u.To] = append(sites[u.To], u.At+1)
		}
	}
	list := make([][]int32, len(p.Code))
	if slices.ContainsFunc(p.Code, func(u Op) bool { return u.Ins.Op == tesla.OpBraIndirect || u.Event == branch.Call && u.To < 0 }) {
		for i := range list { // it may be in any function
			for _, behind := range sites {
				list[i] = append(list[i], behind...)
			}
		}
		return list
	}
	for i := range p.Code {
		if entry := int32(i); sites[entry] != nil {
			for at := range within(p, entry) {
				if p.Code[at].Event == branch.Return {
					list[at] = append(list[at], sites[entry]...)
				}
			}
		}
	}
	return list
}

// within returns the instructions of the function that begins at an index, maybe with others.
func within(p *Program, entry int32) map[int32]bool {
	seen, due := map[int32]bool{entry: true}, []int32{entry}
	reach := func(i int32) {
		if i >= 0 && int(i) < len(p.Code) && !seen[i] {
			seen[i] = true
			due = append(due, i)
		}
	}
	for len(due) > 0 {
		u := &p.Code[due[len(due)-1]]
		due = due[:len(due)-1]
		switch u.Event {
		case branch.Branch, branch.BreakAddr, branch.PreReturn: // a break or a return leads to the latter two
			reach(u.To)
		}
		if u.Event != branch.Branch && u.Event != branch.Return || u.Guarded {
			reach(u.At + 1)
		}
	}
	return seen
}
