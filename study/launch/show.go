package launch

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"jacquard/internal/plain"
)

// Show selects the part of a buffer to print.
type Show struct {
	Name  string
	Type  string // of scalars, or x8, x16, x32, x64 for hexadecimal
	Count int    // elements; negative is all
}

// showType and showCount are the defaults.
const (
	showType  = "x32"
	showCount = 16
)

// ParseShow reads "NAME[:TYPE[:COUNT]]"; the count may be "all".
func ParseShow(s string) (Show, error) {
	fields := strings.Split(s, ":")
	show := Show{Name: fields[0], Type: showType, Count: showCount}
	if len(fields) > 1 && fields[1] != "" {
		show.Type = fields[1]
	}
	if show.width() == 0 {
		return Show{}, &ArgError{s, fmt.Sprintf("unknown type %q: want i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, x8, x16, x32 or x64", show.Type)}
	}
	if len(fields) > 2 {
		n, err := strconv.Atoi(fields[2])
		switch {
		case fields[2] == "all":
			n = -1
		case err != nil || n < 1:
			return Show{}, &ArgError{s, fmt.Sprintf("%q is no count: want a number or all", fields[2])}
		}
		show.Count = n
	}
	if len(fields) > 3 || show.Name == "" {
		return Show{}, &ArgError{s, "want NAME[:TYPE[:COUNT]]"}
	}
	return show, nil
}

// width returns the bytes of an element, 0 for an unknown type.
func (s *Show) width() int {
	if digits, ok := strings.CutPrefix(s.Type, "x"); ok {
		return map[string]int{"8": 1, "16": 2, "32": 4, "64": 8}[digits]
	}
	return scalars[s.Type].bits / 8
}

// Write prints the elements, eight per line, each line with the index of its first.
func (s *Show) Write(w io.Writer, data []byte) error {
	const perLine = 8
	width := s.width()
	n := len(data) / width
	if s.Count >= 0 {
		n = min(n, s.Count)
	}
	for i := 0; i < n; i += perLine {
		line := plain.Sprintf("%s[%d]:", s.Name, i)
		for k := i; k < min(i+perLine, n); k++ {
			line += " " + s.format(data[k*width:][:width])
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// format prints one element.
func (s *Show) format(b []byte) string {
	var wide [8]byte
	copy(wide[:], b)
	bits := binary.LittleEndian.Uint64(wide[:])
	unused := 64 - 8*len(b)
	switch s.Type[0] {
	case 'i':
		return strconv.FormatInt(int64(bits<<unused)>>unused, 10)
	case 'u', 'p':
		return strconv.FormatUint(bits, 10)
	case 'x':
		return fmt.Sprintf("%0*x", 2*len(b), bits)
	}
	if len(b) == 4 {
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'g', -1, 32)
	}
	return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
}
