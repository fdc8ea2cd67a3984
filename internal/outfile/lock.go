//go:build !js

package outfile

import (
	"os"
	"syscall"
)

// lock locks f until it is closed. Only a lock held elsewhere is an error.
func lock(f *os.File) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
		case syscall.EINTR:
		case syscall.EWOULDBLOCK:
			return errTaken
		default:
			return nil
		}
	}
}
