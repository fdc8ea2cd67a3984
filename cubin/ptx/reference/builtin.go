package reference

import (
	"strings"

	"jacquard/cubin/ptx"
)

// builtin binds a call of a function that the device has without a definition. It returns nil for
// any other.
func (b *binder) builtin(f *ptx.Func, site *callSite) step {
	if b.p.bodies[f.Name] != nil {
		return nil
	}
	switch {
	case f.Name == "vprintf" && len(site.args) == 2 && len(site.results) <= 1:
		return func(t *thread) error { return t.printf(site) }
	case f.Name == "malloc" && len(site.args) == 1 && len(site.results) == 1:
		return func(t *thread) error { return t.malloc(site) }
	case f.Name == "free" && len(site.args) == 1:
		return func(*thread) error { return nil } // memory stays until the end
	case f.Name == "__assertfail":
		return func(t *thread) error { return t.fault(Trapped, "assertion failed") }
	}
	return nil
}

// malloc returns new global memory, or the zero address if there is too little.
func (t *thread) malloc(site *callSite) error {
	n, address := site.args[0].value(t), uint64(0)
	if r := t.block.run; n <= mostBytes-r.heap {
		r.heap += n
		address, _, _ = t.block.program.memory.Alloc(int(n))
	}
	t.receive(formal{}, &site.results[0], address, t.base)
	return nil
}

// printf reads the format and the arguments of vprintf and returns the number of arguments.
func (t *thread) printf(site *callSite) error {
	format, err := t.text(site.args[0].value(t))
	if err != nil {
		return err
	}
	sizes := conversions(format)
	end := 0
	for _, n := range sizes {
		end = roundUp(end, n) + n
	}
	args := make([]byte, 0, end)
	for i, from := 0, site.args[1].value(t); i < end; i++ {
		m, err := t.bytes(ptx.Generic, from+uint64(i), 1, false)
		if err != nil {
			return err
		}
		args = append(args, m[0])
	}
	if t.block.program.print != nil {
		t.block.program.print(Printed{Format: format, Args: args})
	}
	for i := range site.results {
		t.receive(formal{}, &site.results[i], uint64(len(sizes)), t.base)
	}
	return nil
}

// text returns the bytes at a generic address up to a zero.
func (t *thread) text(address uint64) (string, error) {
	var s strings.Builder
	for {
		m, err := t.bytes(ptx.Generic, address, 1, false)
		switch {
		case err != nil:
			return "", err
		case m[0] == 0:
			return s.String(), nil
		case s.Len() > 1<<16:
			return "", t.fault(Fault, "format without end")
		}
		s.WriteByte(m[0])
		address++
	}
}

// conversions returns the bytes of each argument of a format: eight for floats, pointers and long
// integers, four for other integers, widths and precisions.
func conversions(format string) (sizes []int) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		size := 4
	conversion:
		for i++; i < len(format); i++ {
			switch c := format[i]; {
			case c == '%':
				break conversion
			case c == '*':
				sizes = append(sizes, 4)
			case strings.IndexByte("lzjtL", c) >= 0:
				size = 8
			case strings.IndexByte("fFeEgGaAsp", c) >= 0:
				sizes = append(sizes, 8)
				break conversion
			case c >= 'a' && c <= 'z' && c != 'h' || c >= 'A' && c <= 'Z':
				sizes = append(sizes, size)
				break conversion
			}
		}
	}
	return sizes
}
