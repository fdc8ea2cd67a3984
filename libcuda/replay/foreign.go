package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"jacquard/cubin"
	"jacquard/libcuda/bundle"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/foreign"
	"jacquard/simt/mem/texture"
)

// Foreign runs launches on another libcuda: a board's driver, or any library with the driver API. Memory has other addresses
// there, so a launch can be run only if it is known which of its words are addresses: the simulator finds that out.
type Foreign struct {
	Device foreign.Device // that runs launches

	library *foreign.Driver
	finder  finder
	context foreign.Context // 0 before the first launch, and after one that failed
	modules map[*bundle.Module]foreign.Module
}

// NewForeign starts the library and takes its first device. The caller must stay on one thread of the system. Engine runs
// the experiments.
func NewForeign(library *foreign.Driver, engine *Engine) (*Foreign, error) {
	if err := library.Init(); err != nil {
		return nil, err
	}
	device, err := library.Device(0)
	if err != nil {
		return nil, err
	}
	return &Foreign{
		Device: device, library: library,
		finder: finder{engine, map[*bundle.Kernel]*pointers{}, map[*bundle.Module]*cubin.Image{}},
	}, nil
}

// Close ends what runs need on the device.
func (f *Foreign) Close() error {
	if f.context == 0 {
		return nil
	}
	ctx := f.context
	f.context = 0
	return f.library.CtxDestroy(ctx)
}

// Run runs l. Afterwards addresses are what they were when it was recorded.
func (f *Foreign) Run(l *bundle.Launch) (*After, error) {
	if l.Result != bundle.Success {
		return nil, &Uncomparable{"it failed when it was recorded"}
	}
	p, after, err := f.finder.find(l)
	if err != nil {
		return nil, err
	}
	return f.run(l, p, after)
}

// RunAt runs l, of which it is known that the parameters at the offsets are addresses, and that nothing else is.
func (f *Foreign) RunAt(l *bundle.Launch, addresses []int) (*After, error) {
	p := &pointers{params: map[int]bool{}}
	for _, at := range addresses {
		p.params[at] = true
	}
	return f.run(l, p, nil)
}

// run runs l, in which p says what is an address, and after what is one afterwards.
func (f *Foreign) run(l *bundle.Launch, p *pointers, after places) (*After, error) {
	if len(l.Textures) > 0 && !f.library.Textures() {
		return nil, &Uncomparable{"it reads textures, and the library has no texture references"}
	}
	if err := f.open(); err != nil {
		return nil, err
	}
	r := &foreignRun{Foreign: f, l: l, pointers: p, own: map[*bundle.Object]foreign.Address{}, arrays: map[uint32]foreign.Array{}}
	defer r.free()
	if err := r.prepare(); err != nil {
		return nil, uncomparable(err)
	}
	if err := r.launch(); err != nil {
		failed := &After{Outcome: bundle.Outcome{Result: driver.ResultOf(err).Error(), Message: err.Error()}}
		r.own = nil // they go with the context, which is lost
		f.Close()   // of a lost context some drivers say again what became of it
		return failed, nil
	}
	memory, err := r.read(after)
	return &After{Outcome: bundle.Outcome{Result: bundle.Success}, Memory: memory}, err
}

// uncomparable makes of a call that failed before the launch the reason why it cannot be compared.
func uncomparable(err error) error {
	var call *foreign.Error
	if errors.As(err, &call) {
		return &Uncomparable{fmt.Sprintf("the library does not take it: %v", call)}
	}
	return err
}

// open makes a context if there is none.
func (f *Foreign) open() error {
	if f.context != 0 {
		return nil
	}
	ctx, err := f.library.CtxCreate(f.Device)
	if err != nil {
		return err
	}
	f.context, f.modules = ctx, map[*bundle.Module]foreign.Module{}
	return nil
}

