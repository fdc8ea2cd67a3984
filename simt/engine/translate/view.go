package translate

import (
	"math"
	"sync"
	"unsafe"

	"jacquard/simt/engine/translate/hostcode"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/machine"
	"jacquard/simt/mem/texture"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// view is a texture as the code of an instruction sees it. A view is valid for one launch. Without
// a routine the interpreter executes the instruction.
type view struct {
	routine uint64 // address of the code of the instruction's lookup
	host    uint64 // address of the first texel in the host
	seen    bool   // a routine was looked for
	walk    stride // of reads of one texel per lane

	extent [3]uint32 // texels
	last   [3]uint32 // extent - 1
	step   [4]uint32 // bytes to the next texel of a dimension; at the rank: to the next layer
	layer  uint32    // the last layer
	limit  [3]uint32 // bits of the f32 below which a coordinate must be
	period [3]uint32 // Wrap, Mirror: texels until the texture repeats
	turn   [3]uint32 // period - 1

	scale   [3]float64 // of coordinates: to texels, or to 256ths if they are filtered
	inverse [3]float64 // 1 / period
}

const viewBytes = int64(unsafe.Sizeof(view{}))

// farTexels and farBlended limit coordinates: texel indices fit 32 bits, in a blend with 8 bits of
// fraction.
const (
	farTexels  = 1 << 27
	farBlended = 1 << 21
)

// lookup is a way to read a texture: each has code of its own.
type lookup struct {
	fetch    bool // coordinates are integers
	rank     uint8
	layered  bool
	coords   uint8 // rows of coordinates; others are 0
	format   texture.Format
	channels uint8
	integer  bool
	wanted   uint8 // components
	offset   [3]int8
	texture.Sampler
}

// lookups has the code of lookups, for all engines of a program.
type lookups struct {
	level vector.Level
	lock  sync.Mutex
	code  map[lookup]*hostcode.Code
}

// address returns the address of the code of a lookup, 0 if there is none.
func (l *lookups) address(x lookup) uint64 {
	l.lock.Lock()
	defer l.lock.Unlock()
	code, ok := l.code[x]
	if !ok {
		if l.code == nil {
			l.code = map[lookup]*hostcode.Code{}
		}
		code, _ = hostcode.Load(x.emit(l.level)) // without memory for code, the interpreter goes on
		l.code[x] = code
	}
	if code == nil {
		return 0
	}
	return uint64(code.Entry(0).Address())
}

// textures reports whether a program reads texels.
func textures(p *program.Program) bool {
	for i := range p.Code {
		if p.Code[i].Ins.Op.ReadsTexels() {
			return true
		}
	}
	return false
}

// unitOf returns the texture of a unit, unbound past the launch's.
func unitOf(st *machine.State, unit uint8) *texture.Texture {
	if int(unit) < len(st.Textures) {
		return &st.Textures[unit]
	}
	return &texture.Texture{}
}

// aim prepares the view for the texture that an instruction reads in this launch.
func (v *view) aim(all *lookups, st *machine.State, in *tesla.Instruction) {
	if v.seen {
		return
	}
	v.seen = true
	x := unitOf(st, in.Tex.Unit)
	g, ok := x.Layout(st.Global)
	if !ok || st.Global.Mapped(x.Base) { // see site.aim
		return
	}
	how := texture.FetchSampler()
	if in.Op != tesla.OpTexFetch {
		how = x.Effective(unitOf(st, in.Tex.Sampler).Sampler)
	}
	for k := g.Rank; k < len(how.Address); k++ {
		how.Address[k] = 0
	}
	l := lookup{
		fetch: in.Op == tesla.OpTexFetch, rank: uint8(g.Rank), layered: x.Layered, coords: min(in.Tex.Coords, 4),
		format: x.Format, channels: x.Channels, integer: x.Integer, wanted: in.Tex.Mask & 15, offset: in.Tex.Offset, Sampler: how,
	}
	if !l.possible(&g) {
		return
	}
	v.set(&l, &g)
	v.routine = all.address(l)
}

// possible reports whether code can read a texture.
func (l *lookup) possible(g *texture.Layout) bool {
	switch l.format {
	case texture.FormatU8, texture.FormatS8, texture.FormatU16, texture.FormatS16, texture.FormatU32, texture.FormatS32, texture.FormatF32:
	default:
		return false
	}
	size := l.size()
	if size == 0 || size&(size-1) != 0 || len(g.Bytes) == 0 || len(g.Bytes) > mostWindow || l.wanted == 0 {
		return false
	}
	if size < 4 { // words that hold texels are read
		at := uintptr(unsafe.Pointer(unsafe.SliceData(g.Bytes)))
		for _, s := range g.Steps {
			at |= uintptr(s%size) << 2
		}
		if at%4 != 0 {
			return false
		}
	}
	end := size // of the last texel
	for k, step := range g.Steps[:g.Rank] {
		end += (g.Extent[k] - 1) * step
	}
	if l.layered {
		end += (g.Layers - 1) * g.Steps[g.Rank]
	}
	if end > len(g.Bytes) {
		return false
	}
	for k := range g.Rank {
		if n := g.Extent[k]; n == 0 || !l.fetch && n > farTexels/4 {
			return false
		}
	}
	return !l.layered || g.Layers > 0
}

// size is the bytes of a texel.
func (l *lookup) size() int { return l.format.Size() * int(l.channels) }

// set fills in the numbers that code reads.
func (v *view) set(l *lookup, g *texture.Layout) {
	v.host = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(g.Bytes))))
	v.layer = uint32(g.Layers - 1)
	for k := range v.step {
		v.step[k] = uint32(g.Steps[k])
	}
	far := float32(farTexels)
	if l.Filter {
		far = farBlended
	}
	for k := range g.Rank {
		n := g.Extent[k]
		v.extent[k], v.last[k] = uint32(n), uint32(n-1)
		limit := far
		v.scale[k] = 1
		if l.Normalized {
			limit /= float32(n)
			v.scale[k] = float64(n)
		}
		if l.Filter {
			v.scale[k] *= 256
		}
		v.limit[k] = math.Float32bits(limit)
		period := n
		if l.Address[k] == texture.Mirror {
			period *= 2
		}
		v.period[k], v.turn[k], v.inverse[k] = uint32(period), uint32(period-1), 1/float64(period)
	}
}
