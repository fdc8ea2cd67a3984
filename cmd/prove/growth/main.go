// Command growth measures how the time and the memory of the compiler grow with the size of PTX,
// for many shapes of PTX, and writes a table for docs/compiler.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"jacquard/internal/test/shape"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

var (
	one   = flag.String("one", "", "compile this `SHAPE` and print nothing")
	bytes = flag.Int("bytes", 0, "with -one: the `BYTES` of PTX")
	sizes = flag.String("sizes", "1k,10k,100k,300k,1m", "sizes of PTX, in `BYTES`, k and m")
	only  = flag.String("shapes", "", "measure only these `SHAPES`, by commas")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

func run() error {
	if *one != "" {
		return compileOne()
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	list := strings.Split(*sizes, ",")
	fmt.Printf("| shape | %s |\n| ---%s |\n", strings.Join(list, " | "), strings.Repeat(" | ---", len(list)))
	for _, s := range shape.Shapes() {
		if *only != "" && !strings.Contains(","+*only+",", ","+s.Name+",") {
			continue
		}
		fmt.Printf("| `%s`: %s |", s.Name, s.What)
		peak := 0
		for _, size := range list {
			n, err := parseSize(size)
			if err != nil {
				return err
			}
			text := "-"
			if peak <= mostMemory {
				text, peak = measure(self, s.Name, n)
			}
			fmt.Printf(" %s |", text)
		}
		fmt.Println()
	}
	return nil
}

// compileOne compiles a shape. A refused module counts: the refusal must be fast, too.
func compileOne() error {
	for _, s := range shape.Shapes() {
		if s.Name != *one {
			continue
		}
		m, err := ptx.Parse("k", []byte(s.Text(*bytes)))
		if err != nil {
			return err
		}
		_, err = compile.Compile(m, compile.Options{Arch: tesla.SM13})
		return err
	}
	return fmt.Errorf("no shape %q", *one)
}

func parseSize(s string) (int, error) {
	unit := 1
	if n := len(s); n > 0 {
		switch s[n-1] {
		case 'k':
			unit, s = 1000, s[:n-1]
		case 'm':
			unit, s = 1000*1000, s[:n-1]
		}
	}
	n, err := strconv.Atoi(s)
	return n * unit, err
}

// mostMemory is the memory in MB up to which the next size is tried. Beyond that limit the memory
// grows faster than the text, and the next size would not fit a machine with other work.
const mostMemory = 500

// measure compiles a shape in a process of its own, and returns the processor time and the most
// memory, in MB.
func measure(self, name string, n int) (text string, peak int) {
	c := exec.Command(self, "-one", name, "-bytes", strconv.Itoa(n))
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		return err.Error(), 0
	}
	const kilobytes = 1024 // unit of Maxrss
	used := (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	peak = int(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * kilobytes / (1000 * 1000))
	text = fmt.Sprintf("%.2f s, %d MB", used, peak)
	if err != nil {
		text += ", refused"
		fmt.Fprintf(os.Stderr, "%s, %d bytes: %.300s\n", name, n, out)
	}
	return text, peak
}
