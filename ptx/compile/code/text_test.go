package code_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/internal/test/cases"
	"jacquard/ptx/compile/code"
	"jacquard/tesla"
)

// TestCode shows passes on code that is written as such, since no text of PTX leads to it:
// testdata/code/PASS.txt has the code before and after the pass. A title may begin with the most
// registers. See readCode for the text.
func TestCode(t *testing.T) {
	for _, p := range code.Passes() {
		file := filepath.Join("testdata", "code", p.Name+".txt")
		if found, err := filepath.Glob(file); err != nil || len(found) == 0 {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			cases.Run(t, file, *update, func(t *testing.T, title, text string) string {
				f := readCode(t, text)
				f.Verify = true
				if n, _ := fmt.Sscanf(title, "[%d registers]", &f.MaxRegs); n == 0 {
					f.MaxRegs = 124
				}
				require.NoError(t, code.Verify(f))
				before, known := effect(f)
				require.NoError(t, p.Run(f))
				require.NoError(t, code.Verify(f))
				if after, still := effect(f); known && still {
					require.Equal(t, before, after, "memory")
				}
				return blocks(f)
			})
		})
	}
}

// effect returns what threads leave in memory, and reports whether the evaluator knows all operations.
func effect(f *code.Func) (memory []map[uint32]uint32, known bool) {
	defer func() {
		if recover() != nil {
			known = false
		}
	}()
	for _, enter := range []uint32{0, 1, 0x7fffffff, 0x80000000, 0xfffffff0} {
		th := &thread{f: f, words: make([]uint32, len(f.Regs)), memory: map[uint32]uint32{}, shared: make([]uint32, 16)}
		for r := range f.Regs {
			if th.words[r] = uint32(7*r) & 15; f.Regs[r].Fixed != 0 {
				th.words[r] = enter
			}
		}
		if th.run() != nil {
			return nil, false
		}
		memory = append(memory, th.memory)
	}
	return memory, true
}

// The registers of readCode: $r1 to $r60 are the Words v1 to v60, $c0 to $c3 the flags p61 to p64,
// $a1 to $a3 the addresses a65 to a67. The kernel enters with a value in $r0, v68. $r124 is zero.
const (
	firstFlag    = 61
	firstAddress = 65 - 1
	enters       = 68
)

// readCode reads blocks, each with a name, what is special about it, its instructions and its end, as
// String writes them, but with the registers of the machine.
func readCode(t *testing.T, text string) *code.Func {
	f := &code.Func{Name: "k", Arch: tesla.SM13, Constant: 0x20, Regs: make([]code.RegInfo, enters+1)}
	for r := firstFlag; r < enters; r++ {
		f.Regs[r].Class = code.Cond
		if r > firstAddress {
			f.Regs[r].Class = code.Addr
		}
	}
	f.Regs[enters].Fixed = 1
	lines := strings.Split(strings.TrimSpace(text), "\n")
	byName := map[string]*code.Block{}
	for _, line := range lines {
		if name, about, ok := strings.Cut(line, ":"); ok && line[0] != '\t' {
			b := &code.Block{Meet: strings.Contains(about, "meet")}
			_, _ = fmt.Sscanf(about, " depth=%d", &b.Depth)
			byName[name], f.Blocks = b, append(f.Blocks, b)
		}
	}
	var b *code.Block
	for _, line := range lines {
		name, _, _ := strings.Cut(line, ":")
		if next := byName[name]; next != nil {
			b = next
			continue
		}
		words := strings.Fields(line)
		switch words[0] {
		case "exit":
			b.End.Kind = code.Exit
		case "jump":
			b.End = code.End{Kind: code.Jump, To: [2]*code.Block{byName[words[1]]}}
		case "branch":
			b.End = code.End{Kind: code.Branch, To: [2]*code.Block{byName[words[3]], byName[words[4]]}, Uniform: len(words) > 5}
			b.End.Guard = guardOf(machine(t, words[1]+" "+words[2]+" mov b32 $r1 $r1").Guard)
		default:
			b.Code = append(b.Code, readInstr(t, line))
		}
	}
	return f
}

// readInstr reads an instruction: "|1 mov b32 $r1 $r2  ; copy" is one of the copies of run 1.
func readInstr(t *testing.T, line string) code.Instr {
	text, about, _ := strings.Cut(strings.TrimSpace(line), ";")
	in := code.Instr{
		Copy: strings.Contains(about, "copy"), First: strings.Contains(about, "first"), Tied: strings.Contains(about, "tied"),
	}
	if text[0] == '|' {
		_, err := fmt.Sscanf(text, "|%d", &in.Parallel)
		require.NoError(t, err)
		_, text, _ = strings.Cut(text, " ")
	}
	x := machine(t, text)
	in.Guard = guardOf(x.Guard)
	in.CDst, in.CarryIn = flagOf(x.CDst), flagOf(x.CarryIn)
	x.Guard, x.CDst, x.CarryIn = tesla.Guard{Cond: x.Guard.Cond}, 0, 0
	if in.Guard.Reg != 0 {
		x.Guard = tesla.Guard{}
	}
	in.Dst = registers(&x.Dst)
	for i := range x.Src {
		in.Src[i] = registers(&x.Src[i])
	}
	if in.Tied {
		in.Dst = sequence(int(in.Dst.Regs[0]), 4)
		in.Src[0] = sequence(int(in.Src[0].Regs[0]), int(x.Tex.Coords))
	}
	in.In = x
	return in
}

// machine returns the instruction of a text.
func machine(t *testing.T, text string) tesla.Instruction {
	img, err := asm.Read(".module sm_13\n.kernel k\n\t" + text + "\n")
	require.NoError(t, err, text)
	in := decoder.Kernel(tesla.SM13, img.Kernels[0].Code)[0]
	in.Raw, in.Size, in.Form = [2]uint32{}, 0, 0
	return in
}

func flagOf(c tesla.CReg) code.Reg {
	if c == tesla.NoCond {
		return 0
	}
	return firstFlag + code.Reg(c.Index())
}

func guardOf(g tesla.Guard) code.Guard {
	if g.Cond == tesla.CondAlways || g.Cond == tesla.CondNever {
		return code.Guard{}
	}
	return code.Guard{Reg: firstFlag + code.Reg(g.Reg), Cond: g.Cond}
}

func sequence(first, n int) (o code.Operand) {
	for k := range n {
		o.Regs[k] = code.Reg(first + k)
	}
	return o
}

// registers takes the registers out of an operand.
func registers(o *tesla.Operand) (v code.Operand) {
	word := func(n int) int {
		if n == 0 {
			return enters
		}
		return n
	}
	n := int(o.Index)
	switch o.Kind {
	case tesla.Reg:
		if n < tesla.MaxRegisters-1 {
			v = sequence(word(n), 1)
		}
		o.Index = 0
	case tesla.Half:
		v = sequence(word(n/2), 1)
		v.High, o.Index = n%2 != 0, 0
	case tesla.Pair, tesla.Quadruple:
		v = sequence(n, map[tesla.OperandKind]int{tesla.Pair: 2, tesla.Quadruple: 4}[o.Kind])
		o.Index = 0
	case tesla.CondReg:
		v = sequence(firstFlag+n, 1)
		o.Index = 0
	case tesla.AddrReg:
		v = sequence(firstAddress+n, 1)
		o.Index = 0
	case tesla.Global:
		v = sequence(word(int(o.Value)), 1)
		o.Value = 0
	}
	if o.Base != 0 {
		v.Base = code.Reg(firstAddress + int(o.Base))
		o.Base = 0
	}
	return v
}
