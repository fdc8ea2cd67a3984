package replay

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"jacquard/board/otherdriver"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/sinks"
	"jacquard/observe/bundle"
	"jacquard/simt/mem/texture"
)

// OtherDriver runs launches on another libcuda: a board's driver, or any library with the driver
// API. Memory has other addresses there, so experiments on the simulator find the words that are
// addresses.
type OtherDriver struct {
	Device otherdriver.Device // runs the launches

	library *otherdriver.Driver
	finder  finder
	context otherdriver.Context // 0 before the first launch, and after a failed one
	modules map[*bundle.Module]otherdriver.Module
}

// NewOtherDriver starts the library and takes its first device. The caller must stay on one thread
// of the system. engine runs the experiments.
func NewOtherDriver(library *otherdriver.Driver, engine *Engine) (*OtherDriver, error) {
	if err := library.Init(); err != nil {
		return nil, err
	}
	device, err := library.Device(0)
	if err != nil {
		return nil, err
	}
	return &OtherDriver{
		Device: device, library: library,
		finder: finder{engine, map[*bundle.Kernel]*pointers{}},
	}, nil
}

// Close releases the device's objects.
func (d *OtherDriver) Close() error {
	if d.context == 0 {
		return nil
	}
	ctx := d.context
	d.context = 0
	return d.library.CtxDestroy(ctx)
}

// Run runs l. In the result, addresses have their recorded values.
func (d *OtherDriver) Run(l *bundle.Launch) (*After, error) {
	if l.Result != bundle.Success {
		return nil, &Uncomparable{"it failed when it was recorded"}
	}
	p, after, err := d.finder.find(l)
	if err != nil {
		return nil, err
	}
	return d.run(l, p, after)
}

// RunAddresses runs l, whose parameters are addresses and whose memory holds none.
func (d *OtherDriver) RunAddresses(l *bundle.Launch) (*After, error) {
	p := &pointers{params: map[int]bool{}}
	for at := 0; at < len(l.Params); at += 4 {
		p.params[at] = true
	}
	return d.run(l, p, nil)
}

// run runs l. p tells which words are addresses before the launch, after which are afterwards.
func (d *OtherDriver) run(l *bundle.Launch, p *pointers, after places) (*After, error) {
	if len(l.Textures) > 0 && !d.library.Textures() {
		return nil, &Uncomparable{"it reads textures, and the library has no texture references"}
	}
	if err := d.open(); err != nil {
		return nil, err
	}
	r := &otherRun{OtherDriver: d, l: l, pointers: p, textures: otherdriver.Textures{Driver: d.library}}
	defer r.free()
	if err := r.prepare(); err != nil {
		return nil, uncomparable(err)
	}
	if err := d.library.Launch(r.function, l.Grid, l.Block, l.Shared, p.moveParams(l, r.layout)); err != nil {
		failed := &After{Outcome: bundle.Outcome{Result: driver.ResultOf(err).Error(), Message: err.Error()}}
		r.own = nil // freed with the lost context
		d.Close()   // some drivers repeat the error of a lost context
		return failed, nil
	}
	memory, err := r.read(after)
	return &After{Outcome: bundle.Outcome{Result: bundle.Success}, Memory: memory}, err
}

// uncomparable makes a failure before the launch an *Uncomparable.
func uncomparable(err error) error {
	if call, ok := errors.AsType[*otherdriver.Error](err); ok {
		return &Uncomparable{fmt.Sprintf("the library does not take it: %v", call)}
	}
	return err
}

// open makes a context if there is none.
func (d *OtherDriver) open() error {
	if d.context != 0 {
		return nil
	}
	ctx, err := d.library.CtxCreate(d.Device)
	if err != nil {
		return err
	}
	d.context, d.modules = ctx, map[*bundle.Module]otherdriver.Module{}
	return nil
}

// otherRun is one launch in progress.
type otherRun struct {
	*OtherDriver
	l        *bundle.Launch
	pointers *pointers
	layout   layout
	function otherdriver.Function
	own      []otherdriver.Address // memory for this launch
	textures otherdriver.Textures
}

// prepare sets the device to the state before the launch.
func (r *otherRun) prepare() error {
	m, err := r.module()
	if err != nil {
		return err
	}
	if r.function, err = r.library.Function(m, r.l.Kernel.Name); err != nil {
		return err
	}
	for _, v := range r.l.Kernel.Module.Variables {
		at, _, err := r.library.Global(m, v.Name)
		if err != nil {
			return err
		}
		if err := r.place(v.Address, v.Bytes, at); err != nil {
			return err
		}
	}
	for _, o := range r.l.Memory {
		if o.Kind != bundle.Allocation && o.Kind != bundle.Mapped {
			continue
		}
		at, err := r.library.MemAlloc(uint64(max(len(o.Bytes), 1)))
		if err != nil {
			return err
		}
		r.own = append(r.own, at)
		if err := r.place(o.Address, len(o.Bytes), at); err != nil {
			return err
		}
	}
	for _, o := range r.l.Memory {
		err := r.each(o, r.pointers.moveContent(o.Bytes, r.layout), func(part []byte, at otherdriver.Address) error { return r.library.Write(at, part) })
		if err != nil {
			return err
		}
	}
	return r.bind(m)
}

