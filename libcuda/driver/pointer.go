package driver

// PointerGetAttribute returns attribute a of ptr: a device address of the current context, or the
// address of host memory that it allocated or registered. This hardware has no common address
// space, so a number may be both; the device comes first. The value is a handle, an address or a
// MemoryType. PointerP2pTokens, for later hardware, and attributes that the pointer does not have
// answer ErrInvalidValue.
func (t *Thread) PointerGetAttribute(a PointerAttribute, ptr uint64) (uint64, error) {
	return entered(t, func(c *context) (uint64, error) {
		p, ok := c.pointer(ptr)
		if !ok {
			return 0, ErrInvalidValue
		}
		value, ok := p.attribute(a)
		if !ok {
			return 0, ErrInvalidValue
		}
		return value, nil
	})
}

// PointerGetAttributes returns several attributes at once. The value is 0 where
// PointerGetAttribute fails; an unknown attribute is an error.
func (t *Thread) PointerGetAttributes(list []PointerAttribute, ptr uint64) ([]uint64, error) {
	return entered(t, func(c *context) ([]uint64, error) {
		values := make([]uint64, len(list))
		p, known := c.pointer(ptr)
		for i, a := range list {
			if a < PointerContext || a > PointerP2pTokens {
				return nil, ErrInvalidValue
			}
			if known {
				values[i], _ = p.attribute(a)
			}
		}
		return values, nil
	})
}

// pointer has the attributes of an address; 0 means none.
type pointer struct {
	owner  *context
	kind   MemoryType
	device uint64
	host   uint64
}

// attribute returns the value of a; ok is false if the pointer has no such attribute.
func (p *pointer) attribute(a PointerAttribute) (value uint64, ok bool) {
	switch a {
	case PointerContext:
		value = uint64(p.owner.handle)
	case PointerMemoryType:
		value = uint64(p.kind)
	case PointerDevicePointer:
		value = p.device
	case PointerHostPointer:
		value = p.host
	}
	return value, value != 0
}

// pointer returns the attributes of ptr. The caller holds c's lock.
func (c *context) pointer(ptr uint64) (pointer, bool) {
	if addr, ok := address(DevicePtr(ptr)); ok && c.space != nil {
		if _, _, ok := c.space.Range(addr); ok {
			p := pointer{owner: c, kind: MemoryDevice, device: ptr}
			if at, ok := c.d.host.hostAddress(c, addr); ok {
				p.kind, p.host = MemoryHost, uint64(at)
			}
			return p, true
		}
	}
	if ptr != uint64(uintptr(ptr)) {
		return pointer{}, false
	}
	b := c.d.host.find(uintptr(ptr))
	if b == nil || !b.usable(c) {
		return pointer{}, false
	}
	p := pointer{owner: b.owner, kind: MemoryHost, host: ptr}
	if device, err := c.d.host.devicePointer(c, uintptr(ptr)); err == nil {
		p.device = uint64(device)
	}
	return p, true
}
