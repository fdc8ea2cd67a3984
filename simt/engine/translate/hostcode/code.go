package hostcode

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Code is machine code in executable memory.
type Code struct {
	pages   []byte
	size    int // of the code; the pages are larger
	unmap   func([]byte) error
	cleanup runtime.Cleanup
}

// Entry is a position in the code that can be called. It keeps the code mapped unless Close is
// called.
type Entry struct {
	code *Code
	addr uintptr
}

// UnsupportedError tells that machine code cannot run on this platform.
type UnsupportedError struct {
	OS, Arch string
	Lacks    string // the feature that the processor lacks, if it is only that
}

func (e *UnsupportedError) Error() string {
	if e.Lacks != "" {
		return fmt.Sprintf("no machine code runs on a processor without %s", e.Lacks)
	}
	return fmt.Sprintf("no machine code runs on %s, %s", e.OS, e.Arch)
}

// MemoryError tells that the host gave no executable memory.
type MemoryError struct {
	Step string // "map" or "protect"
	Size int    // in bytes
	Err  error  // of the system call
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s %d bytes of executable memory: %v", e.Step, e.Size, e.Err)
}

// Unwrap returns the error of the system call.
func (e *MemoryError) Unwrap() error { return e.Err }

// Load copies code to fresh pages, which then are executable and not writable. The first byte is at
// the start of a page. The error is an *UnsupportedError if this is not Linux on amd64 with AVX, or
// a *MemoryError if the host refuses executable memory. The pages are unmapped by Close, or when
// nothing refers to the Code and its entries.
func Load(code []byte) (*Code, error) { return system.load(code) }

// Available returns nil if machine code can run here, and otherwise the error of Load. It tries
// once per process.
func Available() error { return available() }

// Size is the number of bytes of the code.
func (c *Code) Size() int { return c.size }

// Entry is the position offset bytes from the start of the code. An offset outside of the code
// panics, and so does code that is closed.
func (c *Code) Entry(offset int) Entry {
	if offset < 0 || offset >= c.size || c.pages == nil {
		closed := c.pages == nil
		panic(fmt.Sprintf("hostcode: entry at %d of %d bytes, closed: %v", offset, c.size, closed))
	}
	return Entry{c, uintptr(unsafe.Pointer(&c.pages[offset]))}
}

// Close unmaps the code. None of it may be running, and none of its entries may be called after.
// Closing twice is the same as once.
func (c *Code) Close() {
	if c.pages == nil {
		return
	}
	c.cleanup.Stop()
	if err := c.unmap(c.pages); err != nil {
		panic("hostcode: unmap: " + err.Error())
	}
	c.pages = nil
}

// Call calls the machine code with ctx in RDI. The first four bytes at ctx are the MXCSR that the
// code runs under: the rounding, the treatment of denormals, and the masks of exceptions, which are
// to be set (0x1F80 is the usual value). The package's documentation tells what the code may do.
// Go's MXCSR is as before when Call returns.
func (e Entry) Call(ctx unsafe.Pointer) {
	enter(e.addr, ctx)
	runtime.KeepAlive(e.code)
}

// Address returns where the code is, for other code to call. The Code must be kept alive, and be
// open, for as long.
func (e Entry) Address() uintptr { return e.addr }
