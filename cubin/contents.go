package cubin

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"jacquard/tesla"
)

// Contents is what a program hands to the driver as one module: a cubin, PTX, or a fat binary that
// holds the module for several architectures.
type Contents struct {
	Container Container
	Entries   []Entry // in the order of the container; exactly one unless it is a fat binary
	Size      int     // bytes, if Container is ELF or a flat fat binary
}

// Entry is one form of the module.
type Entry struct {
	Container   Container // Text, ELF, PTX, or Unknown for kinds that only later tools write
	Arch        int       // 13 for sm_13 and for PTX of compute_13; 0 if it does not say
	Source      string    // name of the source file; "" if not recorded
	Compression Compression

	stored []byte
	size   uint64 // bytes after decompression, if there is any
}

// Target returns what the entry was compiled for as NVIDIA's tools write it: sm_13, or compute_13
// for PTX.
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

// Runs reports whether the entry is machine code that a device of architecture a runs: code of its
// own or an earlier architecture of the generation. Code that does not say what it is for does: its
// reader then says what is wrong.
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

// Select returns the entry that a device of architecture a runs: the one for the latest
// architecture that is not above its own, the first of several. There is no translation: if only
// PTX would do, the error is a [*NoCodeError].
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

// NoCodeError says that there is no machine code for a device.
type NoCodeError struct {
	Arch  tesla.Arch // of the device
	Found []Entry
}

// Error names what there is instead.
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

// Read tells what data holds, of which it keeps nothing.
func Read(data []byte) (*Contents, error) {
	return Open(Memory{bytes.NewReader(data), 8}, 0)
}

// Open tells what the image at address at of m holds. The error is a [*ContainerError] if it is
// none that is known, otherwise the container's own.
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

// textEntry makes an entry of text without a NUL.
func textEntry(text []byte) Entry {
	e := Entry{Container: Sniff(text), stored: text}
	pattern := architectureBlock
	if e.Container == PTX {
		pattern = targetDirective
	}
	if found := pattern.FindSubmatch(text); found != nil {
		e.Arch, _ = strconv.Atoi(string(found[1]))
	}
	return e
}

var (
	architectureBlock = regexp.MustCompile(`\barchitecture\s*\{\s*sm_([0-9]{2,3})\b`)
	targetDirective   = regexp.MustCompile(`(?m)^\s*\.target\s+(?:sm|compute)_([0-9]{2,3})`)
)
