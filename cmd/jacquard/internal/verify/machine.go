package verify

import (
	"encoding/binary"
	"errors"
	"fmt"

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
	var k assembler
	k.add(withImmediate(tesla.OpShl, regRecord, regThread, 6)) // 64 bytes each
	k.add(withImmediate(tesla.OpIAdd, regRecord, regRecord, m.base))
	k.body(in, branch)
	return m.run(&k, n, modes)
}

// serially runs one instruction for each record in two warps.
func (m *machine) serially(ins []tesla.Instruction, modes simt.Modes) error {
	var k assembler
	secondWarp := withImmediate(tesla.OpLogic, regWarp, regThread, lane.Width)
	secondWarp.Logic = tesla.And
	k.add(secondWarp)
	k.add(withImmediate(tesla.OpShl, regWarp, regWarp, 9))
	for i, in := range ins {
		m.common(in, i)
		k.add(bar()) // the other warp may still read the common word of s[]
		k.add(moveImmediate(regRecord, m.base+uint32(i*recordBytes)))
		record := withImmediate(tesla.OpIAdd, regRecord, regRecord, 0)
		record.Src[1] = reg(regWarp)
		k.add(record)
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

func bar() tesla.Instruction {
	in := plain(tesla.OpBar)
	in.Barrier = tesla.Barrier{Count: 0xfff, Inc: true, Wait: true}
	return in
}

func (m *machine) run(k *assembler, n int, modes simt.Modes) error {
	end := plain(tesla.OpNop)
	end.Marker = tesla.MarkerExit
	k.add(end)
	if k.err != nil {
		return k.err
	}
	p, err := simt.Lower(simt.Kernel{
		Name: "verify", Arch: arch, Code: decoder.Kernel(arch, k.words),
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

// assembler collects the words of a kernel.
type assembler struct {
	words []uint32
	err   error
}

func (k *assembler) add(in tesla.Instruction) {
	w0, w1, err := decoder.Encode(arch, in)
	if err != nil {
		k.err = errors.Join(k.err, fmt.Errorf("verify: %w", err))
		return
	}
	k.words = append(k.words, w0)
	if in.Size == 8 {
		k.words = append(k.words, w1)
	}
}

// body reads the record at regRecord, executes in, and writes what came of it. With branch,
// idle threads jump over in.
func (k *assembler) body(in tesla.Instruction, branch bool) {
	k.add(access(tesla.OpLdGlobal, regA))
	k.add(withImmediate(tesla.OpIAdd, regRecord, regRecord, 16))
	k.add(access(tesla.OpLdGlobal, regC))
	k.add(withImmediate(tesla.OpIAdd, regRecord, regRecord, 16))
	k.add(withImmediate(tesla.OpIAdd, regMemory, regRecord, recordMemory-recordResult))

	k.add(withImmediate(tesla.OpIAdd, regTable, regThread, tables/4))
	at := plain(tesla.OpShlToAddr)
	at.Type, at.Dst, at.Src[0], at.Src[1] = tesla.B32, tesla.Operand{Kind: tesla.AddrReg, Index: addrTable}, reg(regTable), constant(2)
	k.add(at)
	k.add(toShared(tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: addrTable}))
	k.add(toShared(tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: commonShared}))

	k.add(moveImmediate(regResult, background))
	k.add(moveImmediate(regResult+1, background))
	k.toCond(condOut, regResult)
	k.toCond(condIn, regFlags)
	k.toCond(condGuard, regIdle)

	if branch {
		k.around(in)
	} else {
		k.add(in)
	}
	if in.Size == 4 { // fill the 8 bytes
		filler := plain(tesla.OpMov)
		filler.Size, filler.Type, filler.Dst, filler.Src[0] = 4, tesla.B32, reg(regTable), reg(regTable)
		k.add(filler)
	}
	if in.Dst.Kind == tesla.Reg && in.Dst.Index != regResult {
		result := plain(tesla.OpMov)
		result.Type, result.Dst, result.Src[0] = tesla.B32, reg(regResult), in.Dst
		k.add(result)
	}
	from := plain(tesla.OpMovFromCond)
	from.Type, from.Dst, from.Src[0] = tesla.B32, reg(regAfter), tesla.Operand{Kind: tesla.CondReg, Index: condOut}
	k.add(from)
	k.add(access(tesla.OpStGlobal, regResult))
}

// around adds in with a branch around it for idle threads.
func (k *assembler) around(in tesla.Instruction) {
	const each = 8 // bytes of an instruction
	end := uint32(4*len(k.words) + 3*each)
	joinat, bra, join := plain(tesla.OpJoinAt), plain(tesla.OpBra), plain(tesla.OpNop)
	joinat.Target, bra.Target, bra.Guard, join.Marker = end, end, isIdle, tesla.MarkerJoin
	k.add(joinat)
	k.add(bra)
	k.add(in)
	k.add(join)
}

// toShared stores the first operand in s[].
func toShared(at tesla.Operand) tesla.Instruction {
	in := plain(tesla.OpStShared)
	in.Type, in.Src[0], in.Src[1] = tesla.B32, at, reg(regA)
	return in
}

func (k *assembler) toCond(cond, from uint8) {
	in := plain(tesla.OpMovToCond)
	in.Type, in.CDst, in.Src[0] = tesla.B32, cond, reg(from)
	k.add(in)
}

func reg(n uint8) tesla.Operand { return tesla.Operand{Kind: tesla.Reg, Index: n} }

func constant(v uint32) tesla.Operand { return tesla.Operand{Kind: tesla.Imm, Value: v} }

// withImmediate is d = op(a, v).
func withImmediate(op tesla.Op, d, a uint8, v uint32) tesla.Instruction {
	in := plain(op)
	in.Type, in.Dst, in.Src[0], in.Src[1] = tesla.B32, reg(d), reg(a), constant(v)
	return in
}

func moveImmediate(d uint8, v uint32) tesla.Instruction {
	in := plain(tesla.OpMov)
	in.Type, in.Dst, in.Src[0] = tesla.B32, reg(d), constant(v)
	return in
}

// access loads or stores four registers at the address in regRecord.
func access(op tesla.Op, first uint8) tesla.Instruction {
	in := plain(op)
	in.Type = tesla.B128
	at, data := tesla.Operand{Kind: tesla.Global, Index: globalWindow, Value: regRecord}, tesla.Operand{Kind: tesla.Quadruple, Index: first}
	if op == tesla.OpLdGlobal {
		in.Src[0], in.Dst = at, data
	} else {
		in.Src[0], in.Src[1] = at, data
	}
	return in
}
