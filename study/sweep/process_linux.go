package sweep

import "syscall"

// child makes the process of a cell lead a group of its own, and end with the sweep: jacquard exec
// passes the signal on to its program. The thread that starts the child must live as long.
func child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
