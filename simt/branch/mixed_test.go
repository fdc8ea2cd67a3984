package branch_test

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// recorder records every issue of a policy, one instruction at a time.
type recorder struct {
	branch.Policy
	issues []branch.Cohort
}

func (r *recorder) tell(c *branch.Cohort) {
	c.Stop = c.PC + size
	r.issues = append(r.issues, *c)
}

func (r *recorder) unwrap() branch.Policy { return r.Policy }

// count returns the warp-instructions issued, and their threads.
func (r *recorder) count() (issues, threads int) {
	for i := range r.issues {
		c := &r.issues[i]
		if branch.Mixes(r.Policy) {
			issues++
		} else {
			issues += c.N
		}
		for w := range c.N {
			threads += bits.OnesCount32(uint32(c.Mask[w]))
		}
	}
	return issues, threads
}

func record(t *testing.T, p program, policy string, masks []lane.Mask) *recorder {
	t.Helper()
	r := &recorder{Policy: p.under(t, policy)}
	_, _, err := p.run(r, masks)
	require.NoError(t, err)
	return r
}

// twoSides is an if/else with two instructions on each side, and a few after it.
var twoSides = program{
	{kind: joinat, target: 7},
	{kind: bra, target: 5, cond: 2}, // if
	{},                              // else
	{},
	{kind: bra, target: 7},
	{}, // then
	{},
	{join: true}, // endif
	{},
	{exit: true},
}

// Every issue of two warps of eight threads on an if/else under policies that mix warps.
func TestMixedSteps(t *testing.T) {
	text := []string{"joinat", "if", "  else", "  else", "  goto endif", "  then", "  then", "endif", "behind", "exit"}
	var out strings.Builder
	for _, policy := range []string{"dwf", "dwf:sched=dmaj", "dwf:sched=dmin", "dwf:sched=dpc", "dwf:sched=dpdpri", "dwf:form=divergent", "dwf:lanes=free", "tbc"} {
		fmt.Fprintf(&out, "%s\n", policy)
		for _, c := range record(t, twoSides, policy, []lane.Mask{0xff, 0xff}).issues {
			var lanes [2]lane.Mask
			for k := range c.N {
				lanes[c.Warp[k]] = c.Mask[k]
			}
			fmt.Fprintf(&out, "%-12s %s %s\n", text[c.PC/size], lanes8(lanes[0]), lanes8(lanes[1]))
		}
		fmt.Fprintln(&out)
	}
	golden(t, "mixed-steps.txt", out.String())
}

// lanes8 draws eight lanes, the lowest first.
func lanes8(m lane.Mask) string {
	s := make([]byte, 8)
	for l := range s {
		s[l] = '.'
		if m>>l&1 != 0 {
			s[l] = '0' + byte(l)
		}
	}
	return string(s)
}

// If every warp diverges at a branch, policies that mix warps need fewer issues for the same
// threads than a policy that reconverges each warp alone at the same pc.
func TestCompaction(t *testing.T) {
	masks := make([]lane.Mask, 8)
	for w := range masks {
		masks[w] = lane.All
	}
	long := slices.Repeat(program{{}}, 8)
	p := slices.Concat(twoSides[:3], long, twoSides[3:6], long, twoSides[6:])
	p[0].target, p[1].target, p[4+8].target = 7+16, 5+8, 7+16
	issues, threads := record(t, p, "pdom", masks).count()
	for _, policy := range []string{"dwf", "dwf:sched=dmaj", "dwf:sched=dmin", "dwf:sched=dpc", "dwf:sched=dpdpri", "tbc"} {
		n, same := record(t, p, policy, masks).count()
		require.Equal(t, threads, same, policy)
		if policy != "dwf:sched=dmin" { // stragglers run ahead and do not wait for others
			require.Less(t, n, issues, policy)
		}
	}
}
