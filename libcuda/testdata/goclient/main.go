// Command goclient is a Go program that uses the library: two Go runtimes are in one process.
// Threads start, launch, check their results and end, while this runtime's garbage collector and
// scheduler send signals.
//
//	goclient CUBIN DURATION
//
// It calls the library through purego, or with the build tag linked through cgo.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

const elements = 4096

// calls are the driver's functions that the program uses. Each returns a result code.
type calls interface {
	start() (context uintptr, code int32)
	setCurrent(context uintptr) int32
	load(cubin string) (function uintptr, code int32)
	alloc(bytes int) (address uint64, code int32)
	free(address uint64) int32
	fill(address uint64, value uint32, words int) int32
	launch(function uintptr, blocks, threads uint32, parameters []byte) int32
	read(to []byte, address uint64) int32
}

func main() {
	if err := run(open()); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("PASSED")
}

func run(cuda calls) error {
	duration, err := time.ParseDuration(os.Args[2])
	if err != nil {
		return err
	}
	runtime.LockOSThread() // the context is current to this thread
	defer runtime.UnlockOSThread()
	context, code := cuda.start()
	if code != 0 {
		return fmt.Errorf("no context: %d", code)
	}
	function, code := cuda.load(os.Args[1])
	if code != 0 {
		return fmt.Errorf("no kernel: %d", code)
	}
	end := time.Now().Add(duration)
	var launches atomic.Int64
	failures := make(chan error, 8)
	var workers sync.WaitGroup
	for range cap(failures) {
		workers.Go(func() {
			for first := true; first || time.Now().Before(end); first = false {
				failed := make(chan error)
				go func() {
					runtime.LockOSThread() // the thread ends with the goroutine
					failed <- add(cuda, context, function)
				}()
				if err := <-failed; err != nil {
					failures <- err
					return
				}
				launches.Add(1)
			}
		})
	}
	stop := make(chan bool)
	go func() { // makes garbage, and loops that only a signal interrupts
		for kept := [][]byte{}; ; kept = append(kept, make([]byte, 1<<16)) {
			select {
			case <-stop:
				return
			default:
			}
			if len(kept) == 64 {
				kept = nil
				runtime.GC()
			}
		}
	}()
	workers.Wait()
	close(stop)
	fmt.Fprintf(os.Stderr, "%d launches\n", launches.Load())
	select {
	case err := <-failures:
		return err
	default:
		return nil
	}
}

// add adds two vectors on the calling thread.
func add(cuda calls, context, function uintptr) error {
	if code := cuda.setCurrent(context); code != 0 {
		return fmt.Errorf("no current context: %d", code)
	}
	var vectors [3]uint64
	for i, value := range []uint32{0x3f800000, 0x40000000, 0} {
		address, code := cuda.alloc(4 * elements)
		if code != 0 {
			return fmt.Errorf("no memory: %d", code)
		}
		defer cuda.free(address)
		if code := cuda.fill(address, value, elements); code != 0 {
			return fmt.Errorf("no memset: %d", code)
		}
		vectors[i] = address
	}
	parameters := [4]uint32{uint32(vectors[0]), uint32(vectors[1]), uint32(vectors[2]), elements}
	if code := cuda.launch(function, elements/64, 64, unsafe.Slice((*byte)(unsafe.Pointer(&parameters)), 16)); code != 0 {
		return fmt.Errorf("no launch: %d", code)
	}
	var sums [elements]float32
	if code := cuda.read(unsafe.Slice((*byte)(unsafe.Pointer(&sums)), 4*elements), vectors[2]); code != 0 {
		return fmt.Errorf("no copy: %d", code)
	}
	for i, sum := range sums {
		if sum != 3 {
			return fmt.Errorf("sum %d is %g", i, sum)
		}
	}
	return nil
}
