package driver

import "jacquard/tesla"

// Device is a device's ordinal.
type Device int

// model is a kind of board.
type model struct {
	key        string // its word in the device knob
	name       string
	arch       tesla.Arch
	memory     uint64 // bytes
	attributes [lastAttribute + 1]int32
}

// largestModel returns the model with the most memory.
func largestModel() *model {
	largest := &models[0]
	for i := range models {
		if models[i].memory > largest.memory {
			largest = &models[i]
		}
	}
	return largest
}

// modelOf returns the model with the word key in the device knob, or nil.
func modelOf(key string) *model {
	for i := range models {
		if models[i].key == key {
			return &models[i]
		}
	}
	return nil
}

// ModelFor returns the word in the device knob of a device of an architecture, "" if there is none.
func ModelFor(a tesla.Arch) string {
	for i := range models {
		if models[i].arch == a {
			return models[i].key
		}
	}
	return ""
}

// ArchOf returns the architecture of a word in the device knob. It reports false for another word.
func ArchOf(key string) (tesla.Arch, bool) {
	m := modelOf(key)
	if m == nil {
		return 0, false
	}
	return m.arch, true
}

// device is one board.
type device struct {
	ordinal Device
	model   *model
	warp    int // lanes

	// Guarded by Driver.mu.
	primary      *context // nil unless it is retained
	retained     int      // retains of primary contexts that were reset, and not released since
	primaryFlags ContextFlags
}

// attribute returns a's value. The boards differ only in their place on the bus. A warp is as wide as
// the divergence policy makes it.
func (d *device) attribute(a DeviceAttribute) int {
	value := int(d.model.attributes[a])
	switch a {
	case AttributePCIBusID:
		value += int(d.ordinal)
	case AttributeWarpSize:
		value = d.warp
	}
	return value
}

// attributeVersion is an attribute that cuda.h lacks: the runtime library 2.1 asks for it, and
// refuses a driver that answers less than 2010.
const attributeVersion DeviceAttribute = 0x20080403

// device returns the device dev.
func (t *Thread) device(dev Device) (*device, error) {
	if err := t.initialized(); err != nil {
		return nil, err
	}
	if dev < 0 || int(dev) >= len(t.d.devices) {
		return nil, ErrInvalidDevice
	}
	return t.d.devices[dev], nil
}

// of returns a property of the device dev.
func of[T any](t *Thread, dev Device, get func(*device) T) (none T, err error) {
	d, err := t.device(dev)
	if err != nil {
		return none, err
	}
	return get(d), nil
}

// DeviceGetCount returns the number of devices.
func (t *Thread) DeviceGetCount() (int, error) {
	if err := t.initialized(); err != nil {
		return 0, err
	}
	return len(t.d.devices), nil
}

// DeviceGet returns the device with this ordinal, or ErrInvalidDevice.
func (t *Thread) DeviceGet(ordinal int) (Device, error) {
	return of(t, Device(ordinal), func(d *device) Device { return d.ordinal })
}

// DeviceGetName returns the board's name.
func (t *Thread) DeviceGetName(dev Device) (string, error) {
	return of(t, dev, func(d *device) string { return d.model.name })
}

// DeviceComputeCapability returns the major and minor number of the device's architecture.
func (t *Thread) DeviceComputeCapability(dev Device) (major, minor int, err error) {
	d, err := t.device(dev)
	if err != nil {
		return 0, 0, err
	}
	return d.attribute(AttributeComputeCapabilityMajor), d.attribute(AttributeComputeCapabilityMinor), nil
}

// DeviceTotalMem returns the device's memory in bytes. It is less than 4 GiB.
func (t *Thread) DeviceTotalMem(dev Device) (uint64, error) {
	return of(t, dev, func(d *device) uint64 { return d.model.memory })
}

// DeviceGetAttribute returns an attribute's value, 0 for features of later hardware. It answers
// ErrInvalidValue if there is no such attribute.
func (t *Thread) DeviceGetAttribute(a DeviceAttribute, dev Device) (int, error) {
	d, err := t.device(dev)
	if err != nil {
		return 0, err
	}
	if a == attributeVersion {
		return Version, nil
	}
	if a < 1 || a > lastAttribute {
		return 0, ErrInvalidValue
	}
	return d.attribute(a), nil
}

// Properties are the answer of DeviceGetProperties, in the order of the C structure.
type Properties struct {
	MaxThreadsPerBlock  int
	MaxThreadsDim       [3]int
	MaxGridSize         [3]int
	SharedMemPerBlock   int
	TotalConstantMemory int
	SIMDWidth           int
	MemPitch            int
	RegsPerBlock        int
	ClockRate           int // kHz
	TextureAlign        int
}

// DeviceGetProperties returns the properties from which runtime libraries take their launch limits.
func (t *Thread) DeviceGetProperties(dev Device) (Properties, error) {
	return of(t, dev, func(d *device) Properties {
		return Properties{
			MaxThreadsPerBlock:  d.attribute(AttributeMaxThreadsPerBlock),
			MaxThreadsDim:       [3]int{d.attribute(AttributeMaxBlockDimX), d.attribute(AttributeMaxBlockDimY), d.attribute(AttributeMaxBlockDimZ)},
			MaxGridSize:         [3]int{d.attribute(AttributeMaxGridDimX), d.attribute(AttributeMaxGridDimY), d.attribute(AttributeMaxGridDimZ)},
			SharedMemPerBlock:   d.attribute(AttributeMaxSharedMemoryPerBlock),
			TotalConstantMemory: d.attribute(AttributeTotalConstantMemory),
			SIMDWidth:           d.attribute(AttributeWarpSize),
			MemPitch:            d.attribute(AttributeMaxPitch),
			RegsPerBlock:        d.attribute(AttributeMaxRegistersPerBlock),
			ClockRate:           d.attribute(AttributeClockRate),
			TextureAlign:        d.attribute(AttributeTextureAlignment),
		}
	})
}
