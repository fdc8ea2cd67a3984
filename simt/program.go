package simt

import (
	"fmt"
	"sync"

	"jacquard/simt/branch"
	"jacquard/simt/cfg"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Program is a kernel made ready to run. It may serve many launches, at the same time too.
type Program struct {
	Kernel Kernel
	lanes  *lane.Kernels // that compute
	code   []uop         // one for each instruction, and one that faults behind the last
	at     []int32       // word address -> index in code, -1 inside a long instruction
	rows   []rowDef      // rows that are the same for a whole launch: immediates, constants
	words  []wordDef     // words of s[] that operands name
	plan   Plan
	addrs  uint8 // address registers the code names, bit i for $ai
	slots  int   // uops that touch memory

	refusals []Refusal
	exact    []tesla.Exactness // of every instruction

	graph    func() *cfg.Graph // for divergence schemes, made when the first asks
	prepared sync.Map          // by Launch.Policy: a prepared
}

// uop is one instruction after lowering: everything knowable before the run is resolved.
// What every issue touches comes first.
type uop struct {
	exec    execFunc // what it does to registers and memory; nil if nothing
	control bool     // ends a straight run: events, markers, barriers, illegal instructions
	guarded bool     // the guard is not "always"
	memory  bool     // a load, store, atomic or texture fetch
	space   space    // of a load, store or atomic
	noticed bool     // other warps can notice it
	lone    bool     // a control instruction that can fault although it is not noticed
	guard   tesla.Guard
	cdst    uint8 // $c written, noCond for none
	cin     uint8 // $c read by carry-in and by mov from $c
	width   uint8 // 16 or 32: the operation's width, for flags and saturation
	arith   tesla.Arith
	sat     bool // integer: clamp the sum
	clamp   bool // float: clamp the result to [0, 1]

	unfinished bool // the result is to be clamped, moved or looked at for flags
	marker     tesla.Marker
	event      event
	at         int32        // index in the program
	end        int32        // index of the first control uop at or after this one
	quiet      int32        // uops from this one on that touch registers only, and do for any block the same
	led        int32        // uops from this one on that the lead of a convoy can issue for all its blocks
	to         int32        // index of the target of a branch, -1 if no instruction starts there
	fork       *fork        // that begins here, or nil
	plain      branch.Kinds // what a policy would be told of it; something that is never plain if it does more
	pc         uint32
	next       uint32 // byte address after it
	slot       int32  // of what its accesses cost, if it touches memory
	wordly     bool   // a load or store of one whole register
	words      int32  // loads, stores and atomics: registers of the data
	addr       addressing
	dst        dest
	src        [3]source

	k1 lane.Unary
	k2 lane.Binary
	k3 lane.Ternary
	fl flagFunc // flags of the result; nil if none are written or exec sets them itself

	product    lane.Binary // multiply-add: the first step
	compare    lane.Comparison
	wide       func(d, a lane.Rows64, f []lane.Flags, s *lane.Sel) // conversions with a 64-bit side
	cvtFlags   func(f []lane.Flags, r lane.Rows, s *lane.Sel)
	shiftFlags func(f []lane.Flags, a, n lane.Rows, width int, s *lane.Sel)

	ins *tesla.Instruction
}

// noCond is the condition register of an instruction that has none.
const noCond = 0xff

// execFunc carries out an instruction for the lanes of s. It reports false after setting
// b.raised; then nothing of the faulting warp's instruction has happened.
type execFunc func(b *Block, u *uop, s *lane.Sel) bool

// flagFunc replaces the flags of $c u.cdst by those of the result in d.
type flagFunc func(b *Block, u *uop, d lane.Rows, s *lane.Sel)

// wordDef is an operand in s[] at a fixed address.
type wordDef struct {
	offset uint32 // bytes
	typ    tesla.Type
	half   bool // keep the low half, extended by signed
	signed bool
	fix    fix
}

// rowDef says what a launch-wide row holds: an immediate, or a word of a constant bank.
type rowDef struct {
	bank   int8 // -1 for an immediate
	typ    tesla.Type
	offset uint32 // byte offset in the bank
	value  uint32
	fix    fix
	signed bool // 16-bit values: sign-extend
}

// Lower makes a program of a decoded kernel. It fails if the kernel's resources are
// impossible, with a *LaunchError, or if the host cannot do what SIMD asks for, with an
// error of package lane. Encodings that cannot execute become instructions that fault.
func Lower(k Kernel) (*Program, error) {
	if k.Registers < 0 || k.Registers > 128 {
		return nil, &LaunchError{Resources: true, Reason: fmt.Sprintf("kernel %s uses %d registers a thread: the most is 128", k.Name, k.Registers)}
	}
	lanes, err := lane.Find(k.SIMD)
	if err != nil {
		return nil, err
	}
	p := &Program{Kernel: k, lanes: lanes, graph: sync.OnceValue(func() *cfg.Graph { return flowGraph(k.Code) })}
	l := lowerer{p: p, k: p.lanes}
	var pc uint32
	for i := range k.Code {
		in := &k.Code[i]
		for range in.Size / 4 {
			p.at = append(p.at, -1)
		}
		p.at[pc/4] = int32(i)
		u := uop{pc: pc, next: pc + uint32(in.Size), at: int32(i), ins: in}
		l.lower(&u, in)
		if u.touchesMemory() {
			u.slot = int32(p.slots)
			p.slots++
		}
		p.exact = append(p.exact, in.Certainty().Exactness)
		p.code = append(p.code, u)
		pc = u.next
	}
	p.code = append(p.code, uop{pc: pc, next: pc, at: int32(len(p.code)), ins: &offTheEnd, control: true, lone: true, exec: execWild})
	end := int32(len(p.code))
	for i := len(p.code) - 1; i >= 0; i-- {
		if p.code[i].control {
			end = int32(i)
		}
		p.code[i].end = end
		switch u := &p.code[i]; {
		case u.control:
			u.noticed = u.touchesMemory() || u.marker == tesla.MarkerExit || u.event == branch.Return || u.event == branch.Arrive
			p.aim(u)
			if !u.lone && !u.steps() {
				u.led = 1
			}
		case u.ins.Op == tesla.OpMovFromSpecial:
			u.noticed = true
		default:
			if u.noticed = u.touchesMemory(); !u.noticed {
				u.quiet = 1 + p.code[i+1].quiet
			}
			if !u.steps() {
				u.led = 1 + p.code[i+1].led
			}
		}
	}
	p.findForks()
	p.plan = planFor(k.Code)
	return p, nil
}

// aim notes of a control instruction where it leads and what a policy is told of it.
func (p *Program) aim(u *uop) {
	u.plain = branch.KindsOf(u.event)
	if u.event == 0 {
		u.plain = 0
	}
	if u.marker == tesla.MarkerJoin {
		u.plain |= branch.JoinMarker
	}
	if u.marker == tesla.MarkerExit || u.exec != nil {
		u.plain = branch.KindsOf(branch.Exit)
	}
	u.to = -1
	if i, ok := p.index(u.ins.Target); ok {
		u.to = int32(i)
	}
}

// touchesMemory reports whether u reads or writes memory that others can write, or may
// fault in reading. Constants that are rows of the launch do not count.
func (u *uop) touchesMemory() bool {
	for i := range u.src {
		if m := u.src[i].mode; m == srcShared || m == srcSharedAt || m == srcConstAt {
			return true
		}
	}
	return u.memory
}

// steps reports whether u changes the address register of an access, which it does for all warps
// before any of them has made its access.
func (u *uop) steps() bool {
	for i := range u.src {
		if u.src[i].at.post {
			return true
		}
	}
	return u.addr.post
}

// offTheEnd stands for what follows a kernel's last instruction.
var offTheEnd tesla.Instruction

// SIMD returns the name of the vector instructions that the program computes with.
func (p *Program) SIMD() string { return p.lanes.SIMD }

// CheckSIMD returns the error with which Lower refuses a value of Kernel.SIMD, nil if it
// takes it.
func CheckSIMD(name string) error {
	_, err := lane.Find(name)
	return err
}

// Instructions returns the number of static instructions.
func (p *Program) Instructions() int { return len(p.Kernel.Code) }

// index returns the position in code of the instruction at byte address pc. If there is
// none, it is the position of the uop that faults.
func (p *Program) index(pc uint32) (int, bool) {
	if pc%4 != 0 || int(pc/4) >= len(p.at) || p.at[pc/4] < 0 {
		return len(p.code) - 1, false
	}
	return int(p.at[pc/4]), true
}

// prepared is a divergence scheme that has read the program.
type prepared struct {
	newPolicy func() branch.Policy // one a block
	loose     bool                 // see branch.Scheme
	mixes     bool                 // see branch.Policy
	forks     []bool               // by instruction: a fork begins there that the policy knows
	workers   *sync.Pool           // that launches under it left
}

// policies prepares the divergence scheme that text names. What the scheme has learnt from
// the code is kept for later launches.
func (p *Program) policies(text string) (prepared, error) {
	if known, ok := p.prepared.Load(text); ok {
		return known.(prepared), nil
	}
	scheme, err := branch.Find(text)
	if err != nil {
		return prepared{}, err
	}
	newPolicy, err := scheme.Prepare(&branch.Kernel{Code: p.outline(), Graph: p.graph})
	if err != nil {
		return prepared{}, err
	}
	policy := newPolicy()
	ready := prepared{newPolicy, scheme.Loose, policy.Mixes(), p.forksFor(policy), new(sync.Pool)}
	p.prepared.Store(text, ready)
	return ready, nil
}

// flowGraph analyses code. Without any, the graph has no functions.
func flowGraph(code []tesla.Instruction) *cfg.Graph {
	g, err := cfg.New(code)
	if err != nil {
		return &cfg.Graph{}
	}
	return g
}

// outline returns what a divergence scheme may know of the program.
func (p *Program) outline() []branch.Instruction {
	list := make([]branch.Instruction, p.Instructions())
	for i := range list {
		u := &p.code[i]
		list[i] = branch.Instruction{
			PC: u.pc, Next: u.next, Kind: u.event, Target: u.ins.Target,
			Indirect: u.ins.Op == tesla.OpBraIndirect,
			Guarded:  u.guarded,
			Join:     u.marker == tesla.MarkerJoin,
		}
		if u.marker == tesla.MarkerExit {
			list[i].Kind, list[i].Guarded = branch.Exit, false
		}
	}
	return list
}
