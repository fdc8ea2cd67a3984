package main

// #define _GNU_SOURCE
// #include <stdlib.h>
// #include <sys/auxv.h>
// #include <unistd.h>
// #include "server.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	jqdebug "jacquard/debug"
	"jacquard/debug/wire"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/ptx/jit"
)

// theDriver is the process's driver; the first call makes it.
var theDriver = sync.OnceValue(func() *driver.Driver {
	return driver.New(driver.Config{
		Settings: knobs.From(lookupEnv), Hints: knobs.Misspelled(environment()), JIT: jit.From(lookupEnv),
		Listener: listener, GL: programGL{}, Stdout: programOutput{}, Later: driver.Later{Judgement: true}, Debug: debugger(),
	})
})

// debugEnv names the socket of a debugger, which jacquard debug sets.
const debugEnv = knobs.Prefix + "DEBUG"

// debugger returns the session of the debugger that started the program, or of those that attach to
// its socket; nil if there are none.
func debugger() *jqdebug.Session {
	path, given := lookupEnv(debugEnv)
	if !given || path == "" {
		return nil
	}
	if path, ok := strings.CutPrefix(path, "listen:"); ok {
		return attachable(path)
	}
	c, err := net.Dial("unix", path)
	if err != nil {
		fmt.Fprintf(os.Stderr, "jacquard: %s: no debugger answers: %v\n", debugEnv, err)
		return nil
	}
	s := jqdebug.NewSession()
	go wire.Serve(c, s) // its end detaches
	return s
}

// attachable returns a session to which debuggers attach by a socket, one after the other; nil if the
// socket cannot be made.
func attachable(path string) *jqdebug.Session {
	listener, err := net.Listen("unix", path)
	if errors.Is(err, syscall.EADDRINUSE) {
		c, refused := net.Dial("unix", path)
		if errors.Is(refused, syscall.ECONNREFUSED) { // of a program that has ended
			os.Remove(path)
			listener, err = net.Listen("unix", path)
		} else if refused == nil {
			c.Close()
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "jacquard: %s: nobody can attach: %v\n", debugEnv, err)
		return nil
	}
	s := jqdebug.NewSession()
	s.Open()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			s.Attach()
			wire.Serve(c, s) // its end detaches
			c.Close()
		}
	}()
	return s
}

// lookupEnv asks C for an environment variable, because Go keeps the environment from when the
// library was loaded. A program with more rights than its user has none (package knobs).
func lookupEnv(name string) (string, bool) {
	key := C.CString(name)
	defer C.free(unsafe.Pointer(key))
	value := C.secure_getenv(key)
	return C.GoString(value), value != nil
}

// environment returns the whole environment of the program, as os.Environ does, but from C as
// lookupEnv does.
func environment() (list []string) {
	if C.getauxval(C.AT_SECURE) != 0 {
		return nil
	}
	for v := C.environ; v != nil && *v != nil; v = (**C.char)(unsafe.Add(unsafe.Pointer(v), unsafe.Sizeof(*v))) {
		list = append(list, C.GoString(*v))
	}
	return list
}

// do runs a call for the calling thread and returns its code. A panic below is a bug of the
// simulator and becomes CUDA_ERROR_UNKNOWN. Memory of the program that cannot be read or written
// becomes CUDA_ERROR_INVALID_VALUE.
func do(thread C.uint64_t, f func(*driver.Thread) error) (code C.CUresult) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			code = C.CUresult(report(cause))
		}
	}()
	return C.CUresult(driver.ResultOf(f(theDriver().Thread(uint64(thread)))))
}

// badPointer is the panic for a pointer of the program to an address at which no memory can be.
type badPointer uintptr

// goBadPointer reports a pointer that C has refused.
//
//export goBadPointer
func goBadPointer(p C.uintptr_t) { report(badPointer(p)) }

// report writes a panic to standard error and returns its code.
func report(cause any) driver.Result {
	if fault, ok := cause.(interface {
		runtime.Error
		Addr() uintptr
	}); ok {
		cause = badPointer(fault.Addr())
	}
	if p, ok := cause.(badPointer); ok {
		if firstTime(p) {
			fmt.Fprintf(os.Stderr, "jacquard: host address %#x, given by the program, cannot be accessed\n", uintptr(p))
		}
		return driver.ErrInvalidValue
	}
	if _, ok := cause.(runtime.Error); ok && atBoundary() {
		fmt.Fprintf(os.Stderr, "jacquard: memory given by the program cannot be accessed\n")
		return driver.ErrInvalidValue
	}
	fmt.Fprintf(os.Stderr, "jacquard: internal error, please report it: %v\n%s", cause, debug.Stack())
	return driver.ErrUnknown
}

