package sweep

import "syscall"

// child makes the process of a cell end with the sweep: jacquard exec passes the signal on to its
// program. The thread that starts the child must live as long.
func child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
