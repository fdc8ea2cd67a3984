package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// site is an instruction's window on global memory: the allocation that the instruction accessed
// last. The interpreter executes accesses outside of the window.
type site struct {
	host uint64 // address of the first byte in the host
	low  uint32 // address of the same byte in the device
	size uint32 // bytes: a multiple of 4, at most 2 GiB
	walk stride
	_    uint32
}

const siteBytes = int32(unsafe.Sizeof(site{}))

// mostWindow is the largest size that the offsets of the host's gather instructions span.
const mostWindow = 1<<31 - 4

// aim opens the window on the memory at an address. Memory of the host program gets no window,
// because the program may unmap it: a fault in translated code would then end the process; in the
// interpreter it is an error of the launch.
func (s *site) aim(g *mem.Space, addr uint32, stores bool) { s.open(g.Window(addr, stores)) }

// open opens the window on data, whose first byte has the device address low; no data closes the
// window.
func (s *site) open(low uint32, data []byte) {
	*s = site{}
	if len(data) < 4 {
		return
	}
	size := min(len(data)&^3, mostWindow)
	*s = site{host: uint64(uintptr(unsafe.Pointer(unsafe.SliceData(data)))), low: low, size: uint32(size)}
}

// The general registers of accesses.
const (
	regLanes = x86.RAX // the lanes that access
	regSite  = x86.RCX // the site, or the address of a constant bank
	regCount = x86.R10 // the counts of the instruction's accesses
)

// kind is what an access does. All instructions of a kind share code.
type kind struct {
	space program.Space
	store bool
	typ   tesla.Type
}

func (k kind) size() uint32 { return uint32(mem.Size(k.typ)) }

// words is the number of registers of an element.
func (k kind) words() int { return int(max(1, k.size()/4)) }

func (k kind) signed() bool { return k.typ == tesla.S8 || k.typ == tesla.S16 }

// access translates a load or store.
func (e *emitter) access(u *program.Op) bool {
	k := kind{u.Space, u.Ins.Op.HandsOver(1), u.Ins.Type}
	if k.space == program.SpaceFence && !k.store { // a page of global memory, with a window of its own
		k.space = program.SpaceGlobal
	}
	if u.Ins.Mods&(tesla.Lock|tesla.Unlock) != 0 || k.space > program.SpaceGlobal {
		return false
	}
	e.begin(u)
	e.clearAccess()
	if k.store {
		e.give(u, k)
	}
	e.addresses(u)
	keeper{listener{e}}.keepAddresses(u)
	e.call(u, k, u.Ins.Src[0].Index)
	if !k.store {
		e.take(u, k)
	}
	e.fence(u)
	return true
}

// fence emits a barrier at a load of the fence window: later loads must not overtake earlier
// stores. The host keeps all other accesses in order. Compilers load from one memory partition
// after another; only the last of these loads waits.
func (e *emitter) fence(u *program.Op) {
	fences := func(u *program.Op) bool { return u.Accesses() && u.Space == program.SpaceFence }
	if !fences(u) {
		return
	}
	for i := u.At + 1; i < u.End; i++ {
		if next := &e.p.Code[i]; fences(next) && !next.Guarded {
			return
		} else if next.Memory {
			break
		}
	}
	e.a.Xchg(32, scratchAt(0, 0), regLanes) // XCHG with memory is a barrier
}

// take stores the data of a load in registers.
func (e *emitter) take(u *program.Op, k kind) {
	e.parts(func(part int) {
		if k.words() == 1 {
			e.result(u, part, e.copy(e.accessor().loaded(part)))
			return
		}
		for i := range k.words() {
			if n := int(u.Dst.Index) + i; u.Dst.Mode == program.DstReg && n < e.p.Kernel.Registers {
				e.assign(n, part, e.Load(dataAt(i, int32(part)*e.bytes)))
			}
		}
	})
}

// give hands the data of a store to the access.
func (e *emitter) give(u *program.Op, k kind) {
	o := &u.Ins.Src[1]
	e.parts(func(part int) {
		switch {
		case o.Kind == tesla.Half:
			extract := e.ExtractLowU
			if o.Index%2 == 1 {
				extract = e.ExtractHighU
			}
			e.accessor().put(k.data(0), part, e.temporary(extract(e.general(int(o.Index/2), part))))
		case k.words() == 1:
			e.accessor().put(k.data(0), part, e.general(int(o.Index), part))
		default:
			for i := range k.words() {
				e.Store(dataAt(i, int32(part)*e.bytes), e.general(int(o.Index)+i, part))
			}
		}
	})
}

// operandAt loads source i of u, which is in memory at an address register.
func (e *emitter) operandAt(u *program.Op, i int) {
	x := &u.Src[i]
	k := kind{program.SpaceShared, false, x.Type}
	if x.Mode == program.SrcConstAt {
		k.space = program.SpaceConst
	}
	e.clearAccess()
	e.near(x.At)
	e.call(u, k, x.Bank)
}

