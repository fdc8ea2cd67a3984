package ptxreference

import "jacquard/ptx"

// Param is where a parameter of a kernel lies in Launch.Params.
type Param struct {
	Name         string
	Offset, Size int
}

// Params returns the parameters of a kernel and the bytes of all of them.
func (p *Program) Params(kernel string) (list []Param, size int, err error) {
	k, err := p.ready(kernel)
	if err != nil {
		return nil, 0, err
	}
	var a area
	for _, v := range k.fn.Params {
		offset, _ := a.place(v)
		n, _ := sizeOf(v)
		list = append(list, Param{Name: v.Name, Offset: offset, Size: n})
	}
	return list, a.size, nil
}

// ready returns a kernel that the reference can run, with all functions that it calls by name.
func (p *Program) ready(kernel string) (*code, error) {
	f := p.bodies[kernel]
	if f == nil || !f.Entry {
		return nil, p.errorAt(BadLaunch, ptx.Pos{}, "no kernel %q", kernel)
	}
	seen := map[*ptx.Func]bool{}
	list := []*ptx.Func{f}
	for len(list) > 0 {
		f := list[len(list)-1]
		list = list[:len(list)-1]
		if seen[f] {
			continue
		}
		seen[f] = true
		k := p.codeOf(f)
		if k.err != nil {
			return nil, k.err
		}
		list = append(list, k.calls...)
	}
	return p.codeOf(f), nil
}

// run is one launch.
type run struct {
	launch *Launch
	kernel *code
	steps  uint64
	limit  uint64
	heap   uint64 // bytes that malloc gave
}

// block is one block while it runs.
type block struct {
	program  *Program
	run      *run
	index    [3]uint32
	size     [3]uint32
	grid     [3]uint32
	threads  []*thread
	warps    []*warp
	shared   []byte
	dynamic  int // bytes of shared memory that the launch adds
	params   []byte
	barriers [16]barrier
}

const (
	mostThreads = 1024
	mostShared  = 1 << 24
)

// Run executes a kernel, one block after the other. An error of type *Error ends the run; what
// threads stored before stays.
func (p *Program) Run(kernel string, l Launch) error {
	k, err := p.ready(kernel)
	if err != nil {
		return err
	}
	grid, size, err := p.check(k, &l)
	if err != nil {
		return err
	}
	r := &run{launch: &l, kernel: k, limit: l.StepLimit}
	if r.limit == 0 {
		r.limit = 1 << 30
	}
	for z := range grid[2] {
		for y := range grid[1] {
			for x := range grid[0] {
				b := &block{program: p, run: r, index: [3]uint32{x, y, z}, size: size, grid: grid,
					dynamic: l.Shared, params: l.Params}
				if err := b.execute(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// check returns the dimensions of a launch that suits the kernel.
func (p *Program) check(k *code, l *Launch) (grid, size [3]uint32, err error) {
	threads := 1
	for i := range 3 {
		if l.Grid[i] < 0 || l.Grid[i] > 1<<31-1 || l.Block[i] < 0 || l.Block[i] > mostThreads {
			return grid, size, p.errorAt(BadLaunch, k.fn.Pos, "grid %v, block %v", l.Grid, l.Block)
		}
		grid[i], size[i] = uint32(max(l.Grid[i], 1)), uint32(max(l.Block[i], 1))
		threads *= int(size[i])
	}
	_, params, err := p.Params(k.fn.Name)
	switch {
	case err != nil:
		return grid, size, err
	case threads > mostThreads:
		return grid, size, p.errorAt(BadLaunch, k.fn.Pos, "%d threads in a block", threads)
	case len(l.Params) < params:
		return grid, size, p.errorAt(BadLaunch, k.fn.Pos, "%d bytes of parameters instead of %d",
			len(l.Params), params)
	case l.Shared < 0 || l.Shared > mostShared || p.shared > mostShared:
		return grid, size, p.errorAt(BadLaunch, k.fn.Pos, "%d bytes of shared memory", l.Shared)
	}
	return grid, size, nil
}

// start makes the block's threads.
func (b *block) start() {
	b.shared = make([]byte, b.program.shared+b.dynamic)
	n := int(b.size[0] * b.size[1] * b.size[2])
	for i := range n {
		u := uint32(i)
		t := &thread{block: b, warp: i / 32, lane: i % 32,
			index: [3]uint32{u % b.size[0], u / b.size[0] % b.size[1], u / b.size[0] / b.size[1]}}
		t.local = make([]byte, b.program.local, b.program.local+b.run.kernel.frame)
		t.begin(b.run.kernel, b.program.local)
		if t.lane == 0 {
			b.warps = append(b.warps, &warp{})
		}
		w := b.warps[t.warp]
		w.threads = append(w.threads, t)
		b.threads = append(b.threads, t)
	}
}

// execute runs all threads of the block to their ends.
func (b *block) execute() error {
	b.start()
	for {
		moved := false
		for _, w := range b.warps {
			turn := w.inStep
			if b.run.launch.Alone {
				turn = w.alone
			}
			did, err := turn()
			if err != nil {
				return err
			}
			moved = moved || did
		}
		if !b.release() && !moved {
			return b.finished()
		}
	}
}

// finished returns an error if a thread of a block that stands still has not ended.
func (b *block) finished() error {
	for _, t := range b.threads {
		switch t.state {
		case atBarrier:
			return t.fault(Deadlock, "barrier %d never completes", t.asked.barrier)
		case atMeeting:
			return t.fault(Deadlock, "lanes of mask %#x never meet", t.asked.mask)
		}
	}
	return nil
}
