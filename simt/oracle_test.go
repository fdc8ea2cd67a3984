package simt_test

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

var oraclePrograms = flag.Int("oracle", 240, "random programs to compare with the oracle")

// What a random kernel finds. A thread's record holds its registers, its four $c and its
// four $a at the start, then where its own shared memory is and its word of the pool. At the
// end it gets what these are by then, and the thread's shared and local memory.
const (
	oracleParams    = 240 // bytes, the first four the address of the records; random and read-only
	oracleOwnShared = 512 // where the threads' own 16 bytes of shared memory begin; the pool lies below
	oracleMost      = 27  // registers
	oracleRecordLen = 4 * (oracleRegisters + 8 + 2 + 5 + oracleLocal/4)
	oracleLocal     = 56 // bytes of local memory, which the machine rounds up
	oracleSlotLen   = 64
	oraclePoolLen   = 256
)

// oracleShape is how a random kernel is launched.
type oracleShape struct {
	arch      tesla.Arch
	registers int
	threads   int
	blocks    int
}

func (s oracleShape) blockBytes() int {
	return s.threads*(oracleRecordLen+oracleSlotLen) + oraclePoolLen
}
func (s oracleShape) shared() int { return oracleOwnShared + 16*s.threads }

// oracleCase is a random kernel and what it starts from.
type oracleCase struct {
	oracleShape
	body    []tesla.Instruction
	params  []byte
	consts  [16][]byte
	initial []byte
	base    uint32
	space   *mem.Space
}

// reserve takes the case's memory and fills it.
func newOracleCase(t testing.TB, s oracleShape, r *rand.Rand) *oracleCase {
	t.Helper()
	c := &oracleCase{oracleShape: s, space: mem.NewSpace(1 << 20)}
	n := uint64(s.blockBytes() * s.blocks)
	var err error
	c.base, err = c.space.Alloc(n)
	require.NoError(t, err)
	c.initial = make([]byte, n)
	for i := range c.initial {
		c.initial[i] = byte(r.Uint32())
	}
	for i := range s.threads * s.blocks {
		c.fillRecord(i/s.threads, i%s.threads, r)
	}
	c.params = binary.LittleEndian.AppendUint32(nil, c.base)
	for len(c.params) < oracleParams {
		c.params = binary.LittleEndian.AppendUint32(c.params, oracleValue(r))
	}
	for bank, n := range map[int]int{0: 200, 1: 65536, 2: 11, 5: 64} {
		c.consts[bank] = make([]byte, n)
	}
	for _, bank := range c.consts {
		for i := range bank {
			bank[i] = byte(r.Uint32())
		}
	}
	return c
}

// oracleValue returns a number that arithmetic finds interesting, more often than not.
func oracleValue(r *rand.Rand) uint32 {
	special := []uint32{
		0, 1, 2, 15, 16, 31, 32, 33, 127, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff, 0x800000, 0xffffff, 0x7fffffff, 0x80000000, 0xffffffff,
		0x3f800000, 0xbf800000, 0x3f000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 1 << 23, 0x7fffff, 0x40490fdb, 0x4b000000, 0x3ff00000, 0x7ff00000, 0xc1e00000,
	}
	switch r.IntN(4) {
	case 0:
		return special[r.IntN(len(special))]
	case 1:
		return special[r.IntN(len(special))] + r.Uint32N(5) - 2
	case 2:
		return (r.Uint32N(40)+0x6b)<<23 | r.Uint32()&0x807fffff // a float of ordinary size
	}
	return r.Uint32()
}

func (c *oracleCase) fillRecord(block, thread int, r *rand.Rand) {
	start := block * c.blockBytes()
	slots := start + c.threads*oracleRecordLen
	pool := slots + c.threads*oracleSlotLen
	words := make([]uint32, oracleRegisters+8+2)
	for i := range words {
		words[i] = oracleValue(r)
	}
	words[oracleSlot] = c.base + uint32(slots+thread*oracleSlotLen+16*r.IntN(2))
	words[oraclePool] = c.base + uint32(pool+64)
	words[oracleAligned] = c.base + uint32(pool+16*r.IntN(oraclePoolLen/16))
	words[oracleAnyhow] = c.base + uint32(pool+r.IntN(oraclePoolLen/4)*4)
	a := words[oracleRegisters+4:]
	a[0] = uint32(oracleOwnShared + 16*thread)
	a[1] = 4 * r.Uint32N(16)
	a[2] = oracleOwnShared - 128
	a[3] = 0x10000 - 4*(1+r.Uint32N(5))
	a[4] = a[0]
	a[5] = uint32(256 + thread%64*4)
	at := start + thread*oracleRecordLen
	for i, w := range words {
		binary.LittleEndian.PutUint32(c.initial[at+4*i:], w)
	}
}

