package host

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"jacquard/fpu"
	"jacquard/sfu"
)

//go:embed c/host.c
var source []byte

// Host is the compiled program. The zero value cannot be used.
type Host struct{ dir string }

// style selects how host.c is compiled.
type style string

const (
	fastest style = "fastest" // all vector instructions of the processor
	plain   style = "plain"   // one lane after another
	// aligned is plain with aligned loops: the address of a loop changes its time by up to half.
	aligned style = "aligned"
)

var flags = map[style][]string{
	fastest: {"-O3", "-march=native"},
	plain:   {"-O2", "-fno-tree-vectorize"},
	aligned: {"-O2", "-fno-tree-vectorize", "-falign-loops=64"},
}

// CompilerError says that host.c was not compiled.
type CompilerError struct {
	Command string
	Output  string // from the compiler
	Err     error
}

// Error names the command and a remedy.
func (e *CompilerError) Error() string {
	if errors.Is(e.Err, exec.ErrNotFound) || errors.Is(e.Err, fs.ErrNotExist) {
		return fmt.Sprintf("no C compiler to compare the host with (%s): install one, or name it in CC", e.Command)
	}
	return fmt.Sprintf("%s: %v\n%s", e.Command, e.Err, e.Output)
}

// Unwrap returns the error of starting the compiler, or its exit status.
func (e *CompilerError) Unwrap() error { return e.Err }

// Build compiles the program with $CC, or cc. The error is a *CompilerError if that fails. The
// caller closes the Host.
func Build() (*Host, error) {
	dir, err := os.MkdirTemp("", "jacquard-host-")
	if err != nil {
		return nil, err
	}
	h := &Host{dir}
	file := filepath.Join(dir, "host.c")
	if err := os.WriteFile(file, source, 0o666); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	for s, f := range flags {
		if err := compile(file, h.program(s), f); err != nil {
			return nil, errors.Join(err, h.Close())
		}
	}
	return h, nil
}

func compile(file, to string, flags []string) error {
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	words := append(strings.Fields(cc), flags...)
	words = append(words, file, "-o", to, "-lm")
	out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
	if err != nil {
		return &CompilerError{strings.Join(words, " "), string(out), err}
	}
	return nil
}

func (h *Host) program(s style) string { return filepath.Join(h.dir, string(s)) }

// Close deletes the files of Build.
func (h *Host) Close() error { return os.RemoveAll(h.dir) }

// Operation is the time of one operation on 32 lanes, in nanoseconds.
type Operation struct {
	Name    string
	Fastest float64 // with all vector instructions of this processor
	Plain   float64 // one lane after another
}

// Names of operations that comparisons use.
const (
	Add = "add"  // 32-bit integers
	Mad = "fmad" // the multiply-add of the simulated machine
	SFU = "rcp"  // a special function of the simulated machine
)

// Operations times the operations of host.c in turn, that many rounds of some 5 ms, and returns the
// least time of each, Add first.
func (h *Host) Operations(rounds int) ([]Operation, error) {
	fast, err := h.operations(fastest, rounds)
	if err != nil {
		return nil, err
	}
	slow, err := h.operations(plain, rounds)
	if err != nil {
		return nil, err
	}
	other, err := h.operations(aligned, rounds)
	if err != nil {
		return nil, err
	}
	for i := range fast {
		fast[i].Plain = min(slow[i].Fastest, other[i].Fastest)
	}
	return fast, nil
}

func (h *Host) operations(s style, rounds int) ([]Operation, error) {
	out, err := h.start(s, table(), "ops", strconv.Itoa(rounds))
	if err != nil {
		return nil, err
	}
	var ops []Operation
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		name, figure, _ := strings.Cut(lines.Text(), " ")
		ns, err := strconv.ParseFloat(figure, 64)
		if err != nil {
			return nil, fmt.Errorf("timing the host: %w", err)
		}
		ops = append(ops, Operation{Name: name, Fastest: ns})
	}
	return ops, nil
}

// Do performs the named operation, compiled with all vector instructions, on six rows of operands
// and returns two rows of results: the work that is timed.
func (h *Host) Do(name string, operands *[6]fpu.Row) (results [2]fpu.Row, err error) {
	in, err := binary.Append(table(), binary.LittleEndian, operands)
	if err != nil {
		return results, err
	}
	out, err := h.start(fastest, in, "do", name)
	if err != nil {
		return results, err
	}
	_, err = binary.Decode(out, binary.LittleEndian, &results)
	return results, err
}

// table returns the coefficients of the reciprocal in the form of host.c.
func table() []byte {
	data, err := binary.Append(nil, binary.LittleEndian, sfu.RcpTable())
	if err != nil {
		panic("host: " + err.Error())
	}
	return data
}

// start runs the program and returns its output.
func (h *Host) start(s style, in []byte, args ...string) ([]byte, error) {
	c := exec.Command(h.program(s), args...)
	c.Stdin = bytes.NewReader(in)
	c.Stderr = new(bytes.Buffer)
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s on the host: %w: %s", args[0], err, bytes.TrimSpace(c.Stderr.(*bytes.Buffer).Bytes()))
	}
	return out, nil
}

// Run runs the kernel's algorithm, plain C with the usual compiler options, on copies of the
// buffers. It returns the seconds of the fastest of several runs, and the buffers after one run.
func (h *Host) Run(kernel string, buffers [][]byte, values []uint32) (seconds float64, after [][]byte, err error) {
	args := []string{kernel}
	for _, b := range buffers {
		args = append(args, strconv.Itoa(len(b)))
	}
	for _, v := range values {
		args = append(args, strconv.FormatUint(uint64(v), 10))
	}
	out, err := h.start(plain, bytes.Join(buffers, nil), args...)
	if err != nil {
		return 0, nil, err
	}
	if len(out) < 8 {
		return 0, nil, fmt.Errorf("%s on the host: no answer", kernel)
	}
	seconds = math.Float64frombits(binary.LittleEndian.Uint64(out))
	rest := out[8:]
	for _, b := range buffers {
		if len(rest) < len(b) {
			return 0, nil, fmt.Errorf("%s on the host: the answer is too short", kernel)
		}
		after, rest = append(after, rest[:len(b)]), rest[len(b):]
	}
	return seconds, after, nil
}
