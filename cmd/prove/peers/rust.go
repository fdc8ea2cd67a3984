package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// values is an array of numbers of one type.
type values struct {
	kind  string // u8 to i64, f16, f32 or f64
	words []uint64
}

// size returns the bytes of an element.
func (v values) size() int {
	bits, _ := strconv.Atoi(v.kind[1:])
	return bits / 8
}

// bytes returns the array as it lies in memory.
func (v values) bytes() (b []byte) {
	for _, w := range v.words {
		b = append(b, binary.LittleEndian.AppendUint64(nil, w)[:v.size()]...)
	}
	return b
}

// equal reports whether bytes hold the values: floats compare as numbers.
func (v values) equal(b []byte) bool {
	n := v.size()
	for i, w := range v.words {
		word := append([]byte(nil), b[n*i:][:n]...)
		got := v.number(binary.LittleEndian.Uint64(append(word, make([]byte, 8-n)...)))
		if got != v.number(w) {
			return false
		}
	}
	return true
}

// number returns the value that comparisons of the type use.
func (v values) number(w uint64) any {
	switch v.kind {
	case "f32":
		return math.Float32frombits(uint32(w))
	case "f64":
		return math.Float64frombits(w)
	}
	return w << (64 - 8*v.size())
}

// scalar is a number whose type may still be open: "" of an integer, "f" of a float.
type scalar struct {
	kind string
	int  int64
	real float64
	bits uint64 // of a float that is given by its bits
	raw  bool
}

// arrayOf reads [a, b, c] of a Rust source.
func arrayOf(text string) (v values, err error) {
	var all []scalar
	float := false
	for part := range strings.SplitSeq(strings.Trim(strings.TrimSpace(text), "[]"), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		s, err := scalarOf(part)
		if err != nil {
			return v, err
		}
		if len(s.kind) > 1 && v.kind == "" {
			v.kind = s.kind
		}
		float = float || s.kind == "f"
		all = append(all, s)
	}
	if v.kind == "" {
		v.kind = "i32" // as Rust takes it
		if float {
			v.kind = "f64"
		}
	}
	for _, s := range all {
		v.words = append(v.words, s.as(v.kind))
	}
	return v, nil
}

// as returns the bits of a number of a type.
func (s scalar) as(kind string) uint64 {
	switch {
	case s.raw:
		return s.bits
	case kind[0] != 'f':
		return uint64(s.int)
	}
	x := s.real
	if s.kind == "" || s.kind[0] != 'f' {
		x = float64(s.int)
	}
	switch kind {
	case "f16":
		return uint64(half(x))
	case "f32":
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// half rounds to f16, to the nearest even.
func half(x float64) uint16 {
	sign := uint16(math.Float64bits(x) >> 48 & 0x8000)
	switch x = math.Abs(x); {
	case x != x:
		return 0x7e00
	case x >= 65520:
		return sign | 0x7c00
	case x < 1.0/(1<<14):
		return sign | uint16(math.RoundToEven(x*(1<<24)))
	}
	fraction, exponent := math.Frexp(x)
	return sign | uint16(exponent+14)<<10 + uint16(math.RoundToEven(fraction*2048)) - 1024
}

var (
	literal  = regexp.MustCompile(`^(0x[0-9a-fA-F_]+?|0b[01_]+?|[0-9][0-9_]*(?:\.[0-9_]*)?(?:e-?[0-9]+)?)_?([uif](?:8|16|32|64)|usize)?$`)
	function = regexp.MustCompile(`^(?:half::)?([uif][0-9]+)::(from_bits|from_f32|from_f64)\((.*)\)$`)
	constant = regexp.MustCompile(`^(?:half::|std::)?([uif][0-9]+)::([A-Za-z_:]+)(?:\(\))?$`)
)

// scalarOf reads a number, a constant or a call that makes one.
func scalarOf(text string) (scalar, error) {
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		s, err := scalarOf(strings.TrimSpace(rest))
		s.int, s.real = -s.int, -s.real
		return s, err
	}
	if x, y, ok := strings.Cut(text, "/"); ok {
		a, err := scalarOf(strings.TrimSpace(x))
		if err != nil {
			return a, err
		}
		b, err := scalarOf(strings.TrimSpace(y))
		a.real /= b.real
		return a, err
	}
	if inner, ok := strings.CutSuffix(text, ".to_bits()"); ok {
		s, err := scalarOf(inner)
		if err != nil {
			return s, err
		}
		return scalar{kind: "u" + s.kind[1:], int: int64(s.as(s.kind))}, nil
	}
	if m := literal.FindStringSubmatch(text); m != nil {
		return number(m[1], m[2])
	}
	if m := function.FindStringSubmatch(text); m != nil {
		s, err := scalarOf(m[3])
		if m[2] == "from_bits" {
			return scalar{kind: m[1], raw: true, bits: uint64(s.int)}, err
		}
		if s.kind == "" || s.kind[0] != 'f' {
			s.real = float64(s.int)
		}
		s.kind = m[1]
		return s, err
	}
	if m := constant.FindStringSubmatch(text); m != nil {
		return named(m[1], m[2])
	}
	return scalar{}, fmt.Errorf("%q is no number that is known", text)
}

// number reads the digits of a literal.
func number(digits, kind string) (scalar, error) {
	digits = strings.ReplaceAll(digits, "_", "")
	if strings.ContainsAny(digits, ".") || strings.HasPrefix(kind, "f") {
		x, err := strconv.ParseFloat(digits, 64)
		if kind == "" {
			kind = "f"
		}
		return scalar{kind: kind, real: x}, err
	}
	n, err := strconv.ParseUint(digits, 0, 64)
	if strings.HasPrefix(digits, "0") && !strings.HasPrefix(digits, "0x") && !strings.HasPrefix(digits, "0b") {
		n, err = strconv.ParseUint(digits, 10, 64)
	}
	return scalar{kind: kind, int: int64(n)}, err
}

// named returns a constant of a type.
func named(kind, name string) (scalar, error) {
	bits, err := strconv.Atoi(kind[1:])
	if err != nil {
		return scalar{}, err
	}
	s := scalar{kind: kind}
	switch {
	case name == "NAN" && kind == "f32":
		s.raw, s.bits = true, 0x7fc00000
	case name == "NAN":
		s.real = math.NaN()
	case name == "INFINITY":
		s.real = math.Inf(1)
	case name == "NEG_INFINITY":
		s.real = math.Inf(-1)
	case name == "consts::PI":
		s.real = math.Pi
	case (name == "MAX" || name == "max_value") && kind[0] == 'u':
		s.int = int64(uint64(math.MaxUint64) >> (64 - bits))
	case name == "MAX" && kind[0] == 'i':
		s.int = math.MaxInt64 >> (64 - bits)
	case name == "MIN" && kind[0] == 'i':
		s.int = math.MinInt64 >> (64 - bits)
	default:
		return s, fmt.Errorf("%s::%s is no constant that is known", kind, name)
	}
	return s, nil
}
