package code

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// twoPaths is a kernel that register 1 enters, registers 2 and 3 are sums, 4 is a copy of 2, and
// flag 5 decides whether 3 changes.
func twoPaths() *groups {
	f := &Func{Regs: make([]RegInfo, 6), MaxRegs: 10, Verify: true}
	f.Regs[1].Fixed = 1
	f.Regs[5].Class = Cond
	set := add(0, 1, 1)
	set.In.Dst.Kind, set.CDst = tesla.Discard, 5
	last := &Block{Code: []Instr{add(3, 4, 3)}, End: End{Kind: Exit}}
	side := &Block{Code: []Instr{add(3, 2, 2)}, End: End{Kind: Jump, To: [2]*Block{last}}}
	f.Blocks = []*Block{
		{Code: []Instr{set, add(2, 1, 1), add(3, 1, 2), move(4, 2, Line{})},
			End: End{Kind: Branch, Guard: Guard{Reg: 5, Cond: tesla.CondLG}, To: [2]*Block{side, last}}},
		side, last,
	}
	s := newGroups(analyse(f), nil)
	s.coalesce()
	return s
}

// Every placement of the registers of a kernel is right or reported.
func TestVerifyRegisters(t *testing.T) {
	s := twoPaths()
	_, failed := s.allocateAll()
	require.Empty(t, failed)
	require.NoError(t, s.verify())
	require.Equal(t, s.physical(2), s.physical(4), "the copy shares the register")

	for _, c := range []struct {
		name string
		r    Reg
		as   Reg
		want string
	}{
		{"a value over one that is read later", 3, 2, "register 2 is not in"},
		{"the value that the kernel starts with", 2, 1, "register 1 is not in"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := twoPaths()
			s.allocateAll()
			s.of[c.r].base = s.of[c.as].base
			require.ErrorContains(t, s.verify(), c.want)
		})
	}
}

// A guarded instruction leaves what its register held, so that must be its own value.
func TestVerifyRegistersUnderGuards(t *testing.T) {
	f := &Func{Regs: make([]RegInfo, 5), MaxRegs: 10, Verify: true}
	f.Regs[1].Fixed, f.Regs[4].Class, f.Regs[4].Fixed = 1, Cond, 1
	f.Blocks = []*Block{{End: End{Kind: Exit}, Code: []Instr{
		add(2, 1, 1), add(3, 1, 2), guarded(add(2, 3, 3), 4, tesla.CondLG), add(3, 2, 2),
	}}}
	s := newGroups(analyse(f), nil)
	s.coalesce()
	s.allocateAll()
	require.NoError(t, s.verify())
	s.of[3].base = s.of[2].base
	require.ErrorContains(t, s.verify(), "register 2 is not in")
}
