package driver

// DeviceCanAccessPeer answers no for two devices, since boards of sm_1x reach only their own
// memory, and ErrInvalidDevice if both are the same.
func (t *Thread) DeviceCanAccessPeer(dev, peer Device) (bool, error) {
	if _, err := t.device(dev); err != nil {
		return false, err
	}
	if _, err := t.device(peer); err != nil {
		return false, err
	}
	if dev == peer {
		return false, ErrInvalidDevice
	}
	return false, nil
}

// CtxEnablePeerAccess answers ErrPeerAccessUnsupported, or ErrInvalidContext without another
// context.
func (t *Thread) CtxEnablePeerAccess(peer Context, flags uint32) error {
	if err := t.peer(peer); err != nil {
		return err
	}
	if flags != 0 {
		return ErrInvalidValue
	}
	return ErrPeerAccessUnsupported
}

// CtxDisablePeerAccess answers ErrPeerAccessNotEnabled, or ErrInvalidContext without another
// context.
func (t *Thread) CtxDisablePeerAccess(peer Context) error {
	if err := t.peer(peer); err != nil {
		return err
	}
	return ErrPeerAccessNotEnabled
}

// peer checks that there is a current context and that peer is another.
func (t *Thread) peer(peer Context) error {
	current, err := t.current()
	if err != nil {
		return err
	}
	return t.with(peer, func(c *context) error {
		if c == current {
			return ErrInvalidContext
		}
		return nil
	})
}