// told notes the pointers into the first page that were reported.
var told [firstPage]atomic.Bool

// firstTime reports whether p is to be reported: a program that asks in a loop gets one line for
// each pointer into the first page.
func firstTime(p badPointer) bool { return p >= firstPage || !told[p].Swap(true) }

// atBoundary reports whether the panic being recovered began in this package, whose own code only
// reads and writes the program's memory. Go gives no address for a fault in the first page, nor for
// memory that would reach past the end of the address space.
func atBoundary() bool {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	self, more := frames.Next()
	for panicking := false; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicking = true
		case panicking && packageOf(f.Function) != "runtime":
			return packageOf(f.Function) == packageOf(self.Function)
		}
	}
	return false
}

// packageOf returns the path of a function's package.
func packageOf(function string) string {
	function, _, _ = strings.Cut(function, "[") // of type arguments
	slash := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + name
}

// number is any type in which the interface passes numbers, handles and addresses.
type number interface {
	~int | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32
}

// get runs a call with one result and stores it. Nothing happens if out is NULL.
func get[To, From number](thread C.uint64_t, out *To, f func(*driver.Thread) (From, error)) C.CUresult {
	if out == nil {
		return C.CUresult(driver.ErrInvalidValue)
	}
	return do(thread, func(t *driver.Thread) error {
		touch(out)
		v, err := f(t)
		if err == nil {
			*out = To(v)
		}
		return err
	})
}

// get2 is get for a call with two results. Either may be NULL if the call's documentation allows
// it; otherwise the caller checks them first.
func get2[To1, To2, From1, From2 number](thread C.uint64_t, out1 *To1, out2 *To2, f func(*driver.Thread) (From1, From2, error)) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		touch(out1)
		touch(out2)
		v1, v2, err := f(t)
		if err != nil {
			return err
		}
		if out1 != nil {
			*out1 = To1(v1)
		}
		if out2 != nil {
			*out2 = To2(v2)
		}
		return nil
	})
}

// touch writes *p back, so that a call that cannot write its result ends before it has an effect.
func touch[T number](p *T) {
	if p != nil {
		put(p, *p)
	}
}

// put writes v at p. If put were inlined, the compiler would omit a write of the value that p has.
//
//go:noinline
func put[T number](p *T, v T) { *p = v }

// wanted returns out, or a scratch place if out is NULL.
func wanted[T number](out *T) *T {
	if out == nil {
		return new(T)
	}
	return out
}

const invalidValue = C.CUresult(driver.ErrInvalidValue)

// maxHost is more memory than any process has.
const maxHost = min(1<<47, math.MaxInt)

// firstPage is never mapped: a pointer into it counts as NULL.
const firstPage = 4096

// text returns the program's string at p. An unreadable string is unreadable memory, as for do.
func text(p *C.char) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(unsafe.Pointer(p)), n))
}

// host returns the program's memory at an address as a slice. It returns nil and false if the
// address is NULL and bytes is not 0, or if no memory can be there.
func host[A ~uintptr | ~uint32 | ~uint64](address A, bytes uint64) ([]byte, bool) {
	at := uintptr(address)
	if bytes == 0 {
		return nil, true
	}
	if at < firstPage || bytes > maxHost || at > math.MaxUint-uintptr(bytes) {
		return nil, false
	}
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), at)), int(bytes)), true
}

// goThreadBegin is the first call on a thread that serves calls; it makes the thread known to the
// Go runtime. limit, unless 0, is the number of threads that may run Go code at once.
//
//export goThreadBegin
func goThreadBegin(limit C.int) {
	startPoller()
	if limit > 0 && runtime.GOMAXPROCS(0) > int(limit) {
		runtime.GOMAXPROCS(int(limit))
	}
}

// startPoller has the runtime open the descriptors of its poller while there are some: it ends the
// process if there are none when it first needs them. The first timer does.
var startPoller = sync.OnceFunc(func() { time.AfterFunc(time.Hour, func() {}).Stop() })

//export goThreadEnd
func goThreadEnd(thread C.uint64_t) C.CUresult {
	theDriver().EndThread(uint64(thread))
	return C.CUresult(driver.Success)
}

//export goNotSupported
func goNotSupported(thread C.uint64_t, symbol *C.char) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.NotSupported(C.GoString(symbol)) })
}
