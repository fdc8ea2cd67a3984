package verify

import (
	"encoding/binary"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// arch is the device that runs rows: it has every operation of the vectors.
const arch = tesla.SM13

// threads is the number of threads that run rows together: all warps that a block can have.
const threads = 512

// A thread has a record in memory. It reads three operands of 64 bits, the value of a condition
// register and whether it is idle; it writes its result and a condition register, and the memory of
// an atomic follows.
const (
	recordBytes  = 64
	recordResult = 32
	recordMemory = 48
)

// Rows with instructions of their own are run by two warps, each with one record per row. A common
// word of c1[] must lie within 128 words.
const (
	serialRows  = 128
	serialWarps = 2
	serialApart = 256 // records between two warps' records
)

// background is the content of registers before the instruction, and after it where it does not
// write.
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

// set fills thread t's record. memory is the word of an atomic.
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

// after returns the contents of the thread's registers and memory at its end.
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
	k := assembler{asm.Builder{Arch: arch}}
	k.Add(asm.With(tesla.OpShl, regRecord, regThread, 6)) // 64 bytes each
	k.Add(asm.With(tesla.OpIAdd, regRecord, regRecord, m.base))
	k.body(in, branch)
	return m.run(&k, n, modes)
}

// serially runs one instruction for each record in two warps.
func (m *machine) serially(ins []tesla.Instruction, modes simt.Modes) error {
	k := assembler{asm.Builder{Arch: arch}}
	secondWarp := asm.With(tesla.OpLogic, regWarp, regThread, lane.Width)
	secondWarp.Logic = tesla.And
	k.Add(secondWarp)
	k.Add(asm.With(tesla.OpShl, regWarp, regWarp, 9))
	for i, in := range ins {
		m.common(in, i)
		k.Add(asm.Barrier()) // the other warp may still read the common word of s[]
		k.Add(asm.Mov(regRecord, asm.Imm(m.base+uint32(i*recordBytes))))
		k.Add(asm.Do(tesla.OpIAdd, regRecord, regRecord, asm.Reg(regWarp)))
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
	k.Exit()
	words, err := k.Code()
	if err != nil {
		return err
	}
	p, err := simt.Lower(simt.Kernel{
		Name: "verify", Arch: arch, Code: decoder.Kernel(arch, words),
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
type assembler struct{ asm.Builder }

// body reads the record at regRecord, executes in, and stores the results. With branch,
// idle threads jump over in.
func (k *assembler) body(in tesla.Instruction, branch bool) {
	k.operands()
	k.Add(asm.With(tesla.OpIAdd, regTable, regThread, tables/4))
	k.Add(asm.ToAddr(addrTable, regTable, 2))
	for _, at := range []tesla.Operand{{Base: addrTable}, {Value: commonShared}} {
		at.Kind, at.Type = tesla.Shared, tesla.B32
		k.Add(asm.StoreShared(at, asm.Reg(regA)))
	}
	k.Add(asm.ToCond(condGuard, regIdle))
	k.execute(in, branch)
}

// operands reads the record at regRecord, and fills the result registers with the background.
func (k *assembler) operands() {
	k.Add(asm.Load(regA, regRecord))
	k.Add(asm.With(tesla.OpIAdd, regRecord, regRecord, 16))
	k.Add(asm.Load(regC, regRecord))
	k.Add(asm.With(tesla.OpIAdd, regRecord, regRecord, 16))
	k.Add(asm.With(tesla.OpIAdd, regMemory, regRecord, recordMemory-recordResult))
	k.Add(asm.Mov(regResult, asm.Imm(background)))
	k.Add(asm.Mov(regResult+1, asm.Imm(background)))
	k.Add(asm.ToCond(condOut, regResult))
	k.Add(asm.ToCond(condIn, regFlags))
}

// execute adds in, and the store of its results.
func (k *assembler) execute(in tesla.Instruction, branch bool) {
	if branch {
		k.around(in)
	} else {
		k.Add(in)
	}
	if in.Size == 4 { // fill the 8 bytes
		filler := asm.Mov(regTable, asm.Reg(regTable))
		filler.Size = 4
		k.Add(filler)
	}
	if in.Dst.Kind == tesla.Reg && in.Dst.Index != regResult {
		k.Add(asm.Mov(regResult, in.Dst))
	}
	k.Add(asm.FromCond(regAfter, condOut))
	k.Add(asm.Store(regRecord, regResult))
}

// around adds in with a branch around it for idle threads.
func (k *assembler) around(in tesla.Instruction) {
	end := k.Label()
	k.Jump(tesla.Instruction{Op: tesla.OpJoinAt}, end)
	k.Jump(tesla.Instruction{Op: tesla.OpBra, Guard: isIdle}, end)
	k.Add(in)
	k.Place(end)
	k.Add(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin})
}
