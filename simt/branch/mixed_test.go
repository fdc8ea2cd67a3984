package branch_test

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
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

// turner drives a policy through code without loops, in which some warps or lanes take branches.
type turner struct {
	branch.Turning
	code  program
	turns int // rounds that Turns made
}

// way returns which lanes of a cohort take the branch at an index: none, all, those of some warps, or
// some lanes of each.
func (d *turner) way(i int, c *branch.Cohort) (lanes [lane.MaxWarps]lane.Mask) {
	for k, w := range c.Warp[:c.N] {
		switch cond := d.code[i].cond; {
		case cond == 0 || cond == 1 && int(w)/4 == i%2:
			lanes[k] = c.Mask[k]
		case cond == 2:
			lanes[k] = c.Mask[k] & lane.Mask(uint32(i+int(w)+1)*2654435761)
		}
	}
	return lanes
}

// step issues one instruction.
func (d *turner) step(c *branch.Cohort) error {
	i := int(c.PC / size)
	e := branch.Event{Kind: d.code[i].event(), Target: uint32(d.code[i].target * size), Next: c.PC + size, Lanes: d.way(i, c)}
	if e.Kind == 0 {
		d.Advance(c, e.Next)
		return nil
	}
	_, err := d.Control(c, &e)
	return err
}

// round issues an instruction for every cohort of Turns, if it can, and returns their number.
func (d *turner) round() (issues int) {
	list := d.Turns()
	var to []uint32
	for k := range list {
		c := &list[k]
		i := int(c.PC / size)
		lanes := d.way(i, c)
		switch in := d.code[i]; {
		case in.kind == plain && !in.exit && d.code[list[0].PC/size].kind == plain:
			to = append(to, c.PC+size)
		case in.kind != bra || c.PC != list[0].PC || lanes != [lane.MaxWarps]lane.Mask{} && !slices.Equal(lanes[:c.N], c.Mask[:c.N]):
			return 0
		case lanes[0] != 0:
			to = append(to, uint32(in.target*size))
		default:
			to = append(to, c.PC+size)
		}
	}
	for k := range list {
		list[k].PC = to[k]
	}
	if len(list) > 0 {
		d.Took()
		d.turns++
	}
	return len(list)
}

// Turns leaves a policy as it would be if it formed every issue.
func TestTurns(t *testing.T) {
	masks := slices.Repeat([]lane.Mask{lane.All, 0x00ffff00, lane.All, 0xff}, 2)
	turns := 0
	for _, name := range []string{"dwf", "dwf:form=branch", "dwf:form=divergent", "dwf:lanes=free", "dwf:warp=8", "dwf:sched=dpc"} {
		for seed := range uint64(800) {
			r := rand.New(rand.NewPCG(seed, 3))
			code := make(program, 16)
			for i := range code[1:15] {
				if r.IntN(3) == 0 {
					code[i+1] = instr{kind: bra, target: min(15, i+2+r.IntN(4)), cond: r.IntN(3)}
				}
			}
			code[15].exit = true
			each := turner{Turning: code.under(t, name).(branch.Turning), code: code}
			some := turner{Turning: code.under(t, name).(branch.Turning), code: code}
			each.Start(masks)
			some.Start(masks)
			for c := new(branch.Cohort); some.Form(c); {
				issues := 0
				if r.IntN(4) > 0 {
					issues = some.round()
				}
				if issues == 0 {
					issues = 1
					require.NoError(t, some.step(c))
				}
				for range issues {
					require.True(t, each.Form(c))
					require.NoError(t, each.step(c))
				}
				same := bytes.Equal(stateOf(&each, 1), stateOf(&some, 1))
				require.True(t, same, "%s, seed %d", name, seed)
			}
			require.Equal(t, each.Depth(), some.Depth())
			turns += some.turns
		}
	}
	require.Greater(t, turns, 5000)
}
