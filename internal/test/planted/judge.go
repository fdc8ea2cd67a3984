package planted

import (
	"fmt"

	"jacquard/simt/check"
)

// disagreement says where findings differ from a verdict, "" if nowhere: a finding that the model
// does not know, or no finding where it has races, or no note where lanes exchange values.
func (v *verdict) disagreement(found []check.Finding) string {
	var wrong, right int
	same := map[int]bool{} // lines that write what was there
	for i := range found {
		f := &found[i]
		for _, p := range pairs(f) {
			switch known := v.known(f, p); {
			case f.Kind != check.KindRace || !known:
				return fmt.Sprintf("lines %v do not conflict so: %v", p, f)
			case f.Level == check.Error:
				wrong++
			default:
				right++
				same[p[0]] = same[p[0]] || f.What == "same-value"
				same[p[1]] = same[p[1]] || f.What == "same-value"
			}
		}
	}
	switch {
	case len(v.wrong) > 0 && wrong == 0 && !v.excused(same) && (right == 0 || len(v.loose) == 0):
		return fmt.Sprintf("no race was found; there are %v", v.wrong)
	case len(v.wrong) == 0 && len(v.right) > 0 && right == 0:
		return fmt.Sprintf("no note; there are %v", v.right)
	}
	return ""
}

// excused reports whether all races are with lines that write what was there: who reads it finds
// the same.
func (v *verdict) excused(same map[int]bool) bool {
	for p := range v.wrong {
		if !same[p[0]] && !same[p[1]] {
			return false
		}
	}
	return true
}

// known reports whether a finding may say what it says of two lines.
func (v *verdict) known(f *check.Finding, p pair) bool {
	if f.Level == check.Error {
		return v.wrong[p][f.What] ||
			// The checker compares a store with memory, where a racing store may have left something else.
			f.What == "write-write" && v.right[p]["same-value"] && len(v.wrong) > 0
	}
	return v.right[p][f.What] || v.loose[p] && f.What == "warp-synchronous" ||
		v.wrong[p] != nil && f.What == "same-value" // the memory may hold the value for other reasons
}

// pairs returns the pairs of lines of a finding.
func pairs(f *check.Finding) (list []pair) {
	at, _ := f.At.User()
	for i := range f.With {
		with, _ := f.With[i].User()
		list = append(list, pairOf(at.Line, with.Line))
	}
	if list == nil {
		list = []pair{{at.Line, at.Line}}
	}
	return list
}

// seen returns how many of the races were found.
func (v *verdict) seen(found []check.Finding) (n int) {
	have := map[pair]bool{}
	for i := range found {
		for _, p := range pairs(&found[i]) {
			have[p] = true
		}
	}
	for p := range v.wrong {
		if have[p] {
			n++
		}
	}
	return n
}