// module returns the launch's module, loaded.
func (r *otherRun) module() (otherdriver.Module, error) {
	m, loaded := r.modules[r.l.Kernel.Module]
	if loaded {
		return m, nil
	}
	m, err := r.library.ModuleLoad(r.l.Kernel.Module.Image)
	if err == nil {
		r.modules[r.l.Kernel.Module] = m
	}
	return m, err
}

// place notes the new address of recorded memory.
func (r *otherRun) place(from uint32, size int, to otherdriver.Address) error {
	if uint64(to)+uint64(size) > math.MaxUint32 {
		return &Uncomparable{fmt.Sprintf("the library has memory at %#x, which no kernel of sm_10 .. sm_13 can reach", uint64(to))}
	}
	r.layout.Insert(otherdriver.Place{Address: from, Size: size, There: to})
	return nil
}

// each calls do for the parts of an object on the device, with their content: the whole object, or
// the variables in it of the launch's module.
func (r *otherRun) each(o *bundle.Object, content []byte, do func(part []byte, at otherdriver.Address) error) error {
	if o.Kind == bundle.Array {
		return nil
	}
	return r.layout.Within(o.Address, content, func(p otherdriver.Place, at int, part []byte) error {
		return do(part, p.There+otherdriver.Address(at))
	})
}

// bind makes the arrays and binds the texture references.
func (r *otherRun) bind(m otherdriver.Module) error {
	arrays := map[uint32][]byte{}
	for _, o := range r.l.Memory {
		if o.Kind == bundle.Array {
			arrays[o.Address] = o.Bytes
		}
	}
	bindings := make([]sinks.Binding, len(r.l.Textures))
	for i := range bindings {
		t := &r.l.Textures[i]
		if t.Unit < 0 || t.Unit >= len(r.l.Kernel.Textures) {
			return fmt.Errorf("%v: texture unit %d has no reference", r.l, t.Unit)
		}
		x, err := textureOf(t, arrays)
		if err != nil {
			return fmt.Errorf("%v: texture unit %d: %w", r.l, t.Unit, err)
		}
		if x.Kind == texture.Array && x.Texels == nil {
			return fmt.Errorf("%v: the array of texture unit %d is not there", r.l, t.Unit)
		}
		bindings[i] = bindingOf(r.l.Kernel.Textures[t.Unit], t, x)
	}
	err := r.textures.Bind(m, bindings, r.layout.Translate)
	if _, call := errors.AsType[*otherdriver.Error](err); err != nil && !call {
		return &Uncomparable{err.Error()}
	}
	return err
}

// bindingOf returns the binding of a texture reference to texture x, which t describes.
func bindingOf(name string, t *bundle.Texture, x texture.Texture) sinks.Binding {
	b := sinks.Binding{Name: name, Texture: x, Array: uintptr(t.Array), Format: uint32(t.Format), Channels: t.Channels}
	if t.Integer {
		b.Flags |= driver.TRSFReadAsInteger
	}
	if t.Normalized {
		b.Flags |= driver.TRSFNormalizedCoordinates
	}
	if t.Linear {
		b.Filter = uint32(driver.FilterLinear)
	}
	for k, mode := range t.Modes {
		b.Modes[k] = uint32(mode)
	}
	return b
}

// read returns the memory after the launch, with recorded values for words that are addresses. The
// gaps between variables, which cannot be read, are as recorded.
func (r *otherRun) read(after places) ([][]byte, error) {
	memory := make([][]byte, len(r.l.Memory))
	for i, o := range r.l.Memory {
		if o.Kind == bundle.Array {
			continue
		}
		want := Expected(r.l, o)
		content := slices.Clone(want)
		if err := r.each(o, content, r.library.Read); err != nil {
			return nil, err
		}
		for _, at := range after[o] {
			if word(content[at:]) == moved(word(want[at:]), r.layout) {
				copy(content[at:], want[at:at+4])
			}
		}
		memory[i] = content
	}
	return memory, nil
}

// free frees the launch's memory. Errors show at the next launch.
func (r *otherRun) free() {
	for _, at := range r.own {
		r.library.MemFree(at)
	}
	if r.context != 0 {
		r.textures.Close()
	}
}
