//go:build !linux

package driver

// preferHuge does nothing here.
func preferHuge([]byte) {}
