package output

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Append appends what C's printf writes for a format and its arguments, up to [MostText]. text
// returns the string at an address, for %s.
func Append(out []byte, format string, pointer int, args []byte, text func(address uint64) string) []byte {
	a, most := &arguments{bytes: args}, len(out)+MostText
	for _, c := range parse(format, pointer) {
		if len(out) >= most {
			break
		}
		out = append(out, c.text...)
		if c.verb == 0 {
			continue
		}
		if c.width == star {
			if c.width = int(int32(a.next(4))); c.width < 0 {
				c.flags, c.width = c.flags+"-", -c.width
			}
		}
		if c.precision == star {
			c.precision = max(int(int32(a.next(4))), none)
		}
		c.width, c.precision = min(c.width, mostPadding), min(c.precision, mostPadding)
		value := uint64(0)
		if c.size > 0 {
			value = a.next(c.size)
		}
		out = c.append(out, value, text)
	}
	return out[:min(len(out), most)]
}

// append appends one conversion.
func (c *conversion) append(out []byte, value uint64, text func(uint64) string) []byte {
	switch c.verb {
	case '%':
		return append(out, '%')
	case 'n':
		return out
	case 'd', 'i':
		return fmt.Appendf(out, c.verbFor("-+ 0", 'd'), c.signed(value))
	case 'u', 'x', 'X', 'o':
		return c.appendUnsigned(out, value)
	case 'c':
		return c.pad(out, string([]byte{byte(value)}))
	case 's':
		s := text(value)
		if c.precision >= 0 && c.precision < len(s) {
			s = s[:c.precision]
		}
		return c.pad(out, s)
	case 'p':
		if value == 0 {
			return c.pad(out, "(nil)")
		}
		return c.pad(out, "0x"+strconv.FormatUint(value, 16))
	}
	return c.appendFloat(out, math.Float64frombits(value))
}

// signed returns an argument as a signed integer of its size.
func (c *conversion) signed(value uint64) int64 {
	unused := 64 - 8*c.bytes()
	return int64(value<<unused) >> unused
}

// bytes returns the bytes of an integer that count.
func (c *conversion) bytes() int {
	if c.short > 0 && c.size == 4 {
		return c.short
	}
	return c.size
}

func (c *conversion) appendUnsigned(out []byte, value uint64) []byte {
	value &= math.MaxUint64 >> (64 - 8*c.bytes())
	verb, flags := c.verb, "-#0"
	if verb == 'u' {
		verb, flags = 'd', "-0"
	}
	if value == 0 { // C writes no 0x before a zero
		flags = "-0"
	}
	return fmt.Appendf(out, c.verbFor(flags, verb), value)
}

// appendFloat appends a float.
func (c *conversion) appendFloat(out []byte, x float64) []byte {
	upper := c.verb < 'a'
	if math.IsNaN(x) || math.IsInf(x, 0) {
		s := "nan"
		if math.IsInf(x, 0) {
			s = "inf"
		}
		if upper {
			s = strings.ToUpper(s)
		}
		return c.pad(out, c.sign(x)+s)
	}
	if c.verb == 'a' || c.verb == 'A' {
		return c.pad(out, c.sign(x)+c.hexadecimal(math.Abs(x), upper))
	}
	if c.precision < 0 {
		c.precision = 6
	}
	return fmt.Appendf(out, c.verbFor("-+ #0", c.verb), x)
}

// sign returns what stands before a float.
func (c *conversion) sign(x float64) string {
	switch {
	case math.Signbit(x):
		return "-"
	case strings.Contains(c.flags, "+"):
		return "+"
	case strings.Contains(c.flags, " "):
		return " "
	}
	return ""
}

// hexadecimal returns a float as 0x1.8p+1. Go writes two digits of the exponent.
func (c *conversion) hexadecimal(x float64, upper bool) string {
	s := []byte(strconv.FormatFloat(x, 'x', c.precision, 64))
	if p := bytes.IndexByte(s, 'p'); p >= 0 && len(s) == p+4 && s[p+2] == '0' {
		s = append(s[:p+2], s[p+3:]...)
	}
	if upper {
		s = bytes.ToUpper(s)
	}
	return string(s)
}

// verbFor returns the conversion for package fmt, with the flags that count.
func (c *conversion) verbFor(flags string, verb byte) string {
	var b strings.Builder
	b.WriteByte('%')
	for i := range len(flags) {
		if strings.IndexByte(c.flags, flags[i]) >= 0 {
			b.WriteByte(flags[i])
		}
	}
	if c.width >= 0 {
		b.WriteString(strconv.Itoa(c.width))
	}
	if c.precision >= 0 {
		b.WriteString("." + strconv.Itoa(c.precision))
	}
	b.WriteByte(verb)
	return b.String()
}

// pad appends a text with spaces up to the width.
func (c *conversion) pad(out []byte, s string) []byte {
	spaces := strings.Repeat(" ", max(c.width-len(s), 0))
	if strings.Contains(c.flags, "-") {
		return append(append(out, s...), spaces...)
	}
	return append(append(out, spaces...), s...)
}
