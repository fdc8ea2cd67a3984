package mem

import "fmt"

// OutOfMemoryError says that an allocation does not fit: the capacity is used up, or no hole in the
// address space is large enough.
type OutOfMemoryError struct {
	Size uint64 // bytes requested
	Free uint64 // bytes of unused capacity
}

// Error names both sizes.
func (e *OutOfMemoryError) Error() string {
	return fmt.Sprintf("out of device memory: %d bytes asked for, %d free", e.Size, e.Free)
}

// NotAllocatedError says that an address is not the start of a live allocation.
type NotAllocatedError struct {
	Addr uint32
}

// Error names the address.
func (e *NotAllocatedError) Error() string {
	return fmt.Sprintf("no allocation starts at 0x%x", e.Addr)
}

// RangeError says that a range of bytes is not inside one live allocation.
type RangeError struct {
	Addr uint32
	Size uint64
}

// Error names the range.
func (e *RangeError) Error() string {
	return fmt.Sprintf("%d bytes at 0x%x are not inside one allocation", e.Size, e.Addr)
}

// PlaceError says that nothing can be mapped at an address: it is not the start of a page, or
// another allocation is there or too near.
type PlaceError struct {
	Addr uint32
	Size uint64
}

// Error names the address.
func (e *PlaceError) Error() string {
	return fmt.Sprintf("%d bytes cannot be mapped at 0x%x", e.Size, e.Addr)
}
