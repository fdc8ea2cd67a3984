package driver

import "jacquard/libcuda/driver/judge"

// stream is a queue of work. Work is done when it is queued, so the queue is always empty.
type stream struct {
	ctx   *context
	flags StreamFlags
	made  *judge.Call
}

func (s *stream) context() *context { return s.ctx }

// StreamCreate makes a stream. StreamNonBlocking, a stream that does not wait for the default
// stream, is stored but has no effect, because no work waits here.
func (t *Thread) StreamCreate(flags StreamFlags) (Stream, error) {
	return working(t, func(c *context) (Stream, error) {
		if flags&^StreamNonBlocking != 0 {
			return 0, ErrInvalidValue
		}
		s := Stream(t.d.handles.add(&stream{ctx: c, flags: flags, made: c.checkers.caller}))
		if flags&StreamNonBlocking != 0 {
			c.d.judge.StreamAlone(uintptr(c.handle), uintptr(s))
		}
		return s, nil
	})
}

// StreamGetFlags returns the flags a stream was made with; stream 0 has none.
func (t *Thread) StreamGetFlags(s Stream) (StreamFlags, error) {
	var flags StreamFlags
	err := t.stream(s, func(_ *context, s *stream) error {
		flags = s.flags
		return nil
	})
	return flags, err
}

// StreamGetPriority answers 0, the priority of all streams.
func (t *Thread) StreamGetPriority(s Stream) (int, error) {
	return 0, t.stream(s, func(*context, *stream) error { return nil })
}

// StreamWaitEvent makes later work of a stream wait for an event of any context. Flags must be 0.
// Work before the event is done when the event is recorded, so it never waits.
func (t *Thread) StreamWaitEvent(s Stream, e Event, flags uint32) error {
	var of Context
	err := t.stream(s, func(c *context, _ *stream) error {
		of = c.handle
		return c.fault
	})
	if err != nil {
		return err
	}
	if flags != 0 {
		return ErrInvalidValue
	}
	found, err := acquire[*event](t, uintptr(e))
	if err != nil {
		return err
	}
	found.ctx.mu.Unlock()
	t.d.judge.StreamWaits(uintptr(of), uintptr(s), uintptr(e))
	return nil
}

// StreamAddCallback calls call when the work in a stream is done, which is at once. CUDA calls in
// the callback answer ErrNotPermitted. Flags must be 0.
func (t *Thread) StreamAddCallback(s Stream, call func(), flags uint32) error {
	var of Context
	err := t.stream(s, func(c *context, _ *stream) error {
		of = c.handle
		return c.fault
	})
	if err != nil {
		return err
	}
	if flags != 0 {
		return ErrInvalidValue
	}
	t.d.judge.StreamAwaited(uintptr(of), uintptr(s))
	t.inCallback = true
	defer func() { t.inCallback = false }()
	call()
	return nil
}

// stream calls do with the stream s and its context, locked. Stream 0 belongs to the current
// context.
func (t *Thread) stream(s Stream, do func(*context, *stream) error) error {
	if s == 0 {
		c, err := t.enter()
		if err != nil {
			return err
		}
		defer c.mu.Unlock()
		return do(c, &stream{ctx: c})
	}
	found, err := acquire[*stream](t, uintptr(s))
	if err != nil {
		return err
	}
	defer found.ctx.mu.Unlock()
	return do(found.ctx, found)
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

// StreamQuery answers ErrNotReady while the stream has work, which never happens here.
func (t *Thread) StreamQuery(s Stream) error { return t.StreamSynchronize(s) }

// StreamSynchronize waits for the stream's work and reports the context's fault, if any.
func (t *Thread) StreamSynchronize(s Stream) error {
	return t.stream(s, func(c *context, _ *stream) error {
		c.d.judge.StreamAwaited(uintptr(c.handle), uintptr(s))
		return c.fault
	})
}

// checkStream returns an error unless s may be used for work of c. The caller holds c's lock.
func (c *context) checkStream(s Stream) error {
	if s == 0 {
		return nil
	}
	_, err := find[*stream](c, uintptr(s))
	return err
}
