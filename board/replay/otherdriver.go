package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"jacquard/board/otherdriver"
	"jacquard/cubin"
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
		finder: finder{engine, map[*bundle.Kernel]*pointers{}, map[*bundle.Module]*cubin.Image{}},
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

// RunAt runs l with exactly the parameters at the given offsets as addresses.
func (d *OtherDriver) RunAt(l *bundle.Launch, addresses []int) (*After, error) {
	p := &pointers{params: map[int]bool{}}
	for _, at := range addresses {
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
	r := &otherRun{OtherDriver: d, l: l, pointers: p, own: map[*bundle.Object]otherdriver.Address{}, arrays: map[uint32]otherdriver.Array{}}
	defer r.free()
	if err := r.prepare(); err != nil {
		return nil, uncomparable(err)
	}
	if err := r.launch(); err != nil {
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
	var call *otherdriver.Error
	if errors.As(err, &call) {
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
	own      map[*bundle.Object]otherdriver.Address // memory for this launch
	arrays   map[uint32]otherdriver.Array
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
		if r.own[o], err = r.library.MemAlloc(uint64(max(len(o.Bytes), 1))); err != nil {
			return err
		}
		if err := r.place(o.Address, len(o.Bytes), r.own[o]); err != nil {
			return err
		}
	}
	for _, o := range r.l.Memory {
		if err := r.each(o, o.Bytes, r.write); err != nil {
			return err
		}
	}
	return r.textures(m)
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
	r.layout = append(r.layout, moved{from, uint32(to), uint32(size)})
	return nil
}

// each calls do for the parts of an object on the device, with their content: the whole object, or
// the variables of a module's.
func (r *otherRun) each(o *bundle.Object, content []byte, do func(part []byte, at otherdriver.Address) error) error {
	if at, ok := r.own[o]; ok {
		return do(content, at)
	}
	for _, v := range variablesIn(r.l, o) {
		to, _ := r.layout.move(v.Address)
		if err := do(content[v.Address-o.Address:][:v.Bytes], otherdriver.Address(to)); err != nil {
			return err
		}
	}
	return nil
}

// variablesIn returns the variables of l's module inside an object.
func variablesIn(l *bundle.Launch, o *bundle.Object) (list []bundle.Variable) {
	if o.Kind != bundle.OfModule {
		return nil
	}
	for _, v := range l.Kernel.Module.Variables {
		if at := v.Address - o.Address; v.Bytes >= 0 && uint64(at)+uint64(v.Bytes) <= uint64(len(o.Bytes)) {
			list = append(list, v)
		}
	}
	return list
}

func (r *otherRun) write(content []byte, at otherdriver.Address) error {
	return r.library.Write(at, r.pointers.moveContent(content, r.layout))
}

// textures makes the arrays and binds the texture references.
func (r *otherRun) textures(m otherdriver.Module) error {
	for i := range r.l.Textures {
		t := &r.l.Textures[i]
		if t.Unit < 0 || t.Unit >= len(r.l.Kernel.Textures) {
			return fmt.Errorf("%v: texture unit %d has no reference", r.l, t.Unit)
		}
		ref, err := r.library.TexRef(m, r.l.Kernel.Textures[t.Unit])
		if err != nil {
			return err
		}
		a, err := r.array(t)
		if err != nil {
			return err
		}
		base, _ := r.layout.move(t.Base)
		b := sinks.Binding{
			Texture: texture.Texture{Kind: texture.ParseKind(t.Kind), Size: t.Size, Pitch: t.Pitch, Width: t.Width, Height: t.Height},
			Format:  uint32(t.Format), Channels: t.Channels,
		}
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
		if err := r.library.Bind(ref, &b, otherdriver.Address(base), a); err != nil {
			return err
		}
	}
	return nil
}

// array returns the array that t reads, 0 if it reads none.
func (r *otherRun) array(t *bundle.Texture) (otherdriver.Array, error) {
	if t.Kind != "array" {
		return 0, nil
	}
	if a, there := r.arrays[t.Array]; there {
		return a, nil
	}
	desc := driver.ArrayDescriptor{
		Width: uint64(t.Width), Height: uint64(t.Height), Depth: uint64(t.Depth), Format: driver.ArrayFormat(t.Format), Channels: uint32(t.Channels),
	}
	if t.Layered {
		desc.Flags = driver.Array3dLayered
	}
	a, err := r.library.ArrayCreate(desc)
	if err != nil {
		return 0, err
	}
	r.arrays[t.Array] = a
	for _, o := range r.l.Memory {
		if o.Kind == bundle.Array && o.Address == t.Array {
			return a, r.library.ArrayWrite(a, desc, o.Bytes)
		}
	}
	return 0, fmt.Errorf("%v: the array of texture unit %d is not there", r.l, t.Unit)
}

func (r *otherRun) launch() error {
	err := r.library.Launch(r.function, r.l.Grid, r.l.Block, r.l.Shared, r.pointers.moveParams(r.l, r.layout))
	if err != nil {
		return err
	}
	return r.library.CtxSynchronize()
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
			if to, _ := r.layout.move(word(want[at:])); word(content[at:]) == to {
				binary.LittleEndian.PutUint32(content[at:], word(want[at:]))
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
	if r.context == 0 {
		return
	}
	for _, a := range r.arrays {
		r.library.ArrayDestroy(a)
	}
}
