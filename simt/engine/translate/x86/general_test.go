package x86

import (
	"fmt"
	"strings"
)

// generalForms are general instructions with their texts: every method, in all sizes, with
// registers at the edges, memory and immediates.
func generalForms() (all []encodedText) {
	g := generalList{}
	g.arithmetic()
	g.moves()
	g.shifts()
	g.bits()
	g.addresses()
	g.control()
	return g.all
}

// generalList collects instructions.
type generalList struct{ all []encodedText }

func (g *generalList) put(do func(a *Assembler), format string, args ...any) {
	a := New(false)
	do(a)
	g.all = append(g.all, encodedText{fmt.Sprintf(format, args...), append([]byte(nil), a.Finish()...)})
}

// edgeRegs are registers that encodings treat apart.
var edgeRegs = []Reg{RAX, RSP, RSI, R8, R12, R15}

var sizes = []int{8, 16, 32, 64}

// name is the name of a register of a size.
func name(size int, r Reg) string {
	return map[int][]string{8: names8, 16: names16, 32: names32, 64: names64}[size][r]
}

// operandText is a register, memory or immediate of a size.
func operandText(size int, o Operand) string {
	switch o.kind {
	case general:
		return name(size, Reg(o.reg))
	case immediate:
		return fmt.Sprint(o.val)
	}
	return ptr[size/8] + " ptr " + address(o, 0)
}

// pairs are a few pairs of a destination and a source.
func pairs(size int, imms ...int64) (all [][2]Operand) {
	for n, r := range edgeRegs {
		all = append(all, [2]Operand{R(r), R(edgeRegs[(n+2)%len(edgeRegs)])})
	}
	all = append(all, [2]Operand{R(RBP), At(RSP, 8)}, [2]Operand{At(R13, 0), R(RDI)},
		[2]Operand{R(R9), At(RBX, -300).Index(R10, 2)}, [2]Operand{At(RAX, 1000).Index(R8, 8), R(R14)})
	for _, v := range imms {
		if size == 8 && !fits8(v) || size == 16 && v != int64(int16(v)) {
			continue
		}
		all = append(all, [2]Operand{R(RAX), Imm(v)}, [2]Operand{R(R13), Imm(v)}, [2]Operand{At(RSP, 4), Imm(v)})
	}
	return all
}

func (g *generalList) arithmetic() {
	two := []struct {
		name string
		do   func(a *Assembler, size int, dst, src Operand)
	}{
		{"add", (*Assembler).Add}, {"or", (*Assembler).Or}, {"adc", (*Assembler).Adc},
		{"sbb", (*Assembler).Sbb}, {"and", (*Assembler).And}, {"sub", (*Assembler).Sub},
		{"xor", (*Assembler).Xor}, {"cmp", (*Assembler).Cmp}, {"test", (*Assembler).Test},
		{"mov", (*Assembler).Mov},
	}
	for _, op := range two {
		for _, size := range sizes {
			for _, p := range pairs(size, -1, 5, 127, -128, 128, -129, 30000, -70000, 1<<31-1) {
				if op.name == "test" && p[1].kind == memory || op.name == "mov" && p[1].kind == immediate {
					continue
				}
				g.put(func(a *Assembler) { op.do(a, size, p[0], p[1]) },
					"%s %s, %s", op.name, operandText(size, p[0]), operandText(size, p[1]))
			}
		}
	}
	one := []struct {
		name string
		do   func(a *Assembler, size int, o Operand)
	}{
		{"mul", (*Assembler).Mul}, {"imul", (*Assembler).ImulWide}, {"div", (*Assembler).Div},
		{"inc", (*Assembler).Inc}, {"dec", (*Assembler).Dec}, {"not", (*Assembler).Not}, {"neg", (*Assembler).Neg},
	}
	for _, op := range one {
		for _, size := range sizes {
			for _, o := range []Operand{R(RAX), R(RSP), R(RDI), R(R15), At(RBP, 0), At(R12, 200)} {
				g.put(func(a *Assembler) { op.do(a, size, o) }, "%s %s", op.name, operandText(size, o))
			}
		}
	}
	for _, size := range sizes[1:] {
		for _, o := range []Operand{R(RAX), R(R15), At(RSP, 8), At(R13, 1).Index(R12, 8)} {
			for _, d := range []Reg{RAX, RBP, R8} {
				g.put(func(a *Assembler) { a.Imul(size, d, o) }, "imul %s, %s", name(size, d), operandText(size, o))
				for _, v := range []int32{-3, 300} {
					g.put(func(a *Assembler) { a.ImulImm(size, d, o, v) },
						"imul %s, %s, %d", name(size, d), operandText(size, o), v)
				}
			}
		}
	}
}