// oracle returns the machine as it is before the first instruction.
func (c *oracleCase) oracle() *oracle {
	m := &oracle{registers: c.registers, local: oracleLocal, base: c.base, global: slices.Clone(c.initial), consts: c.consts}
	for x := range c.blocks {
		b := oracleBlock{threads: make([]oracleThread, c.threads), shared: make([]byte, c.shared()), locked: make([]bool, c.shared()/4)}
		for i, v := range []int{0, c.threads, 1, 1, c.blocks, 1, x, 0} {
			binary.LittleEndian.PutUint16(b.shared[2*i:], uint16(v))
		}
		copy(b.shared[16:], c.params)
		for i := range b.threads {
			b.threads[i].regs[0] = uint32(i)
		}
		m.blocks = append(m.blocks, b)
	}
	return m
}

// oracleInstruction makes an instruction of its operands.
func oracleInstruction(op tesla.Op, typ tesla.Type, dst tesla.Operand, src ...tesla.Operand) tesla.Instruction {
	in := tesla.Instruction{Op: op, Type: typ, Dst: dst}
	copy(in.Src[:], src)
	return in
}

func oracleReg(n int) tesla.Operand  { return tesla.Operand{Kind: tesla.Reg, Index: uint8(n)} }
func oracleImm(v int) tesla.Operand  { return tesla.Operand{Kind: tesla.Imm, Value: uint32(v)} }
func oracleAddr(n int) tesla.Operand { return tesla.Operand{Kind: tesla.AddrReg, Index: uint8(n)} }
func oracleGlobal(register int) tesla.Operand {
	return tesla.Operand{Kind: tesla.Global, Index: 14, Value: uint32(register)}
}

// prologue loads a thread's record.
func (c *oracleCase) prologue() []tesla.Instruction {
	shared := func(t tesla.Type, at uint32) tesla.Operand {
		return tesla.Operand{Kind: tesla.Shared, Type: t, Value: at}
	}
	add := func(d, a int, b tesla.Operand) tesla.Instruction {
		return oracleInstruction(tesla.OpIAdd, tesla.B32, oracleReg(d), oracleReg(a), b)
	}
	mul := func(d, a, by int) tesla.Instruction {
		return oracleInstruction(tesla.OpIMul, tesla.U24, oracleReg(d), oracleReg(a), oracleImm(by))
	}
	block := oracleInstruction(tesla.OpCvt, tesla.U32, oracleReg(1), shared(tesla.U16, 0xc))
	block.From = tesla.U16
	code := []tesla.Instruction{
		block,
		mul(1, 1, c.blockBytes()),
		mul(0, 0, oracleRecordLen),
		add(0, 0, oracleReg(1)),
		oracleInstruction(tesla.OpMov, tesla.B32, oracleReg(1), shared(tesla.B32, 0x10)),
		add(oracleRecord, 0, oracleReg(1)),
		add(0, oracleRecord, oracleImm(4*oracleRegisters)),
	}
	load := func(d, from int) {
		code = append(code, oracleInstruction(tesla.OpLdGlobal, tesla.B32, oracleReg(d), oracleGlobal(from)))
	}
	for i := range 8 {
		load(1, 0)
		if i < 4 {
			in := oracleInstruction(tesla.OpMovToCond, tesla.B32, tesla.Operand{}, oracleReg(1))
			in.CDst = tesla.C0 + tesla.CReg(i)
			code = append(code, in)
		} else {
			code = append(code, oracleInstruction(tesla.OpShlToAddr, tesla.B32, oracleAddr(i-3), oracleReg(1), oracleImm(0)))
		}
		code = append(code, add(0, 0, oracleImm(4)))
	}
	code = append(code, add(0, oracleRecord, oracleImm(4)))
	for n := 1; n < c.registers; n++ {
		if n != oracleRecord {
			load(n, 0)
		}
		code = append(code, add(0, 0, oracleImm(4)))
	}
	load(0, oracleRecord)
	return code
}

