package main

// #include "server.h"
import "C"

import (
	"sync"
	"time"
)

// interrupts makes the interrupt key end launches instead of the process, while launches run and
// unless the program has set an action for the key.
var interrupts interruptKey

// interruptKey catches SIGINT while launches run. The zero value is ready for use.
type interruptKey struct {
	mu     sync.Mutex
	calls  map[uint64]bool // calls that launch, by number
	last   uint64          // number of a call
	caught bool            // the simulator catches SIGINT at present
	waiter sync.Once       // waits for SIGINT from the first launch on
}

// watch begins a call that launches: SIGINT calls stop until end is called. The end of the last
// such call restores the signal's default action.
func (k *interruptKey) watch(stop func()) (end func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.calls == nil {
		k.calls = map[uint64]bool{}
	}
	k.last++
	call := k.last
	k.calls[call] = true
	if len(k.calls) == 1 && C.jacquard_catch_interrupt() != 0 {
		k.caught = true
		k.waiter.Do(func() { go k.wait(stop) })
	}
	return func() { k.end(call) }
}

// wait stops the calls under way at each SIGINT. A call may not have reached its launch when the
// signal comes, so wait calls stop until each of them has ended.
func (k *interruptKey) wait(stop func()) {
	for {
		C.jacquard_await_interrupt()
		k.mu.Lock()
		last := k.last
		k.mu.Unlock()
		for k.under(last) {
			stop()
			time.Sleep(time.Millisecond)
		}
	}
}

// under reports whether a call with a number up to last is under way.
func (k *interruptKey) under(last uint64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for call := range k.calls {
		if call <= last {
			return true
		}
	}
	return false
}

func (k *interruptKey) end(call uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.calls, call)
	if len(k.calls) == 0 && k.caught {
		C.jacquard_release_interrupt()
		k.caught = false
	}
}
