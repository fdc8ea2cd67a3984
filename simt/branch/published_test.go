package branch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// teller writes down every issue, one instruction at a time, with the state before it.
type teller struct {
	branch.Policy
	names  []string // of the instructions
	warps  int
	lines  []string
	issues int // of warps
}

func (p *teller) tell(c *branch.Cohort) {
	p.issues++
	c.Stop, c.Skippable = c.PC+size, 0
	var lanes [lane.MaxWarps]lane.Mask
	for j := range c.N {
		lanes[c.Warp[j]] = c.Mask[j]
	}
	text := ""
	for _, m := range lanes[:p.warps] {
		text += " " + lanes4(m)
	}
	p.lines = append(p.lines, fmt.Sprintf("%02x %-14s%s  %s", c.PC, p.names[c.PC/size], text, p.State(int(c.Warp[0]), nil).Text(branch.Mixes(p.Policy), lanes4)))
}

func (p *teller) unwrap() branch.Policy { return p.Policy }

// lanes4 draws four lanes, the lowest first.
func lanes4(m lane.Mask) string { return lanes8(m)[:4] }

// published runs programs under policies and compares every issue with a golden file. It returns
// the issues of warps under each policy.
func published(t *testing.T, file, head string, policies []string, warps int, list []publishedProgram) map[string]int {
	out, issues := []string{head}, map[string]int{}
	for _, c := range list {
		for _, policy := range policies {
			p := &teller{Policy: c.code.under(t, policy), names: c.names, warps: warps}
			masks := []lane.Mask{0xf, 0xf}[:warps]
			paths, _, err := c.code.run(p, masks)
			require.NoError(t, err)
			for g, path := range paths {
				if g%lane.Width < 4 {
					require.Equal(t, c.code.alone(g), path, "%s, lane %d", policy, g)
				}
			}
			out = append(out, "", fmt.Sprintf("%s, under %s: %d issues", c.name, policy, p.issues))
			issues[policy] += p.issues
			out = append(out, p.lines...)
		}
	}
	golden(t, file, strings.ReplaceAll(strings.Join(out, "\n"), "  \n", "\n")+"\n")
	return issues
}

// publishedProgram is an example of a paper.
type publishedProgram struct {
	name  string
	names []string
	code  program
}

// The three sequences of US patent application 2016/0019066 A1: an if/else, nested ifs, and a loop
// with a yield. The drawings were not at hand: the code is made from the lecture that names them
// ("Introduction to control divergence", slides 26 to 41), and masks are ours. joinat adds a
// barrier; lanes wait for it at the join. A lane yields after 16 branches; the patent has an
// instruction for it.
func TestPatentSequences(t *testing.T) {
	head := "Every issue of four lanes: pc, instruction, active lanes, and what the policy keeps.\n" +
		"join: a barrier, its lanes. blocked: lanes that wait there. path: other lanes that are ready.\n" +
		"At wait the active lanes are those that come; all that meet there execute it. yielded without lanes:\n" +
		"branches since another path ran."
	published(t, "patent-steps.txt", head, []string{"barrier", "volta:quantum=16"}, 1, []publishedProgram{
		{"if/else", []string{"add b0", "if", "  else", "  goto wait", "  then", "wait b0", "exit"}, program{
			{kind: joinat, target: 5}, {kind: bra, target: 4, lanes: 0x3}, {}, {kind: bra, target: 5}, {}, {join: true}, {exit: true},
		}},
		{"nested ifs",
			[]string{"add b0", "if", "  add b1", "  if", "    else", "    goto wait", "    then", "  wait b1", "  goto wait", "  else", "wait b0", "exit"},
			program{
				{kind: joinat, target: 10}, {kind: bra, target: 9, lanes: 0x8},
				{kind: joinat, target: 7}, {kind: bra, target: 6, lanes: 0x1}, {}, {kind: bra, target: 7}, {}, {join: true},
				{kind: bra, target: 10}, {}, {join: true}, {exit: true},
			}},
		{"a loop of which lane 3 makes 18 rounds more", []string{"add b0", "  body", "  loop", "wait b0", "behind", "exit"}, program{
			{kind: joinat, target: 3}, {}, {kind: bra, target: 1, lanes: 0x8, rounds: 18}, {join: true}, {}, {exit: true},
		}},
	})
}

// The example of Fung, Sham, Yuan and Aamodt: A branches to B and F, B to C and D; C and D meet in
// E, E and F in G. The first warp has the masks of the stack in the lecture
// (testdata/pdom-stack.txt has it under pdom). The second has the masks of the authors' talk, from
// memory: its figure is not at hand. Warps have four lanes.
func TestFungSnapshots(t *testing.T) {
	code := program{
		{kind: bra, target: 2, lanes: 0x7, second: 0xc}, // A: to B
		{kind: bra, target: 6},                          // F
		{kind: bra, target: 4, lanes: 0x1, second: 0x4}, // B: to C
		{kind: bra, target: 5},                          // D
		{kind: bra, target: 5},                          // C
		{kind: bra, target: 6},                          // E
		{exit: true},                                    // G
	}
	head := "Every issue of two warps of four lanes: pc, block, active lanes of each home warp, and the pool.\n" +
		"warp: a warp that is formed, its place in the pool and its lanes; > is the warp that runs. Under pdom\n" +
		"the stack is that of the warp that issues."
	issues := published(t, "fung-steps.txt", head,
		[]string{"pdom:warp=4", "dwf:warp=4", "dwf:sched=dmaj,warp=4", "dwf:sched=dpc,warp=4", "dwf:sched=dpdpri,warp=4", "dwf:sched=dpc,lanes=free,warp=4"},
		2, []publishedProgram{{"Fung's example", []string{"A", "F", "B", "D", "C", "E", "G"}, code}})
	require.Equal(t, 14, issues["pdom:warp=4"], "each warp issues every block")
	require.Equal(t, 11, issues["dwf:sched=dpc,warp=4"], "C, D and F issue once for both")
}
