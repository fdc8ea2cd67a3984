//go:build !js

package outfile

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// readerWait is how long a named pipe waits for a reader. A wait without an end could not be
// interrupted: the program's signals are the program's.
const readerWait = 10 * time.Second

// openSpecial opens a device or a pipe to write.
func openSpecial(name string) (*os.File, error) {
	for begin := time.Now(); ; time.Sleep(readerWait / 1000) {
		f, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		switch {
		case !errors.Is(err, syscall.ENXIO):
			return f, err
		case time.Since(begin) > readerWait:
			return nil, &os.PathError{Op: "open", Path: name, Err: errors.New("nobody reads this pipe")}
		}
	}
}