// epilogue stores everything to the thread's record.
func (c *oracleCase) epilogue() []tesla.Instruction {
	var code []tesla.Instruction
	store := func(n int) {
		code = append(code,
			oracleInstruction(tesla.OpStGlobal, tesla.B32, tesla.Operand{}, oracleGlobal(oracleRecord), oracleReg(n)),
			oracleInstruction(tesla.OpIAdd, tesla.B32, oracleReg(oracleRecord), oracleReg(oracleRecord), oracleImm(4)))
	}
	for n := range oracleRegisters {
		store(n)
	}
	for i := range 4 {
		code = append(code, oracleInstruction(tesla.OpMovFromCond, tesla.B32, oracleReg(0), tesla.Operand{Kind: tesla.CondReg, Index: uint8(i)}))
		store(0)
	}
	for i := range 4 {
		code = append(code, oracleInstruction(tesla.OpMovFromAddr, tesla.B32, oracleReg(0), oracleAddr(1+i)))
		store(0)
	}
	for i := range 2 {
		code = append(code,
			oracleInstruction(tesla.OpLdGlobal, tesla.B32, oracleReg(0), oracleGlobal(oracleRecord)),
			oracleInstruction(tesla.OpShlToAddr, tesla.B32, oracleAddr(1+i), oracleReg(0), oracleImm(0)))
		store(0)
	}
	for i := range 5 { // the thread's own 16 bytes of shared memory, and its word of the pool
		from := tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: uint8(1 + i/4), Value: uint32(4 * (i % 4))}
		code = append(code, oracleInstruction(tesla.OpMov, tesla.B32, oracleReg(0), from))
		store(0)
	}
	for i := range oracleLocal / 4 {
		code = append(code, oracleInstruction(tesla.OpLdLocal, tesla.B32, oracleReg(0), tesla.Operand{Kind: tesla.Local, Value: uint32(4 * i)}))
		store(0)
	}
	end := oracleInstruction(tesla.OpNop, tesla.TypeNone, tesla.Operand{})
	end.Marker = tesla.MarkerExit
	return append(code, end)
}

// assemble encodes code and keeps long instructions aligned. It returns what the words
// decode to, and where each instruction begins.
func (c *oracleCase) assemble(t testing.TB, code []tesla.Instruction) (words []uint32) {
	t.Helper()
	const pad = 0x10008000 // mov b32 $r0 $r0
	for _, in := range code {
		w := in.Raw
		if w == [2]uint32{} {
			w0, w1, err := decoder.Encode(c.arch, in)
			require.NoError(t, err, "%+v", in)
			w = [2]uint32{w0, w1}
		}
		if w[0]&1 == 0 {
			words = append(words, w[0])
			continue
		}
		if len(words)%2 != 0 {
			words = append(words, pad)
		}
		words = append(words, w[0], w[1])
	}
	return words
}

// run lowers and runs code and returns the fault, if that is how it ends.
func (c *oracleCase) run(t testing.TB, code []tesla.Instruction) ([]byte, *simt.Fault) {
	t.Helper()
	p, err := simt.Lower(simt.Kernel{
		Name: "oracle", Arch: c.arch, Code: decoder.Kernel(c.arch, c.assemble(t, code)),
		Registers: c.registers, Shared: c.shared(), Local: oracleLocal,
	})
	require.NoError(t, err)
	memory, err := c.space.Bytes(c.base, uint64(len(c.initial)))
	require.NoError(t, err)
	copy(memory, c.initial)
	_, err = simt.Run(&simt.Launch{
		Program: p, Grid: [2]int{c.blocks, 1}, Block: [3]int{c.threads, 1, 1}, Params: c.params, Global: c.space, Const: c.consts,
	})
	var fault *simt.Fault
	if err != nil && !errors.As(err, &fault) {
		require.NoError(t, err)
	}
	return memory, fault
}

// difference runs the kernel cut off after n instructions of its body, and the oracle;
// it returns where they differ, "" if nowhere.
func (c *oracleCase) difference(t testing.TB, n int) string {
	t.Helper()
	code := slices.Concat(c.prologue(), c.body[:n], c.epilogue())
	got, fault := c.run(t, code)
	if fault != nil {
		return fault.Error()
	}
	m := c.oracle()
	for i := range code {
		in := code[i]
		if stop := m.step(&in); stop != nil {
			return fmt.Sprintf("the oracle stops at %s: %+v", &in, stop)
		}
	}
	for at := 0; at < len(got); at += 4 {
		a, b := binary.LittleEndian.Uint32(got[at:]), binary.LittleEndian.Uint32(m.global[at:])
		if a != b {
			return fmt.Sprintf("%s: %08x, want %08x", c.place(at), a, b)
		}
	}
	return ""
}

