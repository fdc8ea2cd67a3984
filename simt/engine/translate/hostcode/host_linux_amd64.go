package hostcode

import (
	"syscall"
	"unsafe"
)

// system is Linux. A mapping becomes executable only after it is filled; security modules that
// forbid that answer EACCES.
var system = host{
	mapPages: func(size int) ([]byte, error) {
		page := syscall.Getpagesize()
		size = (size + page - 1) &^ (page - 1)
		return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_PRIVATE|syscall.MAP_ANON)
	},
	protect: func(pages []byte) error {
		return syscall.Mprotect(pages, syscall.PROT_READ|syscall.PROT_EXEC)
	},
	unmap: syscall.Munmap,
}

// enter calls the machine code at addr. It is in enter_linux_amd64.s. The code does not keep ctx.
//
//go:noescape
func enter(addr uintptr, ctx unsafe.Pointer)

// avx tells whether processor and system have AVX, whose VZEROUPPER ends each call.
func avx() bool

// call calls code that needs nothing from its context but MXCSR.
func call(e Entry) {
	mxcsr := uint32(0x1F80)
	e.Call(unsafe.Pointer(&mxcsr))
}
