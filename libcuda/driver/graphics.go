package driver

// resource is an object of a graphics library that kernels can use while it is mapped. Kernels work
// on a copy: mapping copies the object's content to device memory, and unmapping copies it back
// (docs/design/0036).
type resource struct {
	ctx      *context
	handle   GraphicsResource
	pieces   []piece
	arrays   map[subresource]Array // of an image; nil for a buffer
	flags    GraphicsRegisterFlags
	mapFlags GraphicsMapFlags
	mapped   bool
}

func (r *resource) context() *context { return r.ctx }

// subresource names an array of an image.
type subresource struct{ index, level uint32 }

// GraphicsMapResources lets kernels use resources: it copies their content to device memory, unless
// the flags say that kernels replace all of it. A resource that occurs twice answers
// ErrInvalidHandle.
func (t *Thread) GraphicsMapResources(list []GraphicsResource, stream Stream) error {
	return t.transfer(list, stream, false, func(r *resource) error { return t.load(r) })
}

// GraphicsUnmapResources gives resources back to the graphics library: it copies their content
// there, unless the flags say that kernels only read it.
func (t *Thread) GraphicsUnmapResources(list []GraphicsResource, stream Stream) error {
	return t.transfer(list, stream, true, func(r *resource) error { return t.store(r) })
}

// transfer calls do with each resource of a list, without a lock, if all of them are mapped, or
// none is. If do succeeds, mapped ones are not mapped any more, and the others are.
func (t *Thread) transfer(list []GraphicsResource, stream Stream, mapped bool, do func(*resource) error) error {
	var found []*resource
	err := t.inStream(stream, func(c *context) (err error) {
		found, err = c.resources(list, mapped)
		for _, r := range found {
			r.mapped = true // in both cases: until the end no other thread maps it
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range found {
		if err = do(r); err != nil {
			t.d.log.Info("graphics resource %#x: %v", r.handle, err)
			break
		}
	}
	for _, r := range found {
		r.ctx.mu.Lock()
		r.mapped = mapped == (err != nil)
		r.ctx.mu.Unlock()
	}
	return err
}

// resources returns the resources of a list, all different, and mapped or not. The caller holds c's
// lock.
func (c *context) resources(list []GraphicsResource, mapped bool) ([]*resource, error) {
	var found []*resource
	seen := map[GraphicsResource]bool{}
	for _, handle := range list {
		r, err := find[*resource](c, uintptr(handle))
		if err != nil || seen[handle] {
			return nil, ErrInvalidHandle
		}
		seen[handle] = true
		found = append(found, r)
	}
	for _, r := range found {
		if r.mapped && !mapped {
			return nil, ErrAlreadyMapped
		}
		if !r.mapped && mapped {
			return nil, ErrNotMapped
		}
	}
	return found, nil
}

// GraphicsResourceGetMappedPointer returns the device memory of a mapped buffer. Its address is the
// same each time.
func (t *Thread) GraphicsResourceGetMappedPointer(handle GraphicsResource) (ptr DevicePtr, size uint64, err error) {
	err = t.resource(handle, func(r *resource) error {
		if !r.mapped {
			return ErrNotMapped
		}
		if r.arrays != nil {
			return ErrNotMappedAsPointer
		}
		ptr, size = r.pointer()
		return nil
	})
	return ptr, size, err
}

// GraphicsSubResourceGetMappedArray returns an array of a mapped image: of a level, and of the face
// of a cube map or the layer called index. It is the same array each time.
func (t *Thread) GraphicsSubResourceGetMappedArray(handle GraphicsResource, index, level uint32) (a Array, err error) {
	err = t.resource(handle, func(r *resource) error {
		if !r.mapped {
			return ErrNotMapped
		}
		if r.arrays == nil {
			return ErrNotMappedAsArray
		}
		known := false
		if a, known = r.arrays[subresource{index, level}]; !known {
			return ErrInvalidValue
		}
		return nil
	})
	return a, err
}

// GraphicsResourceSetMapFlags sets what kernels will do with a resource from its next mapping on.
func (t *Thread) GraphicsResourceSetMapFlags(handle GraphicsResource, flags GraphicsMapFlags) error {
	return t.resource(handle, func(r *resource) error { return r.setMapFlags(flags) })
}

func (r *resource) setMapFlags(flags GraphicsMapFlags) error {
	if flags > GraphicsMapWriteDiscard {
		return ErrInvalidValue
	}
	if r.mapped {
		return ErrAlreadyMapped
	}
	r.mapFlags = flags
	return nil
}

// GraphicsUnregisterResource ends the sharing of an object. A mapped resource answers
// ErrAlreadyMapped.
//
// Unverified: what NVIDIA's driver answers for a mapped resource; a program on a board would tell.
func (t *Thread) GraphicsUnregisterResource(handle GraphicsResource) error {
	return t.resource(handle, (*resource).unregister)
}

// resource calls do with a resource of the current context, locked and sound.
func (t *Thread) resource(handle GraphicsResource, do func(*resource) error) error {
	return owned(t, uintptr(handle), func(_ *context, r *resource) error { return do(r) })
}

func (r *resource) unregister() error {
	if r.mapped {
		return ErrAlreadyMapped
	}
	r.ctx.d.handles.remove(uintptr(r.handle))
	r.free()
	return nil
}