// place names a word of the case's memory.
func (c *oracleCase) place(at int) string {
	block, at := at/c.blockBytes(), at%c.blockBytes()
	thread, word := at/oracleRecordLen, at%oracleRecordLen/4
	switch {
	case thread >= c.threads:
		return fmt.Sprintf("block %d memory %#x", block, at)
	case word < oracleRegisters:
		return fmt.Sprintf("block %d thread %d $r%d", block, thread, word)
	case word < oracleRegisters+4:
		return fmt.Sprintf("block %d thread %d $c%d", block, thread, word-oracleRegisters)
	}
	rest := word - oracleRegisters - 4
	switch {
	case rest < 4:
		return fmt.Sprintf("block %d thread %d $a%d", block, thread, 1+rest)
	case rest < 11:
		return fmt.Sprintf("block %d thread %d shared word %d", block, thread, rest-6)
	}
	return fmt.Sprintf("block %d thread %d local word %d", block, thread, rest-11)
}

// text disassembles the body.
func (c *oracleCase) text() string {
	var b strings.Builder
	for i := range c.body {
		fmt.Fprintf(&b, "%08x %08x  %s\n", c.body[i].Raw[0], c.body[i].Raw[1], &c.body[i])
	}
	return b.String()
}

// oracleSeen counts what random kernels were made of.
type oracleSeen struct {
	executed [tesla.Forms]int
	stops    map[simt.FaultKind]int
	facets   map[string]bool // of the instructions that were tried: whether one was executed
}

func newOracleSeen() *oracleSeen {
	return &oracleSeen{stops: map[simt.FaultKind]int{}, facets: map[string]bool{}}
}

// note records an instruction that was tried.
func (s *oracleSeen) note(in *tesla.Instruction, executed bool) {
	for _, f := range oracleFacets(in) {
		s.facets[f] = s.facets[f] || executed
	}
	if executed {
		s.executed[in.Form]++
	}
}

// oracleFacets says what is special about an instruction, each with the name of its form.
func oracleFacets(in *tesla.Instruction) (out []string) {
	add := func(format string, a ...any) { out = append(out, in.Form.String()+" "+fmt.Sprintf(format, a...)) }
	for i := range 16 {
		if in.Mods>>i&1 != 0 {
			add("modifier %d", i)
		}
	}
	add("type %d from %d round %d arith %d logic %d cmp %d atom %d", in.Type, in.From, in.Round, in.Arith, in.Logic, in.Cmp, in.Atom)
	if in.Guard.Cond != tesla.CondAlways {
		add("guard %d", in.Guard.Cond)
		add("guard of $c%d", in.Guard.Reg)
	}
	if in.CDst != tesla.NoCond {
		add("%s written", in.CDst)
	}
	if in.CarryIn != tesla.NoCond {
		add("carry of %s", in.CarryIn)
	}
	add("destination kind %d", in.Dst.Kind)
	for i := range in.Src {
		o := &in.Src[i]
		add("source %d kind %d access %d neg %t abs %t not %t", i, o.Kind, o.Type, o.Neg, o.Abs, o.Not)
		if o.Kind == tesla.Shared || o.Kind == tesla.Const || o.Kind == tesla.Local {
			add("source %d in %d through $a%d, post-increment %t", i, o.Kind, o.Base, o.Post)
		}
	}
	return out
}

// write makes a body of n instructions that the oracle can carry out.
func (c *oracleCase) write(t testing.TB, f *oracleForms, n int, r *rand.Rand, seen *oracleSeen) {
	t.Helper()
	m := c.oracle()
	for _, in := range c.prologue() {
		require.Nil(t, m.step(&in))
	}
	for len(c.body) < n {
		in := f.candidate(r)
		if c.spoils(&in) {
			continue
		}
		next := m.clone()
		stop := next.step(&in)
		seen.note(&in, stop == nil)
		if stop != nil {
			continue
		}
		m = next
		c.body = append(c.body, in)
	}
}

