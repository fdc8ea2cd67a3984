package main

// #include "server.h"
import "C"

import (
	"sync"
	"time"
)

// interrupts makes the interrupt key end launches instead of the process, while launches run and if
// the program has not decided what the key does.
var interrupts interruptKey

// interruptKey catches SIGINT while launches run. The zero value is ready for use.
type interruptKey struct {
	mu     sync.Mutex
	calls  map[uint64]bool // that launch, by number
	last   uint64          // number of a call
	caught bool            // SIGINT is ours at present
	waiter sync.Once       // waits for SIGINT from the first launch on
}

// watch begins a call that launches: until the returned function is called SIGINT calls stop. The
// end of the last such call gives the signal its default meaning back.
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

// wait stops the calls that are under way at each SIGINT. A call may not have come to its launch
// yet when the signal comes: stop is called until each of them has ended.
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

// under reports whether a call up to the number last is under way.
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