// clearAccess reserves the vector registers of accesses for the present instruction, with AVX512.
// With AVX2, claim reserves fewer registers, for the call only.
func (e *emitter) clearAccess() {
	if e.wide() {
		e.reserve(firstAccess, vector.Vec(e.Level.Registers()))
		e.accessing = true
	}
}

func (e *emitter) claim() {
	if !e.wide() {
		e.reserve(vec0, vec3+1)
	}
}

func (e *emitter) release() {
	if !e.wide() {
		e.Free(vec0, vec1, vec2, vec3)
	}
}

// reserve takes vector registers, and saves rows of the warp that the registers hold.
func (e *emitter) reserve(from, to vector.Vec) {
	for v := from; v < to; v++ {
		if e.cells[v].row != noRow {
			e.save(int(v))
			e.drop(int(v))
		}
		e.Take(v)
	}
}

// endAccess frees the registers of clearAccess.
func (e *emitter) endAccess() {
	if e.accessing {
		for v := firstAccess; v < e.Level.Registers(); v++ {
			e.Free(vector.Vec(v))
		}
		e.accessing = false
	}
}

// addresses computes the addresses of the access of u.
func (e *emitter) addresses(u *program.Op) {
	if u.Space < program.SpaceGlobal {
		e.near(u.Addr)
		return
	}
	e.parts(func(part int) {
		e.accessor().put(addresses, part, e.general(int(u.Ins.Src[0].Value), part))
	})
}

// near computes the addresses of an access by an address register.
func (e *emitter) near(a program.Addressing) {
	offset := a.Offset
	if a.Post { // added afterwards
		offset = 0
	}
	e.parts(func(part int) {
		var at vector.Vec
		switch {
		case !machine.WritableAddress(a.Base):
			at = e.temporary(e.Constant(offset))
		case offset == 0:
			at = e.get(machine.AddressRow(e.p, a.Base), part)
		default:
			at = e.temporary(e.op(x86.VPADDD, e.get(machine.AddressRow(e.p, a.Base), part), e.Literal(a.Offset)))
			e.into(x86.VPANDD, at, at, e.Literal(0xffff))
		}
		e.accessor().put(addresses, part, at)
	})
}

// stepAddresses adds the offsets of post-increment operands of u to their address registers.
func (e *emitter) stepAddresses(u *program.Op) {
	e.stepAddress(&u.Addr)
	for i := range u.Src {
		e.stepAddress(&u.Src[i].At)
	}
}

func (e *emitter) stepAddress(a *program.Addressing) {
	if !a.Post || !machine.WritableAddress(a.Base) {
		return
	}
	row := machine.AddressRow(e.p, a.Base)
	e.parts(func(part int) {
		sum := e.temporary(e.op(x86.VPADDD, e.get(row, part), e.Literal(a.Offset)))
		e.assign(row, part, e.op(x86.VPANDD, sum, e.Literal(0xffff)))
	})
}

// moveTo copies a vector to a given register.
func (e *emitter) moveTo(to, from vector.Vec) {
	e.a.V(x86.Ins{Op: x86.VMOVDQA32, L: e.width, D: uint8(to), RM: x86.V(uint8(from))})
}

// into emits an operation with its result in a given register.
func (e *emitter) into(op x86.VOp, to, a vector.Vec, b vector.Source) {
	e.a.V(x86.Ins{Op: op, L: e.width, D: uint8(to), S: uint8(a), RM: operand(b)})
}

// call emits the access of u, which is skipped if no lane accesses. The interpreter executes u if
// the code cannot.
func (e *emitter) call(u *program.Op, k kind, bank uint8) {
	idle := e.a.NewLabel()
	e.claim()
	e.a.Mov(32, x86.R(regLanes), e.lanes)
	if e.guarded {
		e.a.Test(32, x86.R(regLanes), x86.R(regLanes))
		e.a.Jcc(x86.E, idle)
	}
	switch k.space {
	case program.SpaceGlobal:
		e.a.Mov(64, x86.R(regSite), frSites)
		e.a.Add(64, x86.R(regSite), x86.Imm(int64(u.Slot*siteBytes)))
	case program.SpaceConst:
		address, size := constantAt(bank)
		e.a.Mov(64, x86.R(regSite), address)
		e.a.Mov(32, x86.R(regWork0), size)
	}
	e.a.Mov(64, x86.R(regCount), frAccess)
	e.a.Add(64, x86.R(regCount), x86.Imm(int64(u.Slot)*int64(unsafe.Sizeof(mem.Access{}))))
	if patterned(k) {
		e.a.Mov(32, frPattern, x86.Imm(int64(u.Slot)*patternBytes))
	}
	e.a.Call(e.routineFor(routine{kind: k}))
	e.a.Jcc(x86.B, e.leave(exitSlow))
	e.a.Bind(idle)
	e.release()
	e.left = true
}

// routine is code that many instructions call.
type routine struct {
	kind
	cost bool // only the cost of accesses of the kind
}

// routineFor returns the label of a routine, which is emitted at the end.
func (e *emitter) routineFor(r routine) x86.Label {
	l, ok := e.routines[r]
	if !ok {
		l = e.a.NewLabel()
		e.routines[r] = l
		e.wanted = append(e.wanted, r)
	}
	return l
}
