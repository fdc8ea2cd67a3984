package driver

import "jacquard/simt/check"

// CopySide is one end of a copy of rows: the memory, and the place in it at which the copy begins.
// Only the members for Type matter.
type CopySide struct {
	X, Y, Z uint64 // bytes, rows and slices before the first byte
	LOD     uint64 // must be 0
	Type    MemoryType
	Host    uintptr   // MemoryHost: an address in the program
	Device  DevicePtr // MemoryDevice
	Array   Array     // MemoryArray
	Pitch   uint64    // host and device: bytes from row to row
	Height  uint64    // host and device: rows from slice to slice
}

// Copy is a copy of Depth slices of Height rows of Width bytes.
type Copy struct {
	Src, Dst             CopySide
	Width, Height, Depth uint64
}

// Memcpy2D copies rows, which must lie closer together than the device's greatest pitch.
func (t *Thread) Memcpy2D(p Copy) error {
	defer awaited(t)
	return t.Memcpy2DAsync(p, 0)
}

// Memcpy2DAsync is Memcpy2D in a stream.
func (t *Thread) Memcpy2DAsync(p Copy, stream Stream) error {
	return t.inStream(stream, func(c *context) error {
		for _, s := range [...]*CopySide{&p.Src, &p.Dst} {
			if s.Type != MemoryArray && s.Pitch > uint64(c.device.attribute(AttributeMaxPitch)) {
				return ErrInvalidValue
			}
		}
		return copyIn(c, stream, flat(p))
	})
}

// Memcpy2DUnaligned is Memcpy2D for any pitch.
func (t *Thread) Memcpy2DUnaligned(p Copy) error {
	defer awaited(t)
	return t.inStream(0, func(c *context) error { return c.copy(flat(p)) })
}

// Memcpy3D copies slices.
func (t *Thread) Memcpy3D(p Copy) error {
	defer awaited(t)
	return t.Memcpy3DAsync(p, 0)
}

// Memcpy3DAsync is Memcpy3D in a stream.
func (t *Thread) Memcpy3DAsync(p Copy, stream Stream) error {
	return t.inStream(stream, func(c *context) error { return copyIn(c, stream, p) })
}

// copyIn executes p in a stream. The caller holds c's lock.
func copyIn(c *context, stream Stream, p Copy) error {
	err := c.copy(p)
	if err == nil && c.d.judge.Has(check.KindAPI) {
		copiesAsync(c, stream, 0, true, hostRows(c, &p.Src, &p)...)
		copiesAsync(c, stream, 0, false, hostRows(c, &p.Dst, &p)...)
	}
	return err
}

// hostRows returns the rows of a side of p in host memory; none if the side is no host memory.
func hostRows(c *context, s *CopySide, p *Copy) (rows [][]byte) {
	r, err := c.region(s, p)
	if s.Type != MemoryHost || err != nil || p.Width == 0 {
		return nil
	}
	for z := range p.Depth {
		for y := range p.Height {
			rows = append(rows, r.row(y, z, p.Width))
		}
	}
	return rows
}

// flat returns p as a copy of one slice, the first of both sides.
func flat(p Copy) Copy {
	p.Depth = 1
	for _, s := range [...]*CopySide{&p.Src, &p.Dst} {
		s.Z, s.LOD, s.Height = 0, 0, 0
	}
	return p
}

// copy executes p. It checks all arguments before a byte moves. The caller holds c's lock.
func (c *context) copy(p Copy) error {
	from, err := c.region(&p.Src, &p)
	if err != nil {
		return err
	}
	to, err := c.region(&p.Dst, &p)
	if err != nil {
		return err
	}
	if p.Width == 0 || p.Height == 0 {
		return nil
	}
	width, height := p.Width, p.Height
	if from.pitch == width && to.pitch == width { // rows without gaps are one row
		width, height = width*height, 1
	}
	for z := range p.Depth {
		for y := range height {
			c.move(to.row(y, z, width), from.row(y, z, width))
		}
	}
	c.copied(&p, &to)
	shadowed(c, &p, &from, &to)
	return nil
}

