package driver

// Init starts the driver; the other methods except DriverGetVersion answer ErrNotInitialized
// before it. Flags must be 0. A knob with a bad value makes every Init fail, with one log line.
func (t *Thread) Init(flags uint32) error {
	if flags != 0 {
		return ErrInvalidValue
	}
	d := t.d
	d.start.Do(func() { d.failure = d.open() })
	return d.failure
}

func (d *Driver) open() error {
	s, err := d.config.parse()
	if err != nil {
		d.log.error("cuInit: %v", err)
		return ErrInvalidValue
	}
	d.settings = s
	d.log.level = s.log
	if err := d.summary.open(s.summary); err != nil {
		d.log.error("cuInit: %v", err)
		return ErrInvalidValue
	}
	if err := d.openTrace(s.trace); err != nil {
		d.log.error("cuInit: %v", err)
		return ErrInvalidValue
	}
	if err := d.openWitness(); err != nil {
		d.log.error("cuInit: %v", err)
		return ErrInvalidValue
	}
	if err := d.openRecord(s.record); err != nil {
		d.log.error("cuInit: %v", err)
		return ErrInvalidValue
	}
	if err := d.openStats(); err != nil {
		d.log.error("cuInit: %v", err)
		return ErrInvalidValue
	}
	for i, m := range s.models {
		d.devices = append(d.devices, &device{ordinal: Device(i), model: m})
		d.log.info("device %d is a simulated %s (%s)", i, m.name, m.arch)
	}
	d.summary.init(d)
	d.ready.Store(true)
	return nil
}

// DriverGetVersion returns Version. It works before Init.
func (t *Thread) DriverGetVersion() (int, error) { return Version, nil }

// initialized answers ErrNotInitialized before Init has succeeded, and ErrNotPermitted inside a stream's callback.
func (t *Thread) initialized() error {
	if t.inCallback {
		return ErrNotPermitted
	}
	if !t.d.ready.Load() {
		return ErrNotInitialized
	}
	return nil
}

// NotSupported is every function of the API that this driver does not have: it logs the
// function's name the first time and answers ErrNotSupported.
func (t *Thread) NotSupported(function string) error {
	if err := t.initialized(); err != nil {
		return err
	}
	t.d.log.once("%s is not supported", function)
	return ErrNotSupported
}
