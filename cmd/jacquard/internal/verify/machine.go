package verify

import (
	"encoding/binary"

	"jacquard/cmd/jacquard/internal/assemble"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// arch is the device that runs rows: it has every operation of the vectors.
const arch = tesla.SM13

// threads is how many threads run rows together: all the warps a block can have.
const threads = 512

// A record is what a thread reads and writes: three operands of 64 bits, the condition
// register it reads, whether it is idle; then its result, the condition register it wrote
// and the memory for an atomic.
const (
	recordBytes  = 64
	recordResult = 32
	recordMemory = 48
)

// Rows that have an instruction each are run by two warps, which have a record each for
// every row. A common word of c1[] must lie within 128 words.
const (
	serialRows  = 128
	serialWarps = 2
	serialApart = 256 // records between those of the warps
)

// background is what registers hold before the instruction: what it must not touch stays.
const background = 0x5a5ac3c6

// machine is a simulated device with a record for every thread.
type machine struct {
	space   *mem.Space
	base    uint32
	records []byte
	tables  []byte // c1[]
}

func newMachine() (*machine, error) {
	m := &machine{space: mem.NewSpace(1 << 20), tables: make([]byte, tables+4*threads)}
	var err error
	if m.base, err = m.space.Alloc(threads * recordBytes); err != nil {
		return nil, err
	}
	m.records, err = m.space.Bytes(m.base, threads*recordBytes)
	return m, err
}

// record returns the record of thread t.
func (m *machine) record(t int) []byte { return m.records[t*recordBytes:][:recordBytes] }

// set fills thread t's record. memory is what an atomic finds.
func (m *machine) set(t int, a, b, c uint64, flags uint8, idle bool, memory uint64) {
	r := m.record(t)
	binary.LittleEndian.PutUint64(r, a)
	binary.LittleEndian.PutUint64(r[8:], b)
	binary.LittleEndian.PutUint64(r[16:], c)
	binary.LittleEndian.PutUint32(r[24:], uint32(flags))
	binary.LittleEndian.PutUint32(r[28:], 0)
	if idle {
		binary.LittleEndian.PutUint32(r[28:], 1)
	}
	binary.LittleEndian.PutUint64(r[recordMemory:], memory)
}

// after returns what the thread's registers and memory held when it ended.
func (m *machine) after(t int) (result uint64, flags uint8, memory uint64) {
	r := m.record(t)
	return binary.LittleEndian.Uint64(r[recordResult:]), r[recordResult+8], binary.LittleEndian.Uint64(r[recordMemory:])
}

// together runs one instruction in n threads; branch makes the idle ones jump over it.
// table says which operand, if any, is read from c1[]: 1 or 2.
func (m *machine) together(in tesla.Instruction, branch bool, n, table int, modes simt.Modes) error {
	for t := range n {
		copy(m.tables[tables+4*t:][:4], m.record(t)[8*table:])
	}
	k := assembler{assemble.Code{Arch: arch}}
	k.Add(assemble.With(tesla.OpShl, regRecord, regThread, 6)) // 64 bytes each
	k.Add(assemble.With(tesla.OpIAdd, regRecord, regRecord, m.base))
	k.body(in, branch)
	return m.run(&k, n, modes)
}

// serially runs one instruction for each record in two warps.
func (m *machine) serially(ins []tesla.Instruction, modes simt.Modes) error {
	k := assembler{assemble.Code{Arch: arch}}
	secondWarp := assemble.With(tesla.OpLogic, regWarp, regThread, lane.Width)
	secondWarp.Logic = tesla.And
	k.Add(secondWarp)
	k.Add(assemble.With(tesla.OpShl, regWarp, regWarp, 9))
	for i, in := range ins {
		m.common(in, i)
		k.Add(assemble.Barrier()) // the other warp may still read the common word of s[]
		k.Add(assemble.Mov(regRecord, assemble.Constant(m.base+uint32(i*recordBytes))))
		k.Add(assemble.Do(tesla.OpIAdd, regRecord, regRecord, assemble.Reg(regWarp)))
		k.body(in, false)
	}
	return m.run(&k, serialWarps*lane.Width, modes)
}

// common puts the operand that in reads from c1[], if any, where it expects it.
func (m *machine) common(in tesla.Instruction, n int) {
	for i := range in.Src {
		if o := &in.Src[i]; o.Kind == tesla.Const {
			copy(m.tables[o.Value:][:mem.Size(o.Type)], m.record(n)[8*i:])
		}
	}
}

func (m *machine) run(k *assembler, n int, modes simt.Modes) error {
	k.End()
	if k.Err != nil {
		return k.Err
	}
	p, err := simt.Lower(simt.Kernel{
		Name: "verify", Arch: arch, Code: decoder.Kernel(arch, k.Words),
		Registers: registers, Shared: tables + 4*threads, Modes: modes,
	})
	if err != nil {
		return err
	}
	l := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{n, 1, 1}, Global: m.space}
	l.Const[constBank] = m.tables
	_, err = simt.Run(l)
	return err
}

