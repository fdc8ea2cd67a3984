package driver

// The runtime library works in a device's primary context. The first retain makes it, and the last
// release destroys it; CtxAttach and CtxDetach count, too. The device keeps its flags for the next
// one.

// DevicePrimaryCtxRetain returns dev's primary context, and makes it if there is none. The context
// does not become current.
func (t *Thread) DevicePrimaryCtxRetain(dev Device) (Context, error) {
	device, err := t.device(dev)
	if err != nil {
		return 0, err
	}
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	if device.primary == nil {
		device.primary = t.d.newContext(device, device.primaryFlags, 3020)
		device.primary.usage, device.retained = device.retained, 0
	}
	device.primary.usage++
	return device.primary.handle, nil
}

// DevicePrimaryCtxRelease undoes one retain, and destroys the context with the last. It answers
// ErrInvalidContext if there is no primary context.
func (t *Thread) DevicePrimaryCtxRelease(dev Device) error {
	return t.endPrimary(dev, func(d *device) (last bool, err error) {
		switch {
		case d.primary != nil:
			d.primary.usage--
			return d.primary.usage == 0, nil
		case d.retained > 0:
			d.retained--
			return false, nil
		}
		return false, ErrInvalidContext
	})
}

// DevicePrimaryCtxReset destroys the primary context, even one in use; the next retain makes
// another. Without a primary context it does nothing. A reset releases no reference, as NVIDIA's
// manual says: other holders may still release theirs.
func (t *Thread) DevicePrimaryCtxReset(dev Device) error {
	return t.endPrimary(dev, func(d *device) (last bool, err error) {
		if d.primary != nil {
			d.retained = d.primary.usage
		}
		return d.primary != nil, nil
	})
}

// endPrimary destroys dev's primary context if last returns true; last is called with Driver.mu
// held.
func (t *Thread) endPrimary(dev Device, last func(*device) (bool, error)) error {
	device, err := t.device(dev)
	if err != nil {
		return err
	}
	gone, err := t.withdrawPrimary(device, last)
	if gone != nil {
		gone.end()
	}
	return err
}

func (t *Thread) withdrawPrimary(device *device, last func(*device) (bool, error)) (gone *context, err error) {
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	c := device.primary
	if ends, err := last(device); err != nil || !ends {
		return nil, err
	}
	t.withdraw(c)
	return c, nil
}

// DevicePrimaryCtxSetFlags sets the flags of dev's next primary context. It answers
// ErrPrimaryContextActive while there is one.
func (t *Thread) DevicePrimaryCtxSetFlags(dev Device, flags ContextFlags) error {
	device, err := t.device(dev)
	if err != nil {
		return err
	}
	if !flags.valid() {
		return ErrInvalidValue
	}
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	if device.primary != nil {
		return ErrPrimaryContextActive
	}
	device.primaryFlags = flags
	return nil
}

// DevicePrimaryCtxGetState returns the flags of dev's primary context, or of the next one, and
// whether there is one.
func (t *Thread) DevicePrimaryCtxGetState(dev Device) (flags ContextFlags, active bool, err error) {
	device, err := t.device(dev)
	if err != nil {
		return 0, false, err
	}
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	return device.primaryFlags, device.primary != nil, nil
}

// primaryWith returns the primary context for which has returns true, locked: the caller unlocks
// it. The lock is held during has. Without such a context the answer is ErrInvalidContext.
//
// Later drivers know the owner of an address. numba (0.56) relies on it when it resets a device.
func (t *Thread) primaryWith(has func(*context) bool) (*context, error) {
	var primaries []*context
	t.d.mu.Lock()
	for _, device := range t.d.devices {
		if device.primary != nil {
			primaries = append(primaries, device.primary)
		}
	}
	t.d.mu.Unlock()
	for _, c := range primaries {
		c.mu.Lock()
		if !c.dead && has(c) && c.fault == nil {
			c.checkers.caller = t.d.judge.Call(&t.calls)
			return c, nil
		}
		c.mu.Unlock()
	}
	return nil, ErrInvalidContext
}
