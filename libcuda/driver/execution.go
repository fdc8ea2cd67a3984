package driver

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"jacquard/debug"
	"jacquard/libcuda/driver/knobs"
	"jacquard/libcuda/driver/sinks"
	"jacquard/observe/findings"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/mem/texture"
)

// Launch runs f on a grid of one block.
func (t *Thread) Launch(f Function) error { return t.LaunchGrid(f, 1, 1) }

// LaunchGrid runs f on a grid of width by height blocks, with the block shape, dynamic shared
// memory and parameters set before.
func (t *Thread) LaunchGrid(f Function, width, height int) error {
	return t.LaunchGridAsync(f, width, height, 0)
}

// LaunchGridAsync is LaunchGrid in a stream.
func (t *Thread) LaunchGridAsync(f Function, width, height int, stream Stream) error {
	return t.function(f, func(c *context, f *function) error {
		if err := c.checkStream(stream); err != nil {
			return err
		}
		return f.run([2]int{width, height}, stream)
	})
}

// Arguments are the parameters of a LaunchKernel in one of C's two forms. The zero value has no
// parameters.
type Arguments struct {
	Packed []byte // the packed buffer of extra

	// Value is kernelParams: it returns the size bytes of parameter number index, or fewer if they
	// cannot be read. It serves only kernels whose image records the sizes; text cubins do not.
	Value func(index, size int) []byte
}

// LaunchKernel runs f, and leaves the shapes and parameters in f like the calls of CUDA 1.x.
func (t *Thread) LaunchKernel(f Function, grid, block [3]uint32, shared uint32, stream Stream, args Arguments) error {
	return t.function(f, func(c *context, f *function) error {
		if err := c.checkStream(stream); err != nil {
			return err
		}
		if err := f.set(grid, block, shared, args); err != nil {
			return c.d.logged(err)
		}
		return f.run([2]int{int(grid[0]), int(grid[1])}, stream)
	})
}

// CheckKernel returns the error with which LaunchKernel would refuse the same launch, nil if the
// kernel would begin. It leaves shapes and parameters in f as LaunchKernel does. No sink, listener
// or number knows of it, and a refusal is not logged. It is no call of CUDA.
func CheckKernel(t *Thread, f Function, grid, block [3]uint32, shared uint32, args Arguments) error {
	return t.function(f, func(c *context, f *function) error {
		if err := f.set(grid, block, shared, args); err != nil {
			return err
		}
		launch, _, err := f.ready([2]int{int(grid[0]), int(grid[1])})
		if err != nil {
			return err
		}
		if err := launch.Request.Admit(); err != nil {
			return launchFailure(f.kernel.Name, ResultOfLaunch(err), err)
		}
		return nil
	})
}

// set leaves shapes and parameters in f.
func (f *function) set(grid, block [3]uint32, shared uint32, args Arguments) error {
	if why := impossible(grid, block); why != "" {
		return failure(ErrInvalidValue, nil, "launch of kernel %s refused: grid %v, block %v: %s", f.kernel.Name, grid, block, why)
	}
	if err := f.setArguments(args); err != nil {
		return err
	}
	f.block = [3]int{int(block[0]), int(block[1]), int(block[2])}
	f.shared = shared
	return nil
}

// impossible returns the reason why no device can run these shapes, or "".
func impossible(grid, block [3]uint32) string {
	for _, d := range [...]uint32{grid[0], grid[1], grid[2], block[0], block[1], block[2]} {
		if d == 0 || d > math.MaxUint16 {
			return fmt.Sprintf("dimensions must be 1 to %d", math.MaxUint16)
		}
	}
	if grid[2] != 1 {
		return "these devices have no grids in three dimensions"
	}
	return ""
}

// setArguments replaces f's parameters.
func (f *function) setArguments(args Arguments) error {
	switch {
	case args.Packed != nil && args.Value != nil, len(args.Packed) > f.mostParams():
		return ErrInvalidValue
	case args.Value == nil:
		f.size = copy(f.params[:], args.Packed)
		return nil
	case f.kernel.Params == nil:
		return failure(ErrInvalidImage, nil, "cuLaunchKernel: kernel %s: its cubin does not record the sizes of parameters, which kernelParams needs: pass the packed buffer in extra", f.kernel.Name)
	}
	f.size = 0
	for i, p := range f.kernel.Params {
		end := p.Offset + p.Size
		if p.Offset < 0 || p.Size < 0 || end > maxParams {
			return ErrInvalidImage
		}
		if copy(f.params[p.Offset:end], args.Value(i, p.Size)) < p.Size {
			return ErrInvalidValue
		}
		f.size = max(f.size, end)
	}
	return nil
}

