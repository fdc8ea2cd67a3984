package cubin

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"jacquard/tesla"
)

// Contents is a module as a program hands it to the driver: a cubin, PTX, or a fat binary that
// holds the module for several architectures.
type Contents struct {
	Container Container
	Entries   []Entry // in the order of the container; exactly one unless it is a fat binary
	Size      int     // bytes, if Container is ELF or a flat fat binary
}

// Entry is one form of the module.
type Entry struct {
	Container   Container // Text, ELF, PTX, or Unknown for kinds that only later tools write
	Arch        int       // 13 for sm_13 and for PTX of compute_13; 0 if not recorded
	Source      string    // name of the source file; "" if not recorded
	Compression Compression

	stored []byte
	size   uint64 // bytes after decompression, if compressed
}

// Target returns the target of the entry as NVIDIA's tools write it: sm_13, or compute_13 for PTX.
func (e *Entry) Target() string {
	switch {
	case e.Arch == 0:
		return "an unknown architecture"
	case e.Container == PTX:
		return "compute_" + strconv.Itoa(e.Arch)
	default:
		return "sm_" + strconv.Itoa(e.Arch)
	}
}

// Runs reports whether the entry is machine code that a device of architecture a runs: code for a,
// or for an earlier architecture of the generation. Code without a recorded architecture passes:
// its reader reports any mismatch.
func (e *Entry) Runs(a tesla.Arch) bool {
	code := e.Container == Text || e.Container == ELF
	return code && (e.Arch == 0 || 10 <= e.Arch && e.Arch <= 10+int(a))
}

// Stored returns the bytes that the entry takes in its container.
func (e *Entry) Stored() int { return len(e.stored) }

// Data returns the entry's bytes, decompressed.
func (e *Entry) Data() ([]byte, error) { return e.Compression.expand(e.stored, e.size) }

// Image reads the entry. The error is a [*NoCodeError] if it is no machine code for sm_10 .. sm_13.
func (e *Entry) Image() (*Image, error) {
	if !e.Runs(tesla.SM13) {
		return nil, &NoCodeError{Arch: tesla.SM13, Found: []Entry{*e}}
	}
	data, err := e.Data()
	if err != nil {
		return nil, err
	}
	if e.Container == ELF {
		return parseELF(data)
	}
	return parseText(data)
}

// Select returns the entry that a device of architecture a runs: the first entry for the latest
// architecture not above a. PTX is not translated: if only PTX would do, the error is a
// [*NoCodeError].
func (c *Contents) Select(a tesla.Arch) (*Entry, error) {
	var best *Entry
	for i := range c.Entries {
		if e := &c.Entries[i]; e.Runs(a) && (best == nil || e.Arch > best.Arch) {
			best = e
		}
	}
	if best == nil {
		return nil, &NoCodeError{Arch: a, Found: c.Entries}
	}
	return best, nil
}

// Image reads the entry that Select returns.
func (c *Contents) Image(a tesla.Arch) (*Image, error) {
	e, err := c.Select(a)
	if err != nil {
		return nil, err
	}
	return e.Image()
}

// NoCodeError says that a module holds no machine code for a device.
type NoCodeError struct {
	Arch  tesla.Arch // of the device
	Found []Entry
}

// Error names the entries that the module does hold.
func (e *NoCodeError) Error() string {
	var found []string
	for _, f := range e.Found {
		what := fmt.Sprintf("%s for %s", f.Container, f.Target())
		if len(found) == 0 || found[len(found)-1] != what {
			found = append(found, what)
		}
	}
	if len(found) == 0 {
		found = []string{"nothing"}
	}
	return fmt.Sprintf("no machine code for %s or an earlier architecture: found only %s", e.Arch, strings.Join(found, ", "))
}

// Read returns the contents of data and keeps nothing of data.
func Read(data []byte) (*Contents, error) {
	return Open(Memory{ReaderAt: bytes.NewReader(data), Word: 8}, 0)
}

// Open returns the contents of the image at address at of m. The error is a [*ContainerError] for
// an unknown container, otherwise the container's own.
func Open(m Memory, at uint64) (*Contents, error) {
	start, err := m.start(at, len(ContainerError{}.Start))
	if err != nil {
		return nil, err
	}
	switch magic(start) {
	case magicELF:
		return openELF(m, at)
	case magicFlat:
		return openFlat(m, at)
	case magicWrapper:
		return openWrapper(m, at)
	case magicStruct:
		return openStruct(m, at)
	}
	text, err := m.text("text", at)
	if err != nil {
		return nil, err
	}
	e := textEntry(text)
	if e.Container != Text && e.Container != PTX {
		unknown := &ContainerError{Container: e.Container}
		copy(unknown.Start[:], start)
		return nil, unknown
	}
	return &Contents{Container: e.Container, Entries: []Entry{e}}, nil
}

// textEntry makes an entry of text, without the NUL that ends it.
func textEntry(text []byte) Entry {
	if c := Sniff(text); c != PTX {
		return Entry{Container: c, Arch: archIn(text, architectureBlock), stored: text}
	}
	return PTXEntry(text)
}

// PTXEntry makes an entry of PTX, whatever the text begins with. It keeps text.
func PTXEntry(text []byte) Entry {
	return Entry{Container: PTX, Arch: archIn(text, targetDirective), stored: text}
}

// archIn returns the number of an architecture that pattern finds, 0 if there is none.
func archIn(text []byte, pattern *regexp.Regexp) int {
	found := pattern.FindSubmatch(text)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(string(found[1])) // the pattern has three digits at most
	return n
}

var (
	architectureBlock = regexp.MustCompile(`\barchitecture\s*\{\s*sm_([0-9]{2,3})\b`)
	targetDirective   = regexp.MustCompile(`(?m)^\s*\.target\s+(?:sm|compute)_([0-9]{2,3})`)
)