// foreignRun is one launch on its way.
type foreignRun struct {
	*Foreign
	l        *bundle.Launch
	pointers *pointers
	layout   layout
	function foreign.Function
	own      map[*bundle.Object]foreign.Address // memory for this launch
	arrays   map[uint32]foreign.Array
}

// prepare brings the device to the state before the launch.
func (r *foreignRun) prepare() error {
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
	if err := r.each(r.write); err != nil {
		return err
	}
	return r.textures(m)
}

// module returns the launch's module, loaded.
func (r *foreignRun) module() (foreign.Module, error) {
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

// place notes where recorded memory is now.
func (r *foreignRun) place(from uint32, size int, to foreign.Address) error {
	if uint64(to)+uint64(size) > math.MaxUint32 {
		return &Uncomparable{fmt.Sprintf("the library has memory at %#x, which no kernel of sm_10 .. sm_13 can reach", uint64(to))}
	}
	r.layout = append(r.layout, moved{from, uint32(to), uint32(size)})
	return nil
}

// each calls do for all memory that is on the device: objects, and of modules' objects the variables.
func (r *foreignRun) each(do func(content []byte, at foreign.Address) error) error {
	for _, o := range r.l.Memory {
		if at, ok := r.own[o]; ok {
			if err := do(o.Bytes, at); err != nil {
				return err
			}
		}
		for _, v := range variablesIn(r.l, o) {
			to, _ := r.layout.move(v.Address)
			if err := do(o.Bytes[v.Address-o.Address:][:v.Bytes], foreign.Address(to)); err != nil {
				return err
			}
		}
	}
	return nil
}

// variablesIn returns the variables of l's module that lie in an object.
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

func (r *foreignRun) write(content []byte, at foreign.Address) error {
	return r.library.Write(at, r.pointers.moveContent(content, r.layout))
}

// textures makes the arrays and binds the texture references.
func (r *foreignRun) textures(m foreign.Module) error {
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
		b := driver.Binding{
			Texture: texture.Texture{Kind: kinds[t.Kind], Size: t.Size, Pitch: t.Pitch, Width: t.Width, Height: t.Height},
			Format:  driver.ArrayFormat(t.Format), Channels: t.Channels,
		}
		if t.Integer {
			b.Flags |= driver.TRSFReadAsInteger
		}
		if t.Normalized {
			b.Flags |= driver.TRSFNormalizedCoordinates
		}
		if t.Linear {
			b.Filter = driver.FilterLinear
		}
		for k, mode := range t.Modes {
			b.Modes[k] = driver.AddressMode(mode)
		}
		if err := r.library.Bind(ref, &b, foreign.Address(base), a); err != nil {
			return err
		}
	}
	return nil
}

// array returns the array that t reads, 0 if it reads none.
func (r *foreignRun) array(t *bundle.Texture) (foreign.Array, error) {
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

func (r *foreignRun) launch() error {
	err := r.library.Launch(r.function, r.l.Grid, r.l.Block, r.l.Shared, r.pointers.moveParams(r.l, r.layout))
	if err != nil {
		return err
	}
	return r.library.CtxSynchronize()
}

// read returns what memory holds after the launch, with the words that are addresses as they were when it was recorded. What
// cannot be read, the gaps between variables, is as recorded.
func (r *foreignRun) read(after places) ([][]byte, error) {
	memory := make([][]byte, len(r.l.Memory))
	for i, o := range r.l.Memory {
		if o.Kind == bundle.Array {
			continue
		}
		want := Expected(r.l, o)
		content := append([]byte(nil), want...)
		if at, ok := r.own[o]; ok {
			if err := r.library.Read(content, at); err != nil {
				return nil, err
			}
		}
		for _, v := range variablesIn(r.l, o) {
			to, _ := r.layout.move(v.Address)
			if err := r.library.Read(content[v.Address-o.Address:][:v.Bytes], foreign.Address(to)); err != nil {
				return nil, err
			}
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

// free gives back what the launch needed. What goes wrong does not matter: the next launch finds out.
func (r *foreignRun) free() {
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
