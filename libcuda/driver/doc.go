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
// Launches run to their end before the call returns. A fault is nevertheless reported as on
// hardware: the launch succeeds, the next call that needs the device fails, and the context stays
// lost until it is destroyed.
//
// Everything is safe for use from many threads. There are four kinds of lock. Driver.mu guards the
// threads' stacks and the list of contexts in use. context.mu guards the objects of a context, and
// is held while its kernels run and its PTX is compiled. hostBlocks.mu guards the list of host
// memory, ptxState.mu protects linked cubins. The holder of a context's lock takes no lock of the
// driver or of another context; the holder of one of the latter two takes none. A [Listener] and
// sinks are told under these locks and take none of them. No lock is held while the program's
// OpenGL or another function of the program runs.
//
// Reading order: driver.go, handle.go, errors.go, log.go, stack.go (of a thread's contexts); then
// the files of each chapter of the API: init.go device.go bus.go context.go primary.go configure.go
// module.go module_load.go module_code.go jit_options.go jit_log.go module_place.go link.go
// link_input.go ptxstate.go memory.go devicememory.go hostmemory.go hostblock.go hostpages.go
// pointer.go memset.go array.go copy.go copy_array.go function.go execution.go fault.go
// occupancy.go stream.go event.go texref.go texref_bind.go texref_get.go graphics.go
// graphics_copy.go gl.go graphics_gl.go gl_format.go gl_buffer.go peer.go profiler.go
// exporttable.go exporttable_storage.go procaddress.go.
//
// Package knobs has the settings, package jit compiles PTX, package sinks has the files that launches
// are written to; listener.go tells listeners of all changes. checkers.go asks for mistakes of the
// program: of kernels and, by package judge, of calls. `go generate` makes Go of the tables
// constants.csv and devices.csv.
package driver
