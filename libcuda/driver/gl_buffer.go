package driver

// The calls of CUDA 1.0 to 2.3 share buffer objects by OpenGL's names. They work on the resources
// of graphics.go.

// GLRegisterBufferObject shares a buffer object of the current OpenGL context. A second time
// answers ErrAlreadyMapped.
func (t *Thread) GLRegisterBufferObject(buffer uint32) error {
	err := t.sound(func(c *context) error {
		if _, known := c.buffers[buffer]; known {
			return ErrAlreadyMapped
		}
		return nil
	})
	if err != nil {
		return err
	}
	handle, err := t.GraphicsGLRegisterBuffer(buffer, GraphicsRegisterNone)
	if err == ErrInvalidHandle {
		return ErrInvalidValue
	}
	if err != nil {
		return err
	}
	return t.resource(handle, func(r *resource) error {
		if _, known := r.ctx.buffers[buffer]; known { // by another thread, meanwhile
			if err := r.unregister(); err != nil {
				return err
			}
			return ErrAlreadyMapped
		}
		if r.ctx.buffers == nil {
			r.ctx.buffers = map[uint32]GraphicsResource{}
		}
		r.ctx.buffers[buffer] = handle
		return nil
	})
}

// GLSetBufferObjectMapFlags sets what kernels will do with a buffer from its next mapping on.
func (t *Thread) GLSetBufferObjectMapFlags(buffer uint32, flags GraphicsMapFlags) error {
	handle, err := t.bufferObject(buffer, ErrInvalidHandle)
	if err != nil {
		return err
	}
	return t.GraphicsResourceSetMapFlags(handle, flags)
}

// GLMapBufferObject maps a buffer and returns its device memory.
func (t *Thread) GLMapBufferObject(buffer uint32) (ptr DevicePtr, size uint64, err error) {
	return t.GLMapBufferObjectAsync(buffer, 0)
}

// GLMapBufferObjectAsync is GLMapBufferObject in a stream.
func (t *Thread) GLMapBufferObjectAsync(buffer uint32, stream Stream) (ptr DevicePtr, size uint64, err error) {
	handle, err := t.bufferObject(buffer, ErrInvalidValue)
	if err != nil {
		return 0, 0, err
	}
	if err := t.GraphicsMapResources([]GraphicsResource{handle}, stream); err != nil {
		return 0, 0, err
	}
	return t.GraphicsResourceGetMappedPointer(handle)
}

// GLUnmapBufferObject gives a buffer back to OpenGL.
func (t *Thread) GLUnmapBufferObject(buffer uint32) error {
	return t.GLUnmapBufferObjectAsync(buffer, 0)
}

// GLUnmapBufferObjectAsync is GLUnmapBufferObject in a stream.
func (t *Thread) GLUnmapBufferObjectAsync(buffer uint32, stream Stream) error {
	handle, err := t.bufferObject(buffer, ErrInvalidValue)
	if err != nil {
		return err
	}
	return t.GraphicsUnmapResources([]GraphicsResource{handle}, stream)
}

// GLUnregisterBufferObject ends the sharing of a buffer. A mapped one answers ErrAlreadyMapped, as
// for GraphicsUnregisterResource.
func (t *Thread) GLUnregisterBufferObject(buffer uint32) error {
	handle, err := t.bufferObject(buffer, ErrInvalidValue)
	if err != nil {
		return err
	}
	return t.resource(handle, func(r *resource) error {
		if err := r.unregister(); err != nil {
			return err
		}
		delete(r.ctx.buffers, buffer)
		return nil
	})
}

// bufferObject returns the resource of a buffer that GLRegisterBufferObject registered in the
// current context. Any other buffer answers unknown.
func (t *Thread) bufferObject(buffer uint32, unknown Result) (GraphicsResource, error) {
	return working(t, func(c *context) (GraphicsResource, error) {
		handle, known := c.buffers[buffer]
		if !known {
			return 0, unknown
		}
		return handle, nil
	})
}
