package stops

import (
	"encoding/binary"
	"fmt"

	"jacquard/cubin"
	"jacquard/debug"
	"jacquard/ptx/compile"
	ptx "jacquard/ptx/load"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Source is the kernel's name for its file.
const Source = "sum.cu"

// text adds up the numbers of each block. Lines: 10 index, 11 load, 12 store to shared memory, 13
// barrier and the waste of time, 14 loop, 15 condition, 16 sum, 17 barrier, 18 the end of the loop,
// 19 result. In an odd block, line 20 loads from address 0 if the second parameter is not zero.
const text = `
.version 1.4
.target sm_13
.file 1 "sum.cu"
.entry sum (.param .u32 data, .param .u32 wrong, .param .u32 spin)
{
	.shared .align 4 .b8 part[256];
	.reg .u32 %r<20>;
	.reg .pred %p<5>;
	.loc 1 10 0
	cvt.u32.u16 %r1, %ctaid.x;
	cvt.u32.u16 %r2, %tid.x;
	shl.b32 %r3, %r1, 6;
	add.u32 %r3, %r3, %r2;
	.loc 1 11 0
	shl.b32 %r4, %r3, 2;
	ld.param.u32 %r5, [data];
	add.u32 %r4, %r4, %r5;
	ld.global.u32 %r6, [%r4];
	.loc 1 12 0
	mov.u32 %r7, part;
	shl.b32 %r8, %r2, 2;
	add.u32 %r8, %r8, %r7;
	st.shared.u32 [%r8], %r6;
	.loc 1 13 0
	bar.sync 0;
	ld.param.u32 %r18, [spin];
spinning:
	setp.eq.u32 %p0, %r18, 0;
	@%p0 bra spun;
	sub.u32 %r18, %r18, 1;
	bra spinning;
spun:
	.loc 1 14 0
	mov.u32 %r9, 32;
loop:
	.loc 1 15 0
	setp.ge.u32 %p1, %r2, %r9;
	@%p1 bra past;
	.loc 1 16 0
	shl.b32 %r10, %r9, 2;
	add.u32 %r10, %r10, %r8;
	ld.shared.u32 %r11, [%r10];
	ld.shared.u32 %r12, [%r8];
	add.u32 %r12, %r12, %r11;
	st.shared.u32 [%r8], %r12;
past:
	.loc 1 17 0
	bar.sync 0;
	.loc 1 18 0
	shr.u32 %r9, %r9, 1;
	setp.ne.u32 %p2, %r9, 0;
	@%p2 bra loop;
	.loc 1 19 0
	setp.ne.u32 %p3, %r2, 0;
	@%p3 bra done;
	ld.shared.u32 %r13, [part];
	shl.b32 %r14, %r1, 2;
	add.u32 %r14, %r14, %r5;
	st.global.u32 [%r14+1024], %r13;
	.loc 1 20 0
	ld.param.u32 %r15, [wrong];
	and.b32 %r15, %r15, %r1;
	setp.eq.u32 %p4, %r15, 0;
	@%p4 bra done;
	mov.u32 %r16, 0;
	ld.global.u32 %r17, [%r16];
	st.global.u32 [%r14], %r17;
done:
	.loc 1 21 0
	exit;
}
`

// The shape of the launch: 4 blocks of 64 threads.
const (
	Blocks  = 4
	Threads = 64
)

// Program is a program that launches the kernel a number of times, each on the numbers from 0 on.
type Program struct {
	Launches int
	Wrong    bool   // the kernel faults in odd blocks
	Spin     uint32 // rounds in which each thread wastes time at line 13
	Session  *debug.Session
	Sums     [Blocks]uint32 // of the last launch
	Err      error          // of the last launch
	Stats    *simt.Stats    // of the last launch
	Policy   string

	image *cubin.Image
	named bool // the kernel is that of NewNames
	ended chan struct{}
}

// New compiles the kernel.
func New(launches int) (*Program, error) {
	image, err := ptx.Compile(Source, []byte(text), compile.Options{Arch: tesla.SM13})
	return &Program{Launches: launches, image: image}, err
}

// launch prepares a launch, and returns the address of its data and the variables of the module.
func (p *Program) launch() (*simt.Launch, uint32, map[string]load.Variable, error) {
	k := &p.image.Kernels[0]
	program, err := load.Program(p.image.Arch, k, simt.Host{})
	if err != nil {
		return nil, 0, nil, err
	}
	l := &simt.Launch{Program: program, Grid: [2]int{Blocks, 1}, Block: [3]int{Threads, 1, 1}, Global: mem.NewSpace(1 << 20), Policy: p.Policy}
	at, err := l.Global.Alloc(4096)
	if err != nil {
		return nil, 0, nil, err
	}
	data, err := l.Global.Bytes(at, 4096)
	if err != nil {
		return nil, 0, nil, err
	}
	for i := range Blocks * Threads {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(i))
	}
	if p.named {
		placed, err := p.nameArguments(l, at+1024)
		if err != nil {
			return nil, 0, nil, err
		}
		return l, at, placed.Variables, nil
	}
	wrong := uint32(0)
	if p.Wrong {
		wrong = 1
	}
	for _, word := range [...]uint32{at, wrong, p.Spin} {
		l.Params = binary.LittleEndian.AppendUint32(l.Params, word)
	}
	load.Constants(&l.Const, p.image)
	load.Fill(&l.Const, k.Segments)
	return l, at, map[string]load.Variable{}, nil
}

// Run launches the kernel once, under a session unless it is nil.
func (p *Program) Run(number int, s *debug.Session) error {
	l, at, variables, err := p.launch()
	if err != nil {
		return err
	}
	if s == nil {
		p.Stats, p.Err = simt.Run(l)
	} else {
		k := debug.Kernel{Number: number, Image: &p.image.Kernels[0], Request: l, Variables: variables}
		p.Stats, p.Err = s.Run(k, simt.Run)
	}
	data, err := l.Global.Bytes(at+1024, 4*Blocks)
	if err != nil {
		return err
	}
	for i := range p.Sums {
		p.Sums[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return nil
}

// Start implements debug.Program.
func (p *Program) Start([]string) (debug.Target, error) {
	s := debug.NewSession()
	p.Session, p.ended = s, make(chan struct{})
	go func() {
		defer close(p.ended)
		defer s.End()
		s.Begin()
		for i := range p.Launches {
			if p.Run(i, s) != nil || p.Err != nil {
				return
			}
		}
	}()
	return s, nil
}

// Wait implements debug.Program.
func (p *Program) Wait() (how string, status int) {
	<-p.ended
	if p.Err != nil {
		return "the kernel failed", 1
	}
	return fmt.Sprintf("the sums are %v", p.Sums), 0
}

// Kill implements debug.Program.
func (p *Program) Kill() { p.Session.Detach() }
