package driver

// stream is a queue of work. Work is done when it is queued, so the queue is always empty.
type stream struct {
	ctx *context
}

func (s *stream) context() *context { return s.ctx }

// StreamCreate makes a stream. Flags: 0, or 1 for one that does not wait for the default stream.
func (t *Thread) StreamCreate(flags uint32) (Stream, error) {
	c, err := t.work()
	if err != nil {
		return 0, err
	}
	defer c.mu.Unlock()
	if flags > 1 {
		return 0, ErrInvalidValue
	}
	return Stream(t.d.handles.add(&stream{ctx: c})), nil
}

// StreamDestroy destroys a stream of any context.
func (t *Thread) StreamDestroy(s Stream) error {
	found, err := acquire[*stream](t, uintptr(s))
	if err != nil {
		return err
	}
	defer found.ctx.mu.Unlock()
	t.d.handles.remove(uintptr(s))
	return nil
}

// StreamQuery answers ErrNotReady while the stream has work: never, here. Stream 0 is the current context's.
func (t *Thread) StreamQuery(s Stream) error { return t.StreamSynchronize(s) }

// StreamSynchronize waits for the stream's work and reports what went wrong in it.
func (t *Thread) StreamSynchronize(s Stream) error {
	if s == 0 {
		return t.CtxSynchronize()
	}
	found, err := acquire[*stream](t, uintptr(s))
	if err != nil {
		return err
	}
	defer found.ctx.mu.Unlock()
	return found.ctx.fault
}

// checkStream reports whether s may be used for work of c. The caller holds c's lock.
func (c *context) checkStream(s Stream) error {
	if s == 0 {
		return nil
	}
	_, err := find[*stream](c, uintptr(s))
	return err
}
