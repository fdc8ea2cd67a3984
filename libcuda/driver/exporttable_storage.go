package driver

// Destructor is called when a context with a stored value ends. No lock is held then, and the
// context is invalid already.
type Destructor func(ctx Context, key, value uintptr)

// stored is a value that the runtime library stores in a context.
type stored struct {
	value   uintptr
	destroy Destructor // nil for none
}

// ContextStoragePut stores a value in ctx (0 is the current context) under a key of the caller's.
// It replaces an earlier value. destroy, unless nil, is called if the context is destroyed while it
// has the value.
func (t *Thread) ContextStoragePut(ctx Context, key, value uintptr, destroy Destructor) error {
	return t.storage(ctx, func(c *context) error {
		if c.storage == nil {
			c.storage = map[uintptr]stored{}
		}
		c.storage[key] = stored{value, destroy}
		return nil
	})
}

// ContextStorageDelete removes the value under key from ctx (0 is the current context).
func (t *Thread) ContextStorageDelete(ctx Context, key uintptr) error {
	return t.storage(ctx, func(c *context) error {
		if _, ok := c.storage[key]; !ok {
			return ErrInvalidHandle
		}
		delete(c.storage, key)
		return nil
	})
}

// ContextStorageGet returns the value under key in ctx (0 is the current context), or
// ErrInvalidHandle if there is none.
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

// storage calls do with ctx, locked. A context with a fault still has its storage.
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

// takeStorage removes all values and returns a function that calls their destructors. The caller
// holds the lock, and calls the function after releasing it.
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
