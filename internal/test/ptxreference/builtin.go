package ptxreference

import (
	"strings"

	"jacquard/ptx"
	"jacquard/ptx/output"
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
	n, address := site.args[0].values(t)[0], uint64(0)
	if r := t.block.run; n <= mostBytes-r.heap {
		r.heap += n
		address, _, _ = t.block.program.memory.Alloc(int(n))
	}
	t.receive(formal{}, &site.results[0], []uint64{address}, t.base)
	return nil
}

// printf reads the format and the arguments of vprintf and returns the number of arguments.
func (t *thread) printf(site *callSite) error {
	format, err := t.text(site.args[0].values(t)[0])
	if err != nil {
		return err
	}
	sizes := output.Sizes(format, t.block.program.module.AddressBits/8)
	end := output.Bytes(sizes)
	args := make([]byte, 0, end)
	for i, from := 0, site.args[1].values(t)[0]; i < end; i++ {
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
		t.receive(formal{}, &site.results[i], []uint64{uint64(len(sizes))}, t.base)
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
