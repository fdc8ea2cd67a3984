// Package driver is the CUDA driver for sm_10 .. sm_13 in Go: devices, contexts, modules,
// memory, launches, streams, events and texture references, with the answers and error
// codes of NVIDIA's driver of 2014 (version 6050).
//
// [New] makes a [Driver]; [Driver.Thread] stands for one thread of the program, which has its own
// stack of current contexts. Each CUDA function is a method of [Thread] without the cu prefix and
// without version suffix: sizes and device pointers are 64 bits wide here, and the caller narrows
// them. Two functions changed their meaning between versions, and the older form has the suffix V1.
// Handles are small numbers, never pointers: a stale one, one of another kind and NULL all answer
// [ErrInvalidHandle]. Every failing method returns a [Result] as its error ([ResultOf]).
//
// Many files: one for each chapter of the interface, under the names that package libcuda has too.
//
// Launches run to their end before the call returns. A fault of a kernel is nevertheless reported
// as hardware reports it: the launch succeeds, the next call that needs the device fails, and the
// context stays lost until it is destroyed.
//
// Everything is safe for use from many threads. There are three kinds of lock. Driver.mu guards the
// threads' stacks and the list of contexts in use. context.mu guards what a context owns, and is
// held while its kernels run. hostBlocks.mu guards what is known of host memory. A holder of a
// context's lock takes neither the driver's nor another context's, and a holder of hostBlocks.mu
// takes none. A [Listener] and sinks are told under these locks and take none of them.
//
// Reading order: driver.go, handle.go, errors.go; then a file for each chapter of the API: init.go
// device.go bus.go context.go primary.go configure.go module.go memory.go devicememory.go
// hostmemory.go pointer.go memset.go array.go copy.go copy_array.go execution.go occupancy.go
// stream.go event.go texref.go texref_bind.go peer.go profiler.go exporttable.go procaddress.go.
// Package knobs has the settings, package sinks the files that launches are written to, and
// listener.go tells others of all changes. The tables constants.csv and devices.csv become Go by
// `go generate`.
package driver
