package translate

import (
	"math/rand/v2"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

const (
	accessRegisters = 10
	sharedBytes     = 8190
	localBytes      = 600 // the machine rounds it up
	allocationBytes = 6003
)

// accessSide is an engine with two warps, for the access of one instruction by the second.
type accessSide struct {
	eng   engine.Engine
	st    *machine.State
	space *mem.Space
	bases [2]uint32 // allocations
	slow  int       // instructions that the interpreter executed for it
}

// slowly counts the runs of an engine.
type slowly struct {
	engine.Engine
	n *int
}

func (s slowly) Run(sel *lane.Sel, from, to int) int {
	*s.n++
	return s.Engine.Run(sel, from, to)
}

func accessProgram(t require.TestingT, simd, text string) *program.Program {
	img, err := asm.Read(".module sm_13 abi=1 name=m\n.kernel k registers=10 shared=0 local=0 barriers=0\n\t" + text + "\n\tnop {exit}\n")
	require.NoError(t, err, text)
	p, err := program.Lower(program.Kernel{
		Name: text, Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, img.Kernels[0].Code), Host: program.Host{SIMD: simd},
		Registers: accessRegisters, Shared: sharedBytes, Local: localBytes,
	})
	require.NoError(t, err)
	return p
}

func newAccessSide(t require.TestingT, p *program.Program, code engine.Code) *accessSide {
	s := &accessSide{eng: code.New(2), space: mem.NewSpace(1 << 24)}
	r := rand.New(rand.NewPCG(1, 2))
	for i, slack := range []int{0, 40} {
		at, err := s.space.AllocIn(randomBytes(r, allocationBytes+slack), slack)
		require.NoError(t, err)
		s.bases[i] = at
	}
	s.st = s.eng.Machine()
	s.st.Grid = machine.Grid{Global: s.space, Const: &[16][]byte{1: randomBytes(r, 4002), 2: randomBytes(r, 1<<16)}, Rows: lane.NewRows(len(p.Rows)), Launch: 1}
	for i := range s.st.Rows {
		for j := range s.st.Rows[i] {
			s.st.Rows[i][j] = p.Rows[i].Value(s.st.Const)
		}
	}
	c := machine.NewCounts(len(p.Code))
	c.Access, c.Priced = make([]mem.Access, p.Slots), true
	s.st.Counts = &c
	s.st.Shared.Reset(sharedBytes)
	copy(s.st.Shared.Bytes(), randomBytes(r, sharedBytes))
	for i := range s.st.Local {
		for j := range s.st.Local[i] {
			s.st.Local[i][j] = r.Uint32()
		}
	}
	if e, ok := s.eng.(*Engine); ok {
		e.Engine = slowly{e.Engine, &s.slow}
	}
	return s
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// set gives registers of the second warp values that depend on the seed, and addresses.
func (s *accessSide) set(p *program.Program, seed uint64, at *lane.Row, guard lane.Mask) {
	r := rand.New(rand.NewPCG(seed, 3))
	for n := range accessRegisters {
		for i := range lane.Width {
			s.st.RegisterRow(n, 1)[i] = r.Uint32()
		}
	}
	if p.Addresses>>1&1 != 0 {
		for i, v := range at {
			s.st.RegisterRow(machine.AddressRow(p, 1), 1)[i] = v & 0xffff
		}
	} else {
		*s.st.RegisterRow(1, 1) = *at
	}
	s.st.Flags[0][1] = lane.Flags{C: guard}
	s.st.Counts.Access[0].Forget()
}

// memory is the content of the memories of bytes.
func (s *accessSide) memory() [][]byte {
	return [][]byte{s.space.Reach(s.bases[0]), s.space.Reach(s.bases[1]), s.st.Shared.Bytes()}
}