// checkStop looks for an instruction that stops the kernel after its body and compares how.
func (c *oracleCase) checkStop(t *testing.T, f *oracleForms, r *rand.Rand, seen *oracleSeen) {
	t.Helper()
	m := c.oracle()
	for _, in := range slices.Concat(c.prologue(), c.body) {
		require.Nil(t, m.step(&in))
	}
	for range 60 {
		if m.over() {
			return
		}
		in := f.candidate(r)
		if c.spoils(&in) {
			continue
		}
		stop := m.clone().step(&in)
		if stop == nil || stop.kind == 0 {
			continue
		}
		code := slices.Concat(c.prologue(), c.body, []tesla.Instruction{in})
		pc := uint32(4*len(c.assemble(t, code))) - uint32(in.Size)
		_, fault := c.run(t, append(code, c.epilogue()...))
		where := fmt.Sprintf("%s %s: %+v, got %v", f.arch, &in, stop, fault)
		require.NotNil(t, fault, where)
		require.Equal(t, pc, fault.PC, where)
		if stop.mixed {
			return
		}
		require.Equal(t, stop.kind, fault.Kind, where)
		seen.stops[stop.kind]++
		if stop.kind != simt.FaultIllegalInstruction {
			require.Equal(t, [2]int{stop.block, 0}, fault.Block, where)
			require.Equal(t, stop.warp, fault.Warp, where)
			require.Equal(t, stop.lanes, uint32(fault.Lanes), where)
			require.Equal(t, stop.space, fault.Space, where)
			require.Equal(t, stop.addr, fault.Addr, where)
		}
		return
	}
}

// spoils tells whether the instruction cannot be part of a body because it loses the
// thread's record.
func (c *oracleCase) spoils(in *tesla.Instruction) bool {
	first, n := int(in.Dst.Index), 0
	switch in.Dst.Kind {
	case tesla.Reg:
		n = 1
	case tesla.Half:
		first, n = first/2, 1
	case tesla.Pair:
		n = 2
	case tesla.Quadruple:
		n = 4
	}
	return first <= oracleRecord && oracleRecord < first+n
}

// checkOracle compares one random kernel.
func checkOracle(t *testing.T, f *oracleForms, seed uint64, seen *oracleSeen) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, uint64(f.arch)))
	shape := oracleShape{
		arch: f.arch, registers: oracleMost - r.IntN(3), threads: []int{1, 31, 32, 40, 64, 70, 96}[r.IntN(7)], blocks: 1 + r.IntN(2),
	}
	c := newOracleCase(t, shape, r)
	c.write(t, f, 24, r, seen)
	if c.difference(t, len(c.body)) == "" {
		c.checkStop(t, f, r, seen)
		return
	}
	for n := range len(c.body) + 1 {
		if d := c.difference(t, n); d != "" {
			require.Failf(t, "the machine and the oracle differ", "%s seed %d, %d threads, %d blocks, after %d instructions: %s\n%s", f.arch, seed, c.threads, c.blocks, n, d, c.text())
		}
	}
}

// Random straight-line kernels of all forms leave what the oracle says.
func TestOracle(t *testing.T) {
	seen := newOracleSeen()
	var have [tesla.Forms]bool
	for _, arch := range tesla.Archs {
		f := readOracleForms(t, arch)
		for _, form := range f.forms {
			have[form] = true
		}
		for seed := range *oraclePrograms / len(tesla.Archs) {
			checkOracle(t, f, uint64(seed), seen)
		}
	}
	for form := range have {
		if have[form] {
			require.NotZero(t, seen.executed[form], "form %s was not exercised", tesla.Form(form))
		}
	}
	require.NotZero(t, seen.stops[simt.FaultIllegalAddress])
	require.NotZero(t, seen.stops[simt.FaultMisaligned])
	require.NotZero(t, seen.stops[simt.FaultIllegalInstruction])
	var never []string
	for facet, executed := range seen.facets {
		if !executed {
			never = append(never, facet)
		}
	}
	slices.Sort(never)
	t.Logf("%d kinds of operand and modifier, stops %v; tried, but never executed: %q", len(seen.facets), seen.stops, never)
}

// FuzzOracle compares kernels of any seed.
func FuzzOracle(f *testing.F) {
	forms := map[tesla.Arch]*oracleForms{}
	for _, arch := range tesla.Archs {
		forms[arch] = readOracleForms(f, arch)
		f.Add(uint64(1), uint8(arch))
	}
	f.Fuzz(func(t *testing.T, seed uint64, arch uint8) {
		checkOracle(t, forms[tesla.Archs[int(arch)%len(tesla.Archs)]], seed, newOracleSeen())
	})
}
