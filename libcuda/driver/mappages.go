//go:build !js

package driver

import "syscall"

// mapPages returns size bytes of zeros, in whole pages.
func mapPages(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

// unmapPages gives back what mapPages returned.
func unmapPages(b []byte) error {
	if err := syscall.Munmap(b); err != nil {
		return ErrOperatingSystem
	}
	return nil
}
