// Command accuracy measures the device mathematics on the simulator and prints the table of
// docs/libdevice.md.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"jacquard/tesla"
	"jacquard/toolkit/libdevice"
	"jacquard/toolkit/libdevice/accuracy"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("accuracy: ")
	n := flag.Int("n", 1000000, "inputs of a function")
	only := flag.String("only", ".*", "names of functions without __nv_, a regular expression")
	seed := flag.Uint64("seed", 1, "of the random inputs")
	flag.Parse()
	debug.SetGCPercent(800) // big numbers are small and short-lived
	pattern, err := regexp.Compile("^__nv_(" + *only + ")$")
	if err != nil {
		log.Fatal(err)
	}
	var functions []libdevice.Function
	for _, f := range libdevice.Functions() {
		if pattern.MatchString(f.Name) {
			functions = append(functions, f)
		}
	}
	l, err := library(functions)
	if err != nil {
		log.Fatal(err)
	}
	var all []accuracy.Measurement
	for _, m := range accuracy.Measurements() {
		if pattern.MatchString(m.Function.Name) {
			all = append(all, m)
		}
	}
	fmt.Print(accuracy.Head)
	progress := terminal(os.Stderr)
	for i, row := range measure(l, all, *n, *seed) {
		fmt.Fprintf(progress, "%s%d of %d: %s", eraseLine, i, len(all), all[i].Function.Name)
		text := <-row
		fmt.Fprint(progress, eraseLine)
		fmt.Print(text)
	}
}

// measure returns the rows of the table as they become ready. All cores work on rows.
func measure(l *accuracy.Library, all []accuracy.Measurement, n int, seed uint64) []chan string {
	rows := make([]chan string, len(all))
	for i := range rows {
		rows[i] = make(chan string, 1)
	}
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for i := next.Add(1) - 1; i < int64(len(all)); i = next.Add(1) - 1 {
				r, err := l.Measure(&all[i], n, seed)
				if err != nil {
					log.Fatal(err)
				}
				rows[i] <- all[i].Row(r)
			}
		}()
	}
	return rows
}

const eraseLine = "\r\x1b[K"

// terminal returns f if it is a terminal, else a writer that drops all data.
func terminal(f *os.File) io.Writer {
	if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return f
	}
	return io.Discard
}

// library compiles kernels for functions.
func library(functions []libdevice.Function) (*accuracy.Library, error) {
	m, err := accuracy.Compile(accuracy.Bitcode, functions)
	if err != nil {
		return nil, err
	}
	return accuracy.New(m, tesla.SM13)
}
