//go:build !linux

package sweep

import "syscall"

// child has nothing to ask for here.
func child() *syscall.SysProcAttr { return nil }