// run launches f in a stream with its present settings. The caller holds the context's lock, and
// the context is sound. A refused launch is an error here; a fault stays in the context for the
// next call.
func (f *function) run(grid [2]int, stream Stream) error {
	d := f.module.ctx.d
	launch, why, err := f.ready(grid)
	if why != nil {
		d.log.Error("%v", why)
	}
	if err != nil {
		return d.logged(err)
	}
	launch.Number = int(d.launches.begun.Add(1)) - 1
	ends := make([]func(), len(d.sinks))
	for i, s := range d.sinks {
		ends[i] = s.Begin(launch)
	}
	stats, err := d.runLaunch(f, launch, stream)
	if d.sums { // else sinks may keep them
		f.stats = stats
	}
	result, refused := launchResult(err)
	printed := f.printed()
	if result == ErrLaunchFailed && printed.asserted() {
		result = ErrAssert
	}
	launch.Stats, launch.Err, launch.Result = stats, err, result.Error()
	endAll(ends)
	if d.findings != nil {
		var beyond *simt.Overrun
		if stats != nil {
			beyond = stats.Overrun
		}
		for _, m := range sinks.Mistakes(launch) {
			d.found(explained(f.module.ctx, m, beyond))
		}
	}
	printed.print(f.kernel.Name)
	if stats != nil {
		d.remark(f.kernel.Name, stats)
	}
	if err == nil {
		if d.log.tells(knobs.LogInfo) { // else the arguments would be allocated
			d.log.Info("kernel %s: grid %v, block %v, %d warp-instructions in %v", f.kernel.Name, grid, f.block, stats.WarpInstructions, stats.Elapsed)
		}
		return nil
	}
	reported := d.reports(err)
	err = launchFailure(f.kernel.Name, result, err)
	if !reported {
		d.logged(err)
	}
	if refused {
		return err
	}
	f.module.ctx.fault = err
	d.judge.Faulted()
	return nil
}

// remark logs what a launch came upon besides results, but for what a checker reports.
func (d *Driver) remark(kernel string, stats *simt.Stats) {
	if stats.InStep != nil && !d.judge.Has(check.KindRace) {
		d.log.Once("%s", stats.InStep)
	}
	if stats.Overrun != nil && !d.judge.Has(check.KindMemory) {
		d.log.onceOf("overrun of "+kernel, stats.Overrun.String()+"; with JACQUARD_MEMORY=exact that is a fault")
	}
	if d.judge.Has(check.KindSync) {
		return
	}
	for _, m := range stats.Missed {
		d.log.onceOf(fmt.Sprintf("%s barrier of %s at 0x%x", m.What, kernel, m.PC), m.String())
	}
}

// reports reports whether a checker tells why a launch failed, so that the log need not.
func (d *Driver) reports(err error) bool {
	fault, ok := errors.AsType[*simt.Fault](err)
	if !ok {
		return false
	}
	switch fault.Kind {
	case simt.FaultIllegalAddress, simt.FaultMisaligned:
		return d.judge.Has(check.KindMemory)
	case simt.FaultLivelock, simt.FaultBarrier:
		return d.judge.Has(check.KindSync)
	}
	return false
}

// runLaunch carries out a launch in a stream, under the debugger if there is one.
func (d *Driver) runLaunch(f *function, l *sinks.Launch, stream Stream) (*simt.Stats, error) {
	c := f.module.ctx
	x := &c.checkers
	defer x.report(d, l.Number)
	if d.config.Debug == nil {
		l.Request.Checker = checker(c, stream, l.Request.Checker)
		return d.launches.run(&l.Request, x.run)
	}
	k := debug.Kernel{Number: l.Number, Image: l.Kernel, Variables: f.module.data.Variables, Request: &l.Request}
	if d.judge != nil {
		k.Checks = &debugged{c: c, stream: stream, launch: l}
	}
	return d.config.Debug.Run(k, func(again *simt.Launch) (*simt.Stats, error) { return d.launches.run(again, x.run) })
}

// debugged is the checkers of a launch that the debugger may run several times: debug.Checks. The
// caller holds the lock of c.
type debugged struct {
	c      *context
	stream Stream
	launch *sinks.Launch
}

// Begin implements debug.Checks.
func (k *debugged) Begin(first func(check.Finding)) {
	x := &k.c.checkers
	x.first = func(f check.Finding) {
		f.Launch, f.Shape = k.launch.Number, k.launch.Request.Block
		first(f)
	}
	if x.shadow != nil {
		x.shadow.First = x.first
	}
	k.launch.Request.Checker = checker(k.c, k.stream, k.launch.Request.Checker)
}