func (g *generalList) moves() {
	for _, c := range []struct {
		size int
		r    Reg
		v    int64
		text string
	}{
		{8, RAX, 200, "mov al, 200"}, {8, RSI, 3, "mov sil, 3"}, {8, R9, -1, "mov r9b, -1"},
		{16, RBX, 40000, "mov bx, 40000"}, {16, R15, -2, "mov r15w, -2"},
		{32, RSP, 1 << 31, "mov esp, 2147483648"}, {32, R8, -1, "mov r8d, -1"},
		{64, RAX, 0, "mov eax, 0"}, {64, R10, 1<<32 - 1, "mov r10d, 4294967295"},
		{64, RAX, -1, "mov rax, -1"}, {64, R10, -1 << 31, "mov r10, -2147483648"},
		{64, RAX, 1 << 32, "movabs rax, 4294967296"}, {64, R15, -1<<31 - 1, "movabs r15, -2147483649"},
	} {
		g.put(func(a *Assembler) { a.Mov(c.size, R(c.r), Imm(c.v)) }, "%s", c.text)
	}
	for _, size := range sizes {
		g.put(func(a *Assembler) { a.Mov(size, At(R12, 7), Imm(-3)) }, "mov %s ptr [r12 + 7], -3", ptr[size/8])
	}
	for _, size := range sizes[1:] {
		for _, from := range sizes[:3] {
			if from >= size {
				continue
			}
			for _, o := range []Operand{R(RAX), R(RSP), R(RSI), R(R8), R(R15), At(RBX, 3), At(R13, 0)} {
				for _, d := range []Reg{RAX, RDI, R12} {
					sx, zx, zsize := "movsx", "movzx", size
					if from == 32 {
						sx, zx, zsize = "movsxd", "mov", 32
					}
					g.put(func(a *Assembler) { a.MovSX(size, d, from, o) },
						"%s %s, %s", sx, name(size, d), operandText(from, o))
					g.put(func(a *Assembler) { a.MovZX(size, d, from, o) },
						"%s %s, %s", zx, name(zsize, d), operandText(from, o))
				}
			}
		}
	}
	for c, cc := range strings.Fields("o no b ae e ne be a s ns p np l ge le g") {
		for _, o := range []Operand{R(RAX), R(RSP), R(R8), At(RBP, 0)} {
			g.put(func(a *Assembler) { a.Setcc(Cond(c), o) }, "set%s %s", cc, operandText(8, o))
			for _, size := range sizes[1:] {
				g.put(func(a *Assembler) { a.Cmovcc(size, Cond(c), R9, o) },
					"cmov%s %s, %s", cc, name(size, R9), operandText(size, o))
			}
		}
	}
	for _, r := range edgeRegs {
		g.put(func(a *Assembler) { a.Push(R(r)) }, "push %s", name(64, r))
		g.put(func(a *Assembler) { a.Pop(R(r)) }, "pop %s", name(64, r))
		for _, size := range sizes {
			m := At(R13, 16)
			g.put(func(a *Assembler) { a.Xchg(size, m, r) }, "xchg %s, %s", operandText(size, m), name(size, r))
			g.put(func(a *Assembler) { a.LockCmpxchg(size, m, r) }, "lock cmpxchg %s, %s", operandText(size, m), name(size, r))
			g.put(func(a *Assembler) { a.LockXadd(size, m, r) }, "lock xadd %s, %s", operandText(size, m), name(size, r))
		}
	}
	g.put(func(a *Assembler) { a.Push(At(RSP, 8)) }, "push qword ptr [rsp + 8]")
	g.put(func(a *Assembler) { a.Pop(At(R8, 0)) }, "pop qword ptr [r8]")
	for _, v := range []int64{5, -128, 1000, -1 << 31} {
		g.put(func(a *Assembler) { a.Push(Imm(v)) }, "push %d", v)
	}
	g.put(func(a *Assembler) { a.Xchg(64, R(RBX), R9) }, "xchg r9, rbx")
	g.put(func(a *Assembler) { a.Xchg(8, R(RSI), RDX) }, "xchg dl, sil")
}

func (g *generalList) shifts() {
	for _, op := range []struct {
		name string
		do   func(a *Assembler, size int, dst, count Operand)
	}{
		{"rol", (*Assembler).Rol}, {"ror", (*Assembler).Ror}, {"shl", (*Assembler).Shl},
		{"shr", (*Assembler).Shr}, {"sar", (*Assembler).Sar},
	} {
		for _, size := range sizes {
			for _, o := range []Operand{R(RAX), R(RBP), R(R15), At(RSP, 0), At(R8, 100)} {
				for _, n := range []int64{1, 2, int64(size) - 1} {
					g.put(func(a *Assembler) { op.do(a, size, o, Imm(n)) }, "%s %s, %d", op.name, operandText(size, o), n)
				}
				g.put(func(a *Assembler) { op.do(a, size, o, R(RCX)) }, "%s %s, cl", op.name, operandText(size, o))
			}
		}
	}
}

