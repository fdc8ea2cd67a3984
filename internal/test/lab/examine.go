package lab

import (
	"fmt"
	"slices"
	"strings"

	"jacquard/simt/check"
)

// Verdict says how well checkers did on a program.
type Verdict struct {
	Found, Missed []string        // places of the program's comments, as they have them
	False         []check.Finding // errors that the program does not name
}

// Right reports whether all was found, and nothing else.
func (v *Verdict) Right() bool { return len(v.Missed) == 0 && len(v.False) == 0 }

// Examine compares what checkers found with the comments of the program. Notes of checkers are no
// errors, wherever they are; an error at a place that is called a note is a false alarm.
func (p *Program) Examine(found []check.Finding) (v Verdict) {
	explained := make([]bool, len(found))
	for i := range p.Findings {
		for _, w := range p.Findings[i].pairs() {
			hit := false
			for j := range found {
				if f := &found[j]; f.Level == check.Error && w.is(p.Name, f) {
					hit, explained[j] = true, true
				}
			}
			if hit {
				v.Found = append(v.Found, w.String())
			} else {
				v.Missed = append(v.Missed, w.String())
			}
		}
	}
	for j, f := range found {
		if f.Level == check.Error && !explained[j] {
			v.False = append(v.False, f)
		}
	}
	return v
}

// pairs returns the finding once for each of its other places.
func (f *Finding) pairs() (list []Finding) {
	if len(f.With) == 0 {
		return []Finding{*f}
	}
	for _, line := range f.With {
		one := *f
		one.With = []int{line}
		list = append(list, one)
	}
	return list
}

// is reports whether a checker's finding is f, with its other place. Either access of a race may be
// the first. A race without another place is one of a line with itself.
func (f *Finding) is(program string, of *check.Finding) bool {
	if string(of.Kind) != f.Kind || !slices.Contains(f.What, of.What) || f.Space != "" && f.Space != of.Space {
		return false
	}
	at, others := lineIn(program, &of.At), []int{}
	for i := range of.With {
		others = append(others, lineIn(program, &of.With[i]))
	}
	switch {
	case f.Kind != "race":
		return at == f.Line && (f.With == nil || slices.Contains(others, f.With[0]))
	case f.With == nil:
		return at == f.Line && !slices.ContainsFunc(others, func(n int) bool { return n != at })
	}
	return at == f.Line && slices.Contains(others, f.With[0]) || at == f.With[0] && slices.Contains(others, f.Line)
}

// lineIn returns the innermost line of a site in the program, 0 if there is none.
func lineIn(program string, s *check.Site) int {
	for _, f := range s.Stack {
		if strings.HasSuffix(f.File, "/"+program+".cu") {
			return f.Line
		}
	}
	return 0
}

// Score counts verdicts.
type Score struct{ Programs, Right, Found, Missed, False int }

// Add counts a verdict.
func (s *Score) Add(v *Verdict) {
	s.Programs++
	if v.Right() {
		s.Right++
	}
	s.Found += len(v.Found)
	s.Missed += len(v.Missed)
	s.False += len(v.False)
}

// String is a row of a table: programs, right ones, places found, missed, false alarms.
func (s Score) String() string {
	return fmt.Sprintf("%8d %6d %6d %7d %6d", s.Programs, s.Right, s.Found, s.Missed, s.False)
}

// ScoreHead is the head of the table.
const ScoreHead = "programs  right  found  missed  false"
