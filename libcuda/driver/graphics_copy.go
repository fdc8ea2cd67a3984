package driver

import "math"

// piece is the part of a resource that one transfer moves: a buffer, or a level of an image or of a
// face. Its device memory is one or more parts, one after the other in OpenGL's memory.
type piece struct {
	place GLPlace
	parts []part
}

// part is device memory of a resource: at an address, or of an array.
type part struct {
	bytes []byte
	at    DevicePtr
	array Array // 0: the memory has an address
}

func (p *piece) size() (n uint64) {
	for i := range p.parts {
		n += uint64(len(p.parts[i].bytes))
	}
	return n
}

// pointer returns the memory of a buffer.
func (r *resource) pointer() (DevicePtr, uint64) {
	return r.pieces[0].parts[0].at, r.pieces[0].size()
}

// load copies a resource's content from OpenGL to device memory, unless kernels will replace it. It
// answers ErrMapFailed if OpenGL's object has gone or has another size. The caller holds no lock.
func (t *Thread) load(r *resource) error {
	discard := r.mapFlags == GraphicsMapWriteDiscard || r.flags&GraphicsRegisterWriteDiscard != 0
	for i := range r.pieces {
		p := &r.pieces[i]
		if err := t.d.unchanged(p); err != nil {
			return mapError(err, ErrMapFailed)
		}
		if discard {
			continue
		}
		err := staged(p.size(), func(b []byte) error {
			if err := t.d.gl.Read(p.place, b); err != nil {
				return mapError(err, ErrMapFailed)
			}
			return r.with(func(c *context) { p.scatter(c, b) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// store copies a resource's content from device memory to OpenGL, unless kernels only read it. It
// answers ErrUnmapFailed if OpenGL's object has gone or has another size. The caller holds no lock.
func (t *Thread) store(r *resource) error {
	if r.mapFlags == GraphicsMapReadOnly || r.flags&GraphicsRegisterReadOnly != 0 {
		return t.d.gl.Current()
	}
	for i := range r.pieces {
		p := &r.pieces[i]
		if err := t.d.unchanged(p); err != nil {
			return mapError(err, ErrUnmapFailed)
		}
		err := staged(p.size(), func(b []byte) error {
			if err := r.with(func(c *context) { p.gather(c, b) }); err != nil {
				return err
			}
			return mapError(t.d.gl.Write(p.place, b), ErrUnmapFailed)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// mapError returns the result of a call in which OpenGL answers err.
func mapError(err error, answer Result) error {
	if err == nil || err == ErrInvalidGraphicsContext {
		return err
	}
	return answer
}

// unchanged returns an error unless OpenGL's object is as it was when the program registered it.
func (d *Driver) unchanged(p *piece) error {
	if p.place.Target == GLArrayBuffer {
		size, err := d.gl.Buffer(p.place.Name)
		if err == nil && size != p.size() {
			d.log.Once("OpenGL's buffer %d has another size than when it was registered: register it again", p.place.Name)
			return ErrInvalidValue
		}
		return err
	}
	image, err := d.gl.Image(p.place.Name, p.place.Target, p.place.Level)
	if err == nil && image != p.place.Image {
		d.log.Once("OpenGL's image %d has another size or format than when it was registered: register it again", p.place.Name)
		return ErrInvalidValue
	}
	return err
}

// with calls do with the resource's context, locked, unless another thread has ended or emptied the
// context meanwhile.
func (r *resource) with(do func(*context)) error {
	r.ctx.mu.Lock()
	defer r.ctx.mu.Unlock()
	if r.ctx.d.handles.get(uintptr(r.handle)) != object(r) {
		return ErrContextIsDestroyed
	}
	do(r.ctx)
	return nil
}

// staged calls do with size bytes, which hold content on its way between OpenGL and device memory:
// no lock is held while OpenGL works, and another thread may free the device memory.
func staged(size uint64, do func([]byte) error) error {
	if size > math.MaxInt {
		return ErrOutOfMemory
	}
	b, err := mapPages(int(size))
	if err != nil {
		return ErrOutOfMemory
	}
	err = do(b)
	if freed := unmapPages(b); err == nil {
		err = freed
	}
	return err
}

// scatter copies b to the piece's device memory. The caller holds c's lock.
func (p *piece) scatter(c *context, b []byte) {
	for i := range p.parts {
		to := &p.parts[i]
		c.move(to.bytes, b[:len(to.bytes)])
		b = b[len(to.bytes):]
		if to.array != 0 {
			c.wroteArray(to.array, len(to.bytes))
		} else {
			c.wrote(to.at, to.bytes)
		}
	}
}

// gather fills b from the piece's device memory. The caller holds c's lock.
func (p *piece) gather(c *context, b []byte) {
	for i := range p.parts {
		from := p.parts[i].bytes
		c.move(b[:len(from)], from)
		b = b[len(from):]
	}
}

// free frees the resource's device memory. The caller holds the context's lock.
func (r *resource) free() {
	for i := range r.pieces {
		for _, p := range r.pieces[i].parts {
			if p.array == 0 {
				r.ctx.unshare(p.at)
			} else if a, err := find[*array](r.ctx, uintptr(p.array)); err == nil {
				a.destroy(p.array)
			}
		}
	}
}

// unshare frees device memory of a buffer. The caller holds c's lock.
func (c *context) unshare(ptr DevicePtr) {
	addr := uint32(ptr)
	tell(c, MemoryFrees{c.handle, addr})
	delete(c.owned, addr)
	if !c.free(addr) {
		panic("driver: memory of a graphics resource is not where it was")
	}
}
