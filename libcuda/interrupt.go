package main

// #include "interrupt.h"
import "C"

import (
	"os"
	"os/signal"
	"sync"
)

// interrupts makes the interrupt key end launches instead of the process, while launches run and if the program
// has not decided what the key does.
var interrupts interruptKey

// interruptKey catches SIGINT for whoever watches. The zero value is ready for use.
type interruptKey struct {
	mu       sync.Mutex
	watchers int
	caught   chan os.Signal // nil unless SIGINT is ours at present
}

// watch begins a launch: until the returned function is called SIGINT calls stop. The last launch that ends gives
// the signal its default meaning back.
func (k *interruptKey) watch(stop func()) (end func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.watchers++
	if k.watchers == 1 && C.jacquard_interrupt_is_default() != 0 {
		caught := make(chan os.Signal, 1)
		signal.Notify(caught, os.Interrupt)
		go func() {
			for range caught {
				stop()
			}
		}()
		k.caught = caught
	}
	return k.end
}

func (k *interruptKey) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.watchers--
	if k.watchers == 0 && k.caught != nil {
		signal.Stop(k.caught)
		close(k.caught)
		k.caught = nil
	}
}
