package driver

import "jacquard/libcuda/driver/judge"

// top returns the current context, or nil. The caller holds Driver.mu.
func (t *Thread) top() *context {
	if len(t.stack) == 0 {
		return nil
	}
	return t.stack[len(t.stack)-1]
}

// push makes c current. The caller holds Driver.mu.
func (t *Thread) push(c *context) {
	t.stack = append(t.stack, c)
	c.current++
}

// pop removes the current context from the stack. The caller holds Driver.mu; the stack is not
// empty.
func (t *Thread) pop() *context {
	last := len(t.stack) - 1
	c := t.stack[last]
	t.stack = t.stack[:last]
	c.current--
	return c
}

// places returns how often c is on t's stack. The caller holds Driver.mu.
func (t *Thread) places(c *context) int {
	n := 0
	for _, s := range t.stack {
		if s == c {
			n++
		}
	}
	return n
}

// current returns the calling thread's current context. The context may be destroyed already.
func (t *Thread) current() (*context, error) {
	if err := t.initialized(); err != nil {
		return nil, err
	}
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	c := t.top()
	if c == nil {
		return nil, ErrInvalidContext
	}
	return c, nil
}

// enter returns the current context, locked: the caller unlocks it.
func (t *Thread) enter() (*context, error) {
	c, err := t.current()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	if c.dead {
		c.mu.Unlock()
		return nil, ErrContextIsDestroyed
	}
	c.checkers.caller = t.d.judge.Call(&t.calls)
	return c, nil
}

// work is enter for calls that need a sound context: one without a fault.
func (t *Thread) work() (*context, error) {
	c, err := t.enter()
	if err != nil {
		return nil, err
	}
	if err := c.fault; err != nil {
		c.mu.Unlock()
		return nil, err
	}
	return c, nil
}

// working returns do's answer for the current context, locked and sound.
func working[T any](t *Thread, do func(*context) (T, error)) (none T, err error) {
	c, err := t.work()
	if err != nil {
		return none, err
	}
	defer c.mu.Unlock()
	return do(c)
}

// sound is working for functions without an answer.
func (t *Thread) sound(do func(*context) error) error {
	c, err := t.work()
	if err != nil {
		return err
	}
	defer c.mu.Unlock()
	return do(c)
}

// owned calls do with an object of the current context, locked and sound.
func owned[T object](t *Thread, token uintptr, do func(*context, T) error) error {
	return t.sound(func(c *context) error {
		found, err := find[T](c, token)
		if err != nil {
			return err
		}
		return do(c, found)
	})
}

// entered is working for calls that do not need a sound context.
func entered[T any](t *Thread, do func(*context) (T, error)) (none T, err error) {
	c, err := t.enter()
	if err != nil {
		return none, err
	}
	defer c.mu.Unlock()
	return do(c)
}

// with calls do with the context ctx, holding Driver.mu.
func (t *Thread) with(ctx Context, do func(*context) error) error {
	if err := t.initialized(); err != nil {
		return err
	}
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	c, ok := t.d.handles.get(uintptr(ctx)).(*context)
	if !ok {
		return ErrInvalidContext
	}
	return do(c)
}

// destroy ends ctx if allow returns true; allow is called with Driver.mu held. Primary contexts are
// released, not destroyed.
func (t *Thread) destroy(ctx Context, allow func(*context) bool) error {
	var gone *context
	err := t.with(ctx, func(c *context) error {
		if c.device.primary == c || !allow(c) {
			return ErrInvalidContext
		}
		gone = c
		t.withdraw(c)
		return nil
	})
	if err != nil {
		return err
	}
	gone.end()
	return nil
}

// withdraw removes c from the driver's list, so that no other thread ends it too, and pops it if it
// is current to the calling thread. The caller holds Driver.mu, and calls end after releasing it.
func (t *Thread) withdraw(c *context) {
	t.d.handles.remove(uintptr(c.handle))
	if c.device.primary == c {
		c.device.primary = nil
	}
	if t.top() == c {
		t.pop()
	}
}

// end releases everything that a withdrawn context owns, after its running launch.
func (c *context) end() {
	c.mu.Lock()
	c.dead = true
	tell(c, ContextEnds{c.handle})
	finish := c.empty()
	c.mu.Unlock()
	finish()
}

// reset empties a context that stays alive.
func (c *context) reset() {
	c.mu.Lock()
	tell(c, ContextEmpties{c.handle})
	finish := c.empty()
	c.space, c.pages, c.owned = c.d.space(c.device), map[uintptr][]byte{}, map[uint32]bool{}
	c.checkers.forget(c.d)
	c.place()
	c.fault = nil
	c.mu.Unlock()
	finish()
}

// empty releases everything that c owns. The caller holds the lock, and calls the result after
// releasing it.
func (c *context) empty() func() {
	for _, l := range c.d.handles.removeOwned(c) {
		if err := l.free(); err != nil {
			c.d.log.Error("link: %v", err)
		}
	}
	host := c.d.host.takeOwned(c)
	for _, b := range c.pages {
		c.release(b)
	}
	c.owned, c.space, c.buffers, c.checkers.blocks = nil, nil, nil, judge.Blocks{}
	c.d.judge.Forget(uintptr(c.handle))
	tellOwners := c.takeStorage()
	return func() {
		for _, b := range host {
			if err := b.end(); err != nil {
				c.d.log.Error("host memory: %v", err)
			}
		}
		tellOwners()
	}
}