// copied tells listeners that p wrote to r.
func (c *context) copied(p *Copy, r *region) {
	switch p.Dst.Type {
	case MemoryArray:
		c.wroteArray(p.Dst.Array, int(p.Width))
	case MemoryDevice:
		rows := (p.Height-1)*r.pitch + p.Width
		for z := range p.Depth {
			first := z * r.slice
			tell(c, MemoryWritten{c.handle, r.at + uint32(first), r.bytes[first:][:rows], p.Width, p.Height, max(r.pitch, p.Width)})
		}
	}
}

// region is the memory of one side of a copy, from its first byte on.
type region struct {
	bytes        []byte
	pitch, slice uint64
	at           uint32 // of device memory: the address of bytes
}

func (r *region) row(y, z, width uint64) []byte { return r.bytes[z*r.slice+y*r.pitch:][:width] }

// most bounds every size and offset of a copy, and farthest every distance. No memory is larger,
// and no sum or product below overflows.
const (
	most     = 1 << 32
	farthest = 1 << 48
)

// region finds the memory that side s of p touches.
func (c *context) region(s *CopySide, p *Copy) (region, error) {
	for _, n := range [...]uint64{s.X, s.Y, s.Z, p.Width, p.Height, p.Depth} {
		if n >= most {
			return region{}, ErrInvalidValue
		}
	}
	if s.LOD != 0 {
		return region{}, ErrInvalidValue
	}
	if s.Type == MemoryArray {
		return c.arrayRegion(s, p)
	}
	if s.Type != MemoryHost && s.Type != MemoryDevice {
		// MemoryUnified needs one address space, which this hardware lacks.
		return region{}, ErrInvalidValue
	}
	if p.Width == 0 || p.Height == 0 || p.Depth == 0 {
		return region{}, nil
	}
	rows, slices := s.Y+p.Height, s.Z+p.Depth
	if s.Pitch >= most || s.Height >= most {
		return region{}, ErrInvalidValue
	}
	var r region // one row needs no pitch, and one slice no height
	if rows > 1 || slices > 1 {
		r.pitch = s.Pitch
		if s.X+p.Width > s.Pitch {
			return region{}, ErrInvalidValue
		}
	}
	if slices > 1 {
		r.slice = s.Pitch * s.Height
		if rows > s.Height {
			return region{}, ErrInvalidValue
		}
	}
	if r.pitch > farthest/rows || r.slice > farthest/slices {
		return region{}, ErrInvalidValue
	}
	first := s.Z*r.slice + s.Y*r.pitch + s.X
	size := (p.Depth-1)*r.slice + (p.Height-1)*r.pitch + p.Width
	var err error
	if s.Type == MemoryHost {
		r.bytes, err = hostBytes(s.Host, first, size)
	} else if _, ok := address(s.Device); ok {
		r.at = uint32(s.Device) + uint32(first)
		r.bytes, err = c.bytes(s.Device+DevicePtr(first), size)
	} else {
		err = ErrInvalidValue
	}
	return r, err
}

// arrayRegion is region for an array.
func (c *context) arrayRegion(s *CopySide, p *Copy) (region, error) {
	a, err := find[*array](c, uintptr(s.Array))
	if err != nil {
		return region{}, err
	}
	element := a.desc.elementSize()
	height, depth := max(a.desc.Height, 1), max(a.desc.Depth, 1)
	r := region{pitch: a.desc.Width * element}
	r.slice = r.pitch * height
	if s.X%element != 0 || p.Width%element != 0 || s.X+p.Width > r.pitch || s.Y+p.Height > height || s.Z+p.Depth > depth {
		return region{}, ErrInvalidValue
	}
	if p.Width > 0 && p.Height > 0 && p.Depth > 0 {
		r.bytes = a.texels[s.Z*r.slice+s.Y*r.pitch+s.X:]
	}
	return r, nil
}
