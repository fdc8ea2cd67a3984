package output

import (
	"encoding/binary"
	"strings"
)

// conversion is a part of a format: text, and a conversion behind it.
type conversion struct {
	text  string
	flags string // of "-+ #0"
	// width and precision are numbers, none or star.
	width, precision int
	verb             byte // 0 at the end of the format
	size             int  // bytes of the argument
	short            int  // bytes of an integer that hh or h cut
}

const (
	none = -1
	star = -2 // an argument

	// mostPadding bounds widths and precisions, so that a kernel cannot ask for all of the host's
	// memory.
	mostPadding = 4096
)

// parse returns the conversions of a format. pointer is the size of pointers and of long.
func parse(format string, pointer int) (all []conversion) {
	for format != "" {
		text, rest, found := strings.Cut(format, "%")
		c := conversion{text: text, width: none, precision: none}
		if !found {
			return append(all, c)
		}
		n := c.read(rest, pointer)
		if n < 0 { // no conversion: printed as it is
			c.text += "%"
			n = 0
		}
		all = append(all, c)
		format = rest[n:]
	}
	return all
}

// read reads a conversion behind its "%". It returns its length, or -1 if it is none.
func (c *conversion) read(s string, pointer int) int {
	flags := len(s) - len(strings.TrimLeft(s, "-+ #0"))
	flagged, at := s[:flags], flags
	width, precision := none, none
	width, at = number(s, at)
	if at < len(s) && s[at] == '.' {
		if precision, at = number(s, at+1); precision == none {
			precision = 0
		}
	}
	size, short := 4, 0
	for ; at < len(s) && strings.IndexByte("hlqjztL", s[at]) >= 0; at++ {
		switch {
		case s[at] == 'h' && short == 2:
			short = 1
		case s[at] == 'h':
			short = 2
		case s[at] == 'l' && size == 4 && !strings.HasPrefix(s[at+1:], "l"), s[at] == 'z', s[at] == 't':
			size = max(size, pointer)
		default:
			size = 8
		}
	}
	if at == len(s) || strings.IndexByte("diuxXocsfFeEgGaApn%", s[at]) < 0 {
		return none
	}
	switch s[at] {
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		size = 8
	case 's', 'p', 'n':
		size = pointer
	case 'c':
		size = 4
	case '%':
		size = 0
	}
	*c = conversion{c.text, flagged, width, precision, s[at], size, short}
	return at + 1
}

// number reads a width or a precision.
func number(s string, at int) (n, end int) {
	if at < len(s) && s[at] == '*' {
		return star, at + 1
	}
	n = none
	for ; at < len(s) && s[at] >= '0' && s[at] <= '9'; at++ {
		n = min(max(n, 0)*10+int(s[at]-'0'), mostPadding)
	}
	return n, at
}

// Sizes returns the bytes of each argument of a format. pointer is the size of pointers and of
// long: 4 or 8.
func Sizes(format string, pointer int) (sizes []int) {
	for _, c := range parse(format, pointer) {
		for _, n := range []int{c.width, c.precision} {
			if n == star {
				sizes = append(sizes, 4)
			}
		}
		if c.size > 0 {
			sizes = append(sizes, c.size)
		}
	}
	return sizes
}

// Bytes returns the bytes that arguments of some sizes take, each aligned to its size.
func Bytes(sizes []int) (n int) {
	for _, size := range sizes {
		n = (n+size-1)/size*size + size
	}
	return n
}

// arguments hands out arguments one after the other. A missing argument is zero.
type arguments struct {
	bytes []byte
	at    int
}

func (a *arguments) next(size int) uint64 {
	a.at = (a.at + size - 1) / size * size
	var word [8]byte
	if a.at < len(a.bytes) {
		copy(word[:size], a.bytes[a.at:])
	}
	a.at += size
	return binary.LittleEndian.Uint64(word[:])
}
