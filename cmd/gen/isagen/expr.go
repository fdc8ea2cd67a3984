package main

import (
	"fmt"
	"strings"

	"jacquard/tesla/isa"
)

// extract returns a Go expression for the field's value in w, of type uint64.
func extract(f *isa.Field) string {
	var parts []string
	shift := f.Width()
	for _, b := range f.Parts {
		shift -= b.Width
		s := "w"
		if b.Low > 0 {
			s += fmt.Sprintf(">>%d", b.Low)
		}
		s += fmt.Sprintf("&%#x", uint64(1)<<b.Width-1)
		if shift > 0 {
			s = fmt.Sprintf("%s<<%d", s, shift)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "|")
}

// holds returns a Go expression that reports whether w meets the conditions, "" if
// there are none.
func holds(conds []isa.Cond) string {
	var parts []string
	var bits, mask uint64
	for _, c := range conds {
		if len(c.Values) == 1 {
			bits |= c.Field.Deposit(c.Values[0])
			mask |= c.Field.Mask()
		}
	}
	if mask != 0 {
		parts = append(parts, fmt.Sprintf("w&%#x == %#x", mask, bits))
	}
	for _, c := range conds {
		if len(c.Values) > 1 {
			parts = append(parts, fmt.Sprintf("%#x>>(%s)&1 != 0", set(c.Values), extract(c.Field)))
		}
	}
	return strings.Join(parts, " && ")
}

// set returns the values as a set of bits.
func set(values []uint64) uint64 {
	var s uint64
	for _, v := range values {
		s |= 1 << v
	}
	return s
}
