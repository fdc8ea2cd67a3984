package driver

import (
	"time"

	"jacquard/libcuda/driver/judge"
)

// event is a point in a stream.
type event struct {
	ctx      *context
	flags    EventFlags
	recorded time.Time // zero before EventRecord
	made     *judge.Call
}

func (e *event) context() *context { return e.ctx }

// EventCreate makes an event. EventInterprocess is not supported.
func (t *Thread) EventCreate(flags EventFlags) (Event, error) {
	return working(t, func(c *context) (Event, error) {
		if flags&^(EventBlockingSync|EventDisableTiming|EventInterprocess) != 0 {
			return 0, ErrInvalidValue
		}
		if flags&EventInterprocess != 0 {
			return 0, t.NotSupported("cuEventCreate with CU_EVENT_INTERPROCESS")
		}
		return Event(t.d.handles.add(&event{ctx: c, flags: flags, made: c.checkers.caller})), nil
	})
}

// EventDestroy destroys an event of any context.
func (t *Thread) EventDestroy(e Event) error {
	found, err := acquire[*event](t, uintptr(e))
	if err != nil {
		return err
	}
	defer found.ctx.mu.Unlock()
	t.d.handles.remove(uintptr(e))
	return nil
}

// EventRecord marks the present end of a stream. Event and stream must be of one context, for
// stream 0 the current one.
func (t *Thread) EventRecord(e Event, s Stream) error {
	c, err := t.work()
	if err != nil {
		return err
	}
	if s != 0 {
		c.mu.Unlock()
		found, err := acquire[*stream](t, uintptr(s))
		if err != nil {
			return err
		}
		c = found.ctx
	}
	defer c.mu.Unlock()
	found, err := find[*event](c, uintptr(e))
	if err != nil {
		return err
	}
	if c.fault != nil {
		return c.fault
	}
	found.recorded = time.Now()
	c.d.judge.EventRecorded(uintptr(e), uintptr(c.handle), uintptr(s))
	return nil
}

// EventQuery answers ErrNotReady while work before the event runs, which never happens here. An
// event that was not recorded is done.
func (t *Thread) EventQuery(e Event) error { return t.EventSynchronize(e) }

// EventSynchronize waits for the work before the event and reports the context's fault, if any.
func (t *Thread) EventSynchronize(e Event) error {
	found, err := acquire[*event](t, uintptr(e))
	if err != nil {
		return err
	}
	defer found.ctx.mu.Unlock()
	t.d.judge.EventAwaited(uintptr(e), uintptr(found.ctx.handle))
	return found.ctx.fault
}

// EventElapsedTime returns the milliseconds between two events by the host's clock: the simulator's
// time, not the hardware's. It answers ErrInvalidHandle if an event was not recorded, or has
// EventDisableTiming.
func (t *Thread) EventElapsedTime(start, end Event) (float32, error) {
	from, err := t.timestamp(start)
	if err != nil {
		return 0, err
	}
	to, err := t.timestamp(end)
	if err != nil {
		return 0, err
	}
	return float32(to.Sub(from).Seconds() * 1e3), nil
}

// timestamp returns when e was recorded.
func (t *Thread) timestamp(e Event) (time.Time, error) {
	found, err := acquire[*event](t, uintptr(e))
	if err != nil {
		return time.Time{}, err
	}
	defer found.ctx.mu.Unlock()
	if found.ctx.fault != nil {
		return time.Time{}, found.ctx.fault
	}
	if found.recorded.IsZero() || found.flags&EventDisableTiming != 0 {
		return time.Time{}, ErrInvalidHandle
	}
	return found.recorded, nil
}
