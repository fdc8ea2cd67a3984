package kerneltest

import (
	"encoding/binary"
	"math"
)

// Compare judges the content of buffer p after the launch. The error is a [*MismatchError], or a
// [*FormatError] if got has the wrong length.
func Compare(p *Param, got []byte) error {
	if p.Compare == Any {
		return nil
	}
	if len(got) != len(p.Expect) {
		return wrong("buffer "+p.Name, "got %d bytes, want %d", len(got), len(p.Expect))
	}
	m := MismatchError{Param: p}
	step := 4
	if p.Compare == Float64 {
		step = 8
	}
	m.Total = len(got) / step
	for i := 0; i < len(got); i += step {
		g, w := unit(got[i:], step), unit(p.Expect[i:], step)
		if p.agree(g, w) {
			continue
		}
		if m.Differ == 0 {
			m.Index, m.Got, m.Want = i/4, g, w
		}
		m.Differ++
	}
	if p.Compare == ExactBut2Percent {
		m.Allowed = m.Total * 2 / 100
	}
	if m.Differ > m.Allowed {
		return &m
	}
	return nil
}

func unit(b []byte, size int) uint64 {
	if size == 8 {
		return binary.LittleEndian.Uint64(b)
	}
	return uint64(binary.LittleEndian.Uint32(b))
}

// agree compares one word or pair.
func (p *Param) agree(got, want uint64) bool {
	if got == want {
		return true
	}
	var g, w float64
	switch p.Compare {
	case Float32:
		g, w = float64(math.Float32frombits(uint32(got))), float64(math.Float32frombits(uint32(want)))
	case Float64:
		g, w = math.Float64frombits(got), math.Float64frombits(want)
	default:
		return false
	}
	switch {
	case math.IsNaN(w):
		return math.IsNaN(g) // any payload agrees
	case math.IsInf(w, 0):
		return g == w // the relative tolerance would be infinite
	}
	return math.Abs(g-w) <= p.ATol+p.RTol*math.Abs(w)
}
