package driver

import (
	"fmt"
	"strconv"
	"strings"
)

// busID is a device's place in the machine.
type busID struct{ domain, bus, device, function int }

func (d *device) busID() busID {
	return busID{d.attribute(AttributePCIDomainID), d.attribute(AttributePCIBusID), d.attribute(AttributePCIDeviceID), 0}
}

// String returns the form that DeviceGetPCIBusId answers.
func (b busID) String() string {
	return fmt.Sprintf("%04x:%02x:%02x.%x", b.domain, b.bus, b.device, b.function)
}

// parseBusID reads hexadecimal domain:bus:device.function, domain:bus:device or
// bus:device.function.
func parseBusID(s string) (b busID, ok bool) {
	place, function, hasFunction := strings.Cut(s, ".")
	parts := strings.Split(place, ":")
	if len(parts) == 2 && hasFunction {
		parts = append([]string{"0"}, parts...)
	}
	if len(parts) != 3 {
		return b, false
	}
	if !hasFunction {
		function = "0"
	}
	for i, field := range []*int{&b.domain, &b.bus, &b.device, &b.function} {
		n, err := strconv.ParseUint(append(parts, function)[i], 16, 16)
		if err != nil {
			return b, false
		}
		*field = int(n)
	}
	return b, true
}

// DeviceGetPCIBusId returns dev's place on the bus, "0000:01:00.0".
func (t *Thread) DeviceGetPCIBusId(dev Device) (string, error) {
	return of(t, dev, func(d *device) string { return d.busID().String() })
}

// DeviceGetByPCIBusId returns the device at a place on the bus, given as hexadecimal
// domain:bus:device.function, domain:bus:device or bus:device.function. It answers ErrInvalidValue
// for another form and ErrInvalidDevice if nothing is there.
func (t *Thread) DeviceGetByPCIBusId(id string) (Device, error) {
	if err := t.initialized(); err != nil {
		return 0, err
	}
	place, ok := parseBusID(id)
	if !ok {
		return 0, ErrInvalidValue
	}
	for _, d := range t.d.devices {
		if d.busID() == place {
			return d.ordinal, nil
		}
	}
	return 0, ErrInvalidDevice
}

// DeviceGetUuid returns 16 bytes that differ between devices and are the same in every run.
func (t *Thread) DeviceGetUuid(dev Device) ([16]byte, error) {
	return of(t, dev, func(d *device) [16]byte {
		return [16]byte{0: 'j', 'a', 'c', 'q', 'u', 'a', 'r', 'd', 14: byte(d.model.arch), 15: byte(d.ordinal)}
	})
}