func (g *generalList) bits() {
	for _, size := range sizes[1:] {
		for _, op := range []struct {
			name string
			do   func(a *Assembler, size int, dst, bit Operand)
		}{{"bt", (*Assembler).Bt}, {"bts", (*Assembler).Bts}, {"btr", (*Assembler).Btr}} {
			for _, o := range []Operand{R(RAX), R(R15), At(RBP, 0)} {
				g.put(func(a *Assembler) { op.do(a, size, o, Imm(9)) }, "%s %s, 9", op.name, operandText(size, o))
				g.put(func(a *Assembler) { op.do(a, size, o, R(R10)) }, "%s %s, %s", op.name, operandText(size, o), name(size, R10))
			}
		}
		for _, op := range []struct {
			name string
			do   func(a *Assembler, size int, dst Reg, src Operand)
		}{
			{"tzcnt", (*Assembler).Tzcnt}, {"lzcnt", (*Assembler).Lzcnt}, {"popcnt", (*Assembler).Popcnt},
			{"blsr", (*Assembler).Blsr}, {"blsi", (*Assembler).Blsi},
		} {
			if size == 16 && strings.HasPrefix(op.name, "bls") {
				continue
			}
			for _, o := range []Operand{R(RDI), R(R8), At(R12, 5).Index(RBP, 4), At(RSI, 5).Index(R15, 1)} {
				for _, d := range []Reg{RAX, R15} {
					g.put(func(a *Assembler) { op.do(a, size, d, o) }, "%s %s, %s", op.name, name(size, d), operandText(size, o))
				}
			}
		}
		if size == 16 {
			continue
		}
		for _, o := range []Operand{R(RDI), R(R8), At(RSP, 4), At(R13, 5).Index(R9, 4)} {
			for _, r := range [][2]Reg{{RAX, RDX}, {R15, RCX}, {RBP, R12}} {
				d, s, t := name(size, r[0]), name(size, r[1]), operandText(size, o)
				g.put(func(a *Assembler) { a.Andn(size, r[0], r[1], o) }, "andn %s, %s, %s", d, s, t)
				g.put(func(a *Assembler) { a.Pdep(size, r[0], r[1], o) }, "pdep %s, %s, %s", d, s, t)
				g.put(func(a *Assembler) { a.Pext(size, r[0], r[1], o) }, "pext %s, %s, %s", d, s, t)
				g.put(func(a *Assembler) { a.Bextr(size, r[0], o, r[1]) }, "bextr %s, %s, %s", d, t, s)
				g.put(func(a *Assembler) { a.Shlx(size, r[0], o, r[1]) }, "shlx %s, %s, %s", d, t, s)
				g.put(func(a *Assembler) { a.Shrx(size, r[0], o, r[1]) }, "shrx %s, %s, %s", d, t, s)
				g.put(func(a *Assembler) { a.Sarx(size, r[0], o, r[1]) }, "sarx %s, %s, %s", d, t, s)
			}
		}
	}
}

// addresses are all shapes of memory, on one instruction.
func (g *generalList) addresses() {
	all := []Operand{}
	for b := RAX; b <= R15; b++ {
		for _, disp := range []int32{0, 1, 127, 128, -128, -129, 1<<31 - 1} {
			all = append(all, At(b, disp))
		}
		for n, x := range []Reg{RAX, RBP, RDI, R8, R12, R13} {
			all = append(all, At(b, int32(n%3)*100).Index(x, 1<<(n&3)))
		}
	}
	for n, o := range all {
		g.put(func(a *Assembler) { a.Lea(64, Reg(n&15), o) }, "lea %s, %s", name(64, Reg(n&15)), address(o, 0))
		g.put(func(a *Assembler) { a.Prefetch(o) }, "prefetcht0 %s", address(o, 0))
		g.put(func(a *Assembler) { a.PrefetchW(o) }, "prefetchw %s", address(o, 0))
	}
}

func (g *generalList) control() {
	for _, o := range []Operand{R(RAX), R(R11), At(RSP, 8), At(R12, 0)} {
		g.put(func(a *Assembler) { a.JmpTo(o) }, "jmp %s", operandText(64, o))
		g.put(func(a *Assembler) { a.CallTo(o) }, "call %s", operandText(64, o))
	}
	g.put((*Assembler).Ret, "ret")
	g.put((*Assembler).Int3, "int3")
}
