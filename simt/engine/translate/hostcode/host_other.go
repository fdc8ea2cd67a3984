//go:build !linux || !amd64

package hostcode

import "unsafe"

// system can do nothing.
var system host

func enter(uintptr, unsafe.Pointer) { panic("hostcode: no machine code on this platform") }

func avx() bool { return false }

func call(Entry) {}