// assembler puts together the kernels that run rows.
type assembler struct{ assemble.Code }

// body reads the record at regRecord, executes in, and writes what came of it. With branch,
// idle threads jump over in.
func (k *assembler) body(in tesla.Instruction, branch bool) {
	k.operands()
	k.Add(assemble.With(tesla.OpIAdd, regTable, regThread, tables/4))
	at := assemble.Plain(tesla.OpShlToAddr)
	at.Type, at.Dst, at.Src[0], at.Src[1] = tesla.B32, tesla.Operand{Kind: tesla.AddrReg, Index: addrTable}, assemble.Reg(regTable), assemble.Constant(2)
	k.Add(at)
	k.Add(toShared(tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: addrTable}))
	k.Add(toShared(tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: commonShared}))
	k.Add(assemble.ToCond(condGuard, regIdle))
	k.execute(in, branch)
}

// operands reads the record at regRecord, and fills what the instruction must not touch.
func (k *assembler) operands() {
	k.Add(assemble.Load(regA, regRecord))
	k.Add(assemble.With(tesla.OpIAdd, regRecord, regRecord, 16))
	k.Add(assemble.Load(regC, regRecord))
	k.Add(assemble.With(tesla.OpIAdd, regRecord, regRecord, 16))
	k.Add(assemble.With(tesla.OpIAdd, regMemory, regRecord, recordMemory-recordResult))
	k.Add(assemble.Mov(regResult, assemble.Constant(background)))
	k.Add(assemble.Mov(regResult+1, assemble.Constant(background)))
	k.Add(assemble.ToCond(condOut, regResult))
	k.Add(assemble.ToCond(condIn, regFlags))
}

// execute adds in, and the store of what came of it.
func (k *assembler) execute(in tesla.Instruction, branch bool) {
	if branch {
		k.around(in)
	} else {
		k.Add(in)
	}
	if in.Size == 4 { // fill the 8 bytes
		filler := assemble.Mov(regTable, assemble.Reg(regTable))
		filler.Size = 4
		k.Add(filler)
	}
	if in.Dst.Kind == tesla.Reg && in.Dst.Index != regResult {
		k.Add(assemble.Mov(regResult, in.Dst))
	}
	k.Add(assemble.FromCond(regAfter, condOut))
	k.Add(assemble.Store(regRecord, regResult))
}

// around adds in with a branch around it for idle threads.
func (k *assembler) around(in tesla.Instruction) {
	const each = 8 // bytes of an instruction
	end := k.Here() + 3*each
	joinat, bra, join := assemble.Plain(tesla.OpJoinAt), assemble.Plain(tesla.OpBra), assemble.Plain(tesla.OpNop)
	joinat.Target, bra.Target, bra.Guard, join.Marker = end, end, isIdle, tesla.MarkerJoin
	k.Add(joinat)
	k.Add(bra)
	k.Add(in)
	k.Add(join)
}

// toShared stores the first operand in s[].
func toShared(at tesla.Operand) tesla.Instruction {
	in := assemble.Plain(tesla.OpStShared)
	in.Type, in.Src[0], in.Src[1] = tesla.B32, at, assemble.Reg(regA)
	return in
}
