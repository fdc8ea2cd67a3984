package nvcc

import (
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
)

// ending are the signals that end nvcc, unless the parent process ignores them.
var ending = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// interruption ends nvcc by the signal that it gets: after the program that runs, which gets the
// signal too, and without the folder between the steps.
type interruption struct {
	signals chan os.Signal
	remove  func()

	held  sync.Mutex // while a program starts, has ended, or everything ends
	child *os.Process
	ended chan struct{} // is closed when the child has ended
}

// interruptible starts to listen.
func interruptible(remove func()) *interruption {
	i := &interruption{signals: make(chan os.Signal, 1), remove: remove}
	for _, s := range ending {
		if !signal.Ignored(s) {
			signal.Notify(i.signals, s)
		}
	}
	go i.listen()
	return i
}

// stop ends the listening.
func (i *interruption) stop() {
	signal.Stop(i.signals)
	close(i.signals)
}

func (i *interruption) listen() {
	s, ok := <-i.signals
	if !ok {
		return
	}
	i.held.Lock() // for good: no step follows
	if i.child != nil {
		i.child.Signal(s)
		<-i.ended
	}
	i.remove()
	signal.Reset(s)
	syscall.Kill(os.Getpid(), s.(syscall.Signal))
}

// run runs a program.
func (i *interruption) run(c *exec.Cmd) error {
	i.held.Lock()
	err := c.Start()
	if err == nil {
		i.child, i.ended = c.Process, make(chan struct{})
	}
	i.held.Unlock()
	if err != nil {
		return err
	}
	err = c.Wait()
	close(i.ended)
	i.held.Lock()
	i.child = nil
	i.held.Unlock()
	return err
}