// Faulted implements debug.Checks.
func (k *debugged) Faulted(err error) (list []check.Finding) {
	for _, f := range k.c.checkers.found {
		if f.What == check.Endless {
			f.Launch = k.launch.Number
			list = append(list, f)
		}
	}
	ended := *k.launch
	ended.Err = err
	for _, f := range sinks.Mistakes(&ended) {
		f.Shape = k.launch.Request.Block
		list = append(list, explained(k.c, f, nil))
	}
	return list
}

// Report implements debug.Checks.
func (k *debugged) Report(f check.Finding) string {
	folder, _ := os.Getwd() // unknown is ""
	text := &findings.Text{Sources: findings.Sources{Folder: folder}}
	return text.Finding(&f)
}

// Back implements debug.Checks.
func (k *debugged) Back() {
	x := &k.c.checkers
	x.found = nil
	if x.race != nil {
		x.race.Back()
	}
	if x.shadow != nil {
		x.shadow.Back()
	}
}

// Stages implements debug.Checks: the check of values that nobody wrote has two.
func (k *debugged) Stages() bool { return k.c.checkers.shadow != nil }

// End implements debug.Checks.
func (k *debugged) End() {
	x := &k.c.checkers
	x.first = nil
	if x.shadow != nil {
		x.shadow.First = nil
		x.shadow.Done()
	}
}

// ready returns the launch of f with its present settings, without a number, unless f cannot be
// launched. why says that PTX could not be compiled again for the block.
func (f *function) ready(grid [2]int) (launch *sinks.Launch, why, err error) {
	if bound := f.bound(); bound > 0 && f.block[0]*f.block[1]*f.block[2] > bound {
		// Unverified: the code. The guides say only that such a launch fails.
		return nil, nil, failure(ErrLaunchOutOfResources, nil, "kernel %s was compiled for blocks of at most %d threads, not for %v", f.kernel.Name, bound, f.block)
	}
	b, data, code, why := f.choose()
	if err := b.prepare(f.module.ctx, data); err != nil {
		return nil, why, launchFailure(f.kernel.Name, ResultOfLaunch(err), err)
	}
	return f.launch(grid, b, code), why, nil
}

// endAll calls all ends in order, even if one panics because it reads memory that the program
// unmapped.
func endAll(ends []func()) {
	for _, end := range slices.Backward(ends) {
		defer end()
	}
}

// launch returns the launch of code b for the simulator.
func (f *function) launch(grid [2]int, b *body, code uintptr) *sinks.Launch {
	c := f.module.ctx
	v := &c.d.settings
	textures := make([]texture.Texture, len(b.textures))
	for unit, r := range b.textures {
		if r != nil {
			textures[unit] = r.texture()
		}
	}
	l := &sinks.Launch{
		Context: uintptr(c.handle), Module: uintptr(f.module.handle), Code: code, Device: c.device.model.key, Kernel: b.kernel,
		Request: simt.Launch{
			Program:  b.program,
			Grid:     grid,
			Block:    f.block,
			Params:   f.passed(),
			Dynamic:  int(f.shared),
			Global:   c.space,
			Const:    b.banks,
			Textures: textures,
			Policy:   v.Policy,
			Watchdog: v.Watchdog,
			InStep:   v.InStep,
			Order:    v.Order,
			Workers:  v.Workers,
			Pool:     &c.d.launches.pool,
			NoStats:  !v.Stats.Count,
			Recorder: c.d.config.Recorder,
			Sums:     c.d.sums,
			Reuse:    f.stats,
		},
	}
	if len(c.d.sinks) > 0 {
		l.Textures = b.bindings(textures)
	}
	l.Request.Checker = f.bounds(b, l)
	return l
}

// bindings describes the texture references of b with the given textures.
func (b *body) bindings(textures []texture.Texture) []sinks.Binding {
	list := make([]sinks.Binding, len(textures))
	for unit, r := range b.textures {
		if r == nil {
			continue
		}
		to := &list[unit]
		*to = sinks.Binding{
			Name: r.name, Texture: textures[unit], Array: uintptr(r.bound.handle),
			Format: uint32(r.format), Channels: r.channels, Flags: r.flags, Filter: uint32(r.filter),
		}
		for dim, mode := range r.modes {
			to.Modes[dim] = uint32(mode)
		}
	}
	return list
}
