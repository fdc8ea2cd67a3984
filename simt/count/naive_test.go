package count

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// counted has an instruction of each kind that the statistics tell apart.
const counted = `.module sm_13 abi=1 name=m
.kernel k registers=8 shared=0 local=0 barriers=0
joinat met {long}
bra met {long}
breakaddr met {long}
call met {long}
met:
join nop {long}
mov b32 $r1 b32 s[0x10] {long}
mov b32 $r1 b32 s[$a1] {long}
add b32 $r1 $r1 c0[$a1] {long}
add b32 $r1 $r1 c0[0x10] {long}
st b32 s[0x10] $r1 {long}
ld b32 $r1 g14[$r2] {long}
st b32 g14[$r2] $r1 {long}
ld b32 $r1 l[0x10] {long}
st b32 l[0x10] $r1 {long}
red add u32 g14[$r2] $r1 {long}
rcp f32 $r1 $r2 {long}
bar inc wait 0x0 0xfff {long}
break {long}
ret {long}
st b32 g14[$r2] $r1 {long}
texauto all $r0:$r1:$r2:$r3 $t0 $s0 $r0
mov b32 $r1 $r0
nop {exit}
`

// The statistics of random counts follow the definitions, instruction by instruction.
func TestStatsNaive(t *testing.T) {
	p := lowered(t, counted)
	r := rand.New(rand.NewPCG(1, 2))
	var c Ledger
	for _, few := range []bool{true, false, true} {
		c.Begin(p, false)
		fill(&c, p, r, few)
		want := naive(&c, p)
		require.NotZero(t, want.Annotations)
		require.NotZero(t, want.JoinAts)
		require.NotZero(t, want.Arbiter.Neither)
		require.NotZero(t, want.Memory.Device)
		require.NotZero(t, want.Memory.Shared)
		var got Stats
		c.Stats(&got, p, Instructions)
		require.Equal(t, want, got)
		got.WarpInstructions, got.ByInstruction[2].Replays = 1, 1
		c.Stats(&got, p, Instructions)
		require.Equal(t, want, got, "what the statistics held before is lost")
		c.Stats(&got, p, Sums)
		want.ByInstruction = nil
		require.Equal(t, want, got, "sums")
	}
}

// Of a launch in which most instructions do not issue, nothing is left of the launch before.
func TestStatsGaps(t *testing.T) {
	p := lowered(t, counted)
	var c Ledger
	c.Begin(p, false)
	fill(&c, p, rand.New(rand.NewPCG(3, 4)), false)
	var got Stats
	c.Stats(&got, p, Instructions)
	for i := range got.ByInstruction {
		got.ByInstruction[i].Replays, got.ByInstruction[i].Operands.Reads = 1, 1
	}

	load := slices.IndexFunc(p.Code, func(u program.Op) bool { return u.Ins.Op == tesla.OpLdGlobal })
	c.Begin(p, false)
	for _, at := range []int{1, load, p.Instructions() - 1} {
		c.IssueTimes(5, int32(at), int32(at+1), 2)
		c.IssueTimes(lane.Width, int32(at), int32(at+1), 3)
		c.Off[at] = 4
	}
	c.Access[p.Code[load].Slot].Wholes = 6
	c.NotTaken[1] = 7
	c.some[2][3], c.some[1][1] = 7, 9
	want := naive(&c, p)
	require.Equal(t, uint64(15), want.WarpInstructions)
	require.NotZero(t, want.Memory.Device)
	c.Stats(&got, p, Instructions)
	require.Equal(t, want, got)
	c.Stats(&got, p, Sums)
	want.ByInstruction = nil
	require.Equal(t, want, got, "sums")
}

// lowered returns the program of a kernel's text.
func lowered(t *testing.T, text string) *program.Program {
	t.Helper()
	img, err := asm.Read(text)
	require.NoError(t, err)
	p, err := program.Lower(program.Kernel{
		Name: "k", Arch: tesla.SM13, Registers: 8, Code: decoder.Kernel(tesla.SM13, img.Kernels[0].Code),
	})
	require.NoError(t, err)
	return p
}

