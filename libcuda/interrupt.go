package main

// #include "server.h"
import "C"

import "sync"

// interrupts makes the interrupt key end launches instead of the process, while launches run and if the program
// has not decided what the key does.
var interrupts interruptKey

// interruptKey catches SIGINT while launches run. The zero value is ready for use.
type interruptKey struct {
	mu       sync.Mutex
	watchers int
	caught   bool      // SIGINT is ours at present
	waiter   sync.Once // waits for SIGINT from the first launch on
}

// watch begins a launch: until the returned function is called SIGINT calls stop. The last launch that ends gives
// the signal its default meaning back.
func (k *interruptKey) watch(stop func()) (end func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.watchers++
	if k.watchers == 1 && C.jacquard_catch_interrupt() != 0 {
		k.caught = true
		k.waiter.Do(func() {
			go func() {
				for {
					C.jacquard_await_interrupt()
					stop()
				}
			}()
		})
	}
	return k.end
}

func (k *interruptKey) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.watchers--
	if k.watchers == 0 && k.caught {
		C.jacquard_release_interrupt()
		k.caught = false
	}
}
