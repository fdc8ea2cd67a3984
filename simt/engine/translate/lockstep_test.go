package translate

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/conformance/random"
	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/engine/reference"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

var lockstep = flag.Int("lockstep", 60, "random kernels of TestLockstep for each device")

// side is one engine at work on a block.
type side struct {
	eng   engine.Engine
	st    *machine.State
	space *mem.Space
}

func newSide(t testing.TB, k *random.Kernel, p *program.Program, code engine.Code) *side {
	space, err := k.Space()
	require.NoError(t, err)
	start := reference.Start{Program: p, Grid: k.Grid, Block: k.Block, Params: k.Params, Memory: machine.Grid{Global: space, Const: &k.Const, Textures: k.Textures}}
	st, all := start.State(0, 0)
	s := &side{eng: code.New(all.N), space: space}
	s.st = s.eng.Machine()
	s.st.Grid = st.Grid
	s.st.Rows = lane.NewRows(len(p.Rows))
	for i := range s.st.Rows {
		v := p.Rows[i].Value(&k.Const)
		for j := range s.st.Rows[i] {
			s.st.Rows[i][j] = v
		}
	}
	c := machine.NewCounts(len(p.Code))
	c.Access, c.Priced = make([]mem.Access, p.Slots), true
	s.st.Counts = &c
	s.st.Block = st.Block
	copy(s.st.Regs, st.Regs)
	return s
}

// Translated code leaves what the interpreter leaves.
func TestLockstep(t *testing.T) {
	for _, simd := range []string{"avx512", "avx2"} {
		t.Run(simd, func(t *testing.T) {
			if _, err := host.Find(simd); err != nil {
				t.Skip(err)
			}
			slow := map[string]int{}
			fast := map[string]int{}
			for _, arch := range tesla.Archs {
				forms, err := random.ReadForms(arch, "../../../decoder/testdata/decode-vectors.csv.gz")
				require.NoError(t, err)
				for seed := range uint64(*lockstep) {
					k, err := forms.Straight(seed, random.NewSeen())
					require.NoError(t, err)
					compareKernel(t, simd, k, slow, fast)
				}
			}
			t.Log("slow", slow)
			t.Log("fast", fast)
		})
	}
}

func compareKernel(t *testing.T, simd string, k *random.Kernel, slow, fast map[string]int) {
	p, err := program.Lower(k.Kernel)
	require.NoError(t, err)
	p.Kernel.Host.SIMD = simd
	want, err := interp.Compile(p)
	require.NoError(t, err)
	got, err := CompileHot(p)
	require.NoError(t, err)
	a, b := newSide(t, k, p, want), newSide(t, k, p, got)
	threads := k.Block[0]
	for w := range a.st.Warps {
		m := lane.All >> max(0, lane.Width*(w+1)-threads)
		at := int32(0)
		for m != 0 {
			ta := engine.Turn{Warp: w, Lanes: m, At: at, Stop: -1, Tells: program.Tells(p, 1<<branch.Branch|1<<branch.Break, nil), Room: 1 << 20}
			tb := ta
			runOn(a, p, &ta)
			b.eng.(engine.Runner).RunOn(&tb)
			require.Equal(t, ta, tb, describe(k, p, ta.At))
			fa, fb := a.st.Caught(), b.st.Caught()
			if fa != nil {
				fa.Time, fb.Time = 0, 0
			}
			require.Equal(t, fa, fb, describe(k, p, ta.At))
			sameState(t, k, p, a, b, w, at, ta.At)
			if fa != nil {
				return
			}
			u := &p.Code[ta.At]
			at = ta.At + 1
			if u.OffCode {
				break
			}
			switch {
			case u.Marker == tesla.MarkerExit || u.Event == branch.Exit:
				m = 0
			case u.Event == branch.Return:
				if u.Guarded {
					m &^= lane.Condition(&a.st.Flags[u.Guard.Reg][w], uint8(u.Guard.Cond))
				} else {
					m = 0
				}
			case u.Acts:
				var s lane.Sel
				s.Full = true
				s.Add(w, m)
				a.eng.Run(&s, int(ta.At), int(ta.At)+1)
				b.eng.Run(&s, int(ta.At), int(ta.At)+1)
				if a.st.Caught() != nil {
					b.st.Caught()
					return
				}
			}
		}
	}
	for i := range p.Code {
		if u := &p.Code[i]; !u.Control && !u.OffCode {
			if translations[u.Ins.Op] == nil {
				slow[u.Ins.Op.String()]++
			} else {
				fast[u.Ins.Op.String()]++
			}
		}
	}
}

// runOn is RunOn implemented with Run, for code without branches.
func runOn(s *side, p *program.Program, t *engine.Turn) {
	var sel lane.Sel
	sel.Full = true
	sel.Add(t.Warp, t.Lanes)
	for at := t.At; ; at++ {
		if p.Code[at].Control {
			t.At = at
			return
		}
		s.st.Clock = t.Clock + t.Steps - uint64(at)
		s.eng.Run(&sel, int(at), int(at)+1)
		s.st.Counts.Issue(count(t.Lanes), at, at+1)
		t.Steps++
		if s.st.Raised != nil {
			t.At = at
			return
		}
	}
}

func count(m lane.Mask) (n int) {
	for ; m != 0; m &= m - 1 {
		n++
	}
	return n
}

func describe(k *random.Kernel, p *program.Program, at int32) string {
	return fmt.Sprintf("%s %v at %d: %v", k.Name, k.Arch, at, p.Code[at].Ins)
}

func sameState(t *testing.T, k *random.Kernel, p *program.Program, a, b *side, w int, from, to int32) {
	what := func() string {
		text := describe(k, p, to) + "\n"
		for i := from; i <= to; i++ {
			text += fmt.Sprintf("%d: %v\n", i, p.Code[i].Ins)
		}
		return text
	}
	for n := range a.st.Step {
		if *a.st.RegisterRow(n, w) != *b.st.RegisterRow(n, w) {
			require.Equal(t, *a.st.RegisterRow(n, w), *b.st.RegisterRow(n, w), "warp %d register %d of %d: %s", w, n, p.Kernel.Registers, what())
		}
	}
	for c := range a.st.Flags {
		require.Equal(t, a.st.Flags[c][w], b.st.Flags[c][w], "c%d warp %d %s", c, w, what())
	}
	if !slices.Equal(a.space.Reach(random.Base), b.space.Reach(random.Base)) {
		t.Fatal("memory differs", what())
	}
	if !slices.Equal(a.st.Shared.Bytes(), b.st.Shared.Bytes()) {
		t.Fatal("shared memory differs", what())
	}
	require.True(t, slices.Equal(a.st.LocalOf(w), b.st.LocalOf(w)), what())
	require.Equal(t, a.st.Counts.Off, b.st.Counts.Off, what())
	for n := range a.st.Counts.Issues { // the lists are made when they are first used
		if i, j := a.st.Counts.Issues[n], b.st.Counts.Issues[n]; i != nil && j != nil {
			require.Equal(t, i, j, what())
		} else {
			require.Zero(t, slices.Max(append([]int64{0}, append(i, j...)...)), what())
		}
	}
	for i := range a.st.Counts.Access {
		require.Equal(t, total(a.st, i), total(b.st, i), "slot %d: %s", i, what())
	}
}

// total returns the costs of the accesses of a slot.
func total(st *machine.State, slot int) (c mem.Cost) {
	st.Counts.Access[slot].Total(&c)
	return c
}