// fill counts at random, with all lanes or none active if few, else with any number.
func fill(c *Ledger, p *program.Program, r *rand.Rand, few bool) {
	numbers := []int{0, lane.Width}
	for n := 1; n < lane.Width && !few; n++ {
		numbers = append(numbers, n)
	}
	for i := range p.Instructions() {
		for _, n := range numbers {
			c.IssueTimes(n, int32(i), int32(i+r.IntN(p.Instructions()-i)+1), r.Int64N(50))
		}
		c.Off[i], c.Waited[i] = r.Uint64N(50), r.Uint64N(50)
		c.Each[i].vetoed, c.Each[i].kept = r.Uint64N(50), r.Uint64N(50)
		switch p.Code[i].Event {
		case branch.Branch, branch.Break, branch.Return:
			c.NotTaken[i] = r.Uint64N(50)
			c.Each[i].Branch = Outcomes{r.Uint64N(50), r.Uint64N(50), r.Uint64N(50), r.Uint64N(50)}
			for _, n := range numbers {
				c.TakenBy(n)[i] = r.Uint64N(50)
			}
		}
	}
	for i := range c.Access {
		a := &c.Access[i]
		a.Singles, a.Wholes = r.Uint64N(50), r.Uint64N(50)
		a.Shared, a.Const = mem.Steps{Accesses: 1, Single: 2, Steps: 3}, mem.Steps{Accesses: 4, Single: 5, Steps: 6}
		a.Device.Accesses, a.Device.G80.By32, a.Device.GT200.By128 = r.Uint64N(50), r.Uint64N(50), r.Uint64N(50)
	}
	c.some[2][3], c.some[1][1] = 7, 9
}

// naive is Ledger.Stats by the definitions, from the instructions themselves.
func naive(c *Ledger, p *program.Program) (s Stats) {
	s.Kernel, s.Plan, s.MostPaths = p.Kernel.Name, p.Plan, 1
	s.BCC[2], s.BCC[1], s.QuadBCC[3], s.QuadBCC[1] = 7, 9, 7, 9
	for i := range p.Instructions() {
		u := &p.Code[i]
		in := InstructionStats{
			PC: u.PC, Off: c.Off[i], Waited: c.Waited[i], Vetoed: c.Each[i].vetoed, Branch: c.Each[i].Branch,
		}
		for n := range in.Active {
			if c.Issues[n] != nil {
				for _, more := range c.Issues[n][:i+1] {
					in.Active[n] += uint64(more)
				}
			}
			if c.Taken[n] != nil {
				in.Branch.Taken += c.Taken[n][i]
				in.Branch.Threads += uint64(n) * c.Taken[n][i]
			}
			in.Issues += in.Active[n]
			in.Threads += uint64(n) * in.Active[n]
			s.Active[n] += in.Active[n]
			s.SCC[(n+SlotLanes-1)/SlotLanes] += in.Active[n]
			if u.Event == branch.JoinAt {
				s.JoinAts[n] += in.Active[n]
			}
		}
		in.Branch.NotTaken += c.NotTaken[i]
		in.Threads -= c.Off[i] + c.Each[i].kept
		s.BCC[Slots] += in.Active[lane.Width]
		s.QuadBCC[Quads] += in.Active[lane.Width]
		s.WarpInstructions += in.Issues
		s.ThreadInstructions += in.Threads
		s.ReissuedJoins += in.Vetoed
		s.BarrierWaits += in.Waited
		s.Exactness[u.Ins.Certainty().Exactness].Add(&in)
		if u.TouchesMemory() {
			c.Access[u.Slot].Total(&in.Memory)
			s.Memory.Add(&in.Memory)
		}
		if u.Annotates() {
			s.Annotations += in.Issues
		}
		if u.Steers() {
			s.Arbiter.PC += in.Issues
		}
		if u.Spreads() {
			s.Arbiter.Memory += in.Issues
		}
		if !u.Steers() && !u.Spreads() {
			s.Arbiter.Neither += in.Issues
		}
		s.ByInstruction = append(s.ByInstruction, in)
	}
	return s
}
