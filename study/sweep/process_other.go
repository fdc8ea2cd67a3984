//go:build !linux

package sweep

import "syscall"

// child makes the process of a cell lead a group of its own.
func child() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
