package driver

// Destructor is told that a value goes away with its context. It is called without any lock held,
// after the context has become invalid.
type Destructor func(ctx Context, key, value uintptr)

// stored is a value that the runtime library keeps with a context.
type stored struct {
	value   uintptr
	destroy Destructor // nil for none
}

// ContextStoragePut keeps a value with ctx, 0 for the current context, under a key of the caller's.
// destroy, unless it is nil, is called when the context is destroyed while it has the value. A
// value that was there is replaced.
func (t *Thread) ContextStoragePut(ctx Context, key, value uintptr, destroy Destructor) error {
	return t.storage(ctx, func(c *context) error {
		if c.storage == nil {
			c.storage = map[uintptr]stored{}
		}
		c.storage[key] = stored{value, destroy}
		return nil
	})
}

// ContextStorageDelete forgets the value of ctx, 0 for the current context, under key.
func (t *Thread) ContextStorageDelete(ctx Context, key uintptr) error {
	return t.storage(ctx, func(c *context) error {
		if _, ok := c.storage[key]; !ok {
			return ErrInvalidHandle
		}
		delete(c.storage, key)
		return nil
	})
}

// ContextStorageGet returns what ctx, 0 for the current context, has under key, or ErrInvalidHandle
// if nothing has been put there.
func (t *Thread) ContextStorageGet(ctx Context, key uintptr) (value uintptr, err error) {
	err = t.storage(ctx, func(c *context) error {
		s, ok := c.storage[key]
		if !ok {
			return ErrInvalidHandle
		}
		value = s.value
		return nil
	})
	return value, err
}

// storage calls do with the context that ctx means, locked. A context that a kernel has ruined
// still has its storage.
func (t *Thread) storage(ctx Context, do func(*context) error) error {
	if ctx == 0 {
		c, err := t.enter()
		if err != nil {
			return err
		}
		defer c.mu.Unlock()
		return do(c)
	}
	var c *context
	err := t.with(ctx, func(found *context) error {
		c = found
		return nil
	})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead {
		return ErrContextIsDestroyed
	}
	return do(c)
}

// takeStorage removes all values and returns a function that tells their owners. The caller holds
// the lock, and calls the function after releasing it.
func (c *context) takeStorage() func() {
	gone := c.storage
	c.storage = nil
	return func() {
		for key, s := range gone {
			if s.destroy != nil {
				s.destroy(c.handle, key, s.value)
			}
		}
	}
}
