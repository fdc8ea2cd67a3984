package replay

import (
	"cmp"
	"errors"
	"fmt"
	"sync/atomic"

	"jacquard/cubin"
	"jacquard/debug"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/sinks"
	"jacquard/observe/bundle"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/tesla"
)

// Engine runs launches on the simulator. The zero Engine is ready for use.
type Engine struct {
	Policy    string         // divergence policy; "" is the recorded policy
	Order     string         // of warps; "" is the recorded order
	Host      simt.Host      // how the host computes
	Workers   int            // host cores; 0 uses all
	Watchdog  uint64         // most warp-instructions of a launch; 0 is no limit
	Interrupt *atomic.Bool   // ends the launch when it turns true; may be nil
	Debug     *debug.Session // of every launch; may be nil
	Checks    *Checks        // of every launch; may be nil, and is if Debug is not
	Sinks     []sinks.Sink   // are told of every launch, in this order; without any nothing is counted

	pool     simt.Pool
	programs map[codeKey]*simt.Program
	lowered  int // words of lowered code
}

// ErrInterrupted says that [Engine.Interrupt] ended a launch, or kept it from running.
var ErrInterrupted = errors.New("interrupted")

// mostLowered bounds the words of code that an Engine has lowered at a time, and so the size of a
// kernel: a mebibyte. Lowered code is many times as large.
const mostLowered = 1 << 18

// codeKey is the input of lowering.
type codeKey struct {
	module *bundle.Module
	kernel string
	arch   tesla.Arch
}

// Run runs l at its recorded addresses. An interrupted launch has no result, and the error is
// [ErrInterrupted].
func (e *Engine) Run(l *bundle.Launch) (*After, error) {
	if e.Interrupt != nil && e.Interrupt.Load() {
		return nil, ErrInterrupted
	}
	p, err := e.program(l)
	if err != nil {
		return nil, err
	}
	launch := &simt.Launch{
		Program: p, Grid: l.Grid, Block: l.Block, Params: l.Params, Dynamic: l.Shared, Global: mem.NewSpace(allMemory),
		Policy: l.Policy, Workers: e.Workers, Pool: &e.pool, Watchdog: e.Watchdog, Signals: simt.Signals{Interrupt: e.Interrupt},
		NoStats: len(e.Sinks) == 0, InStep: simt.InStepOff,
	}
	if e.Policy != "" {
		launch.Policy = e.Policy
	}
	if launch.Order, err = simt.ParseOrder(cmp.Or(e.Order, l.Order)); err != nil {
		return nil, fmt.Errorf("%v: %w", l, err)
	}
	memory, arrays := make([][]byte, len(l.Memory)), map[uint32][]byte{}
	for i, o := range l.Memory {
		if o.Kind == bundle.Array {
			memory[i] = o.Bytes // never written
			arrays[o.Address] = o.Bytes
			continue
		}
		memory[i] = mem.Zeros(len(o.Bytes))
		copy(memory[i], o.Bytes)
		if err := launch.Global.AllocAt(o.Address, memory[i], o.Slack); err != nil {
			return nil, fmt.Errorf("%v: %w", l, err)
		}
	}
	for i := range l.Kernel.Banks {
		b := &l.Kernel.Banks[i]
		launch.Const[b.Bank] = b.Data
		if b.Address != 0 {
			if launch.Const[b.Bank], err = launch.Global.Bytes(b.Address, uint64(b.Bytes)); err != nil {
				return nil, fmt.Errorf("%v: bank %d: %w", l, b.Bank, err)
			}
		}
	}
	for i := range l.Textures {
		t := &l.Textures[i]
		x, err := textureOf(t, arrays)
		if err != nil {
			return nil, fmt.Errorf("%v: texture unit %d: %w", l, t.Unit, err)
		}
		for len(launch.Textures) <= t.Unit {
			launch.Textures = append(launch.Textures, texture.Texture{})
		}
		launch.Textures[t.Unit] = x
	}
	told := &sinks.Launch{Number: l.Number, Device: l.Device, Request: *launch}
	var ends []func()
	for _, s := range e.Sinks {
		ends = append(ends, s.Begin(told))
	}
	told.Stats, err = e.runLaunch(told, l)
	after := &After{Outcome: bundle.Outcome{Result: driver.ResultOfLaunch(err).Error()}, Memory: memory}
	told.Result, told.Err = after.Result, err
	for _, end := range ends {
		end()
	}
	if fault, ok := errors.AsType[*simt.Fault](err); ok && fault.Kind == simt.FaultInterrupt {
		return nil, ErrInterrupted
	}
	if err != nil {
		after.Message = err.Error()
	}
	return after, nil
}

// runLaunch carries out a launch, under the debugger if there is one.
func (e *Engine) runLaunch(told *sinks.Launch, l *bundle.Launch) (*simt.Stats, error) {
	switch {
	case e.Debug == nil && e.Checks != nil:
		return e.Checks.run(told, l)
	case e.Debug == nil:
		return simt.Run(&told.Request)
	}
	k := debug.Kernel{Number: l.Number, Request: &told.Request, Variables: map[string]load.Variable{}}
	if image, err := cubin.Parse(l.Kernel.Module.Image); err == nil {
		k.Image = image.Kernel(l.Kernel.Name)
	}
	for _, v := range l.Kernel.Module.Variables {
		if data, err := told.Request.Global.Bytes(v.Address, uint64(v.Bytes)); err == nil {
			k.Variables[v.Name] = load.Variable{Address: v.Address, Bytes: data}
		}
	}
	return e.Debug.Run(k, simt.Run)
}

// allMemory is the whole address space. None of it is shared with a program, unlike mapped memory
// at the recording: only this launch changes it.
const allMemory = 1 << 32

// program returns l's kernel, lowered.
func (e *Engine) program(l *bundle.Launch) (*simt.Program, error) {
	arch, err := tesla.ParseArch(l.Arch)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", l, err)
	}
	key := codeKey{l.Kernel.Module, l.Kernel.Name, arch}
	if p := e.programs[key]; p != nil {
		return p, nil
	}
	image, err := cubin.Parse(l.Kernel.Module.Image)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", l, err)
	}
	k := image.Kernel(l.Kernel.Name)
	if k == nil {
		return nil, fmt.Errorf("%v: the image has no such kernel", l)
	}
	if len(k.Code) > mostLowered {
		return nil, fmt.Errorf("%v: %d words of code: want at most %d", l, len(k.Code), mostLowered)
	}
	if e.lowered += len(k.Code); e.lowered > mostLowered {
		clear(e.programs)
		e.lowered = len(k.Code)
	}
	p, err := load.Program(arch, k, e.Host)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", l, err)
	}
	if e.programs == nil {
		e.programs = map[codeKey]*simt.Program{}
	}
	e.programs[key] = p
	return p, nil
}
