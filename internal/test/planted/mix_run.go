package planted

import (
	"encoding/binary"
	"errors"
	"fmt"

	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/simt/shadow"
	"jacquard/tesla"
)

// mixResult is what a checker of what nobody wrote finds in the launches of a mix.
type mixResult struct {
	found   []check.Finding // in kernels
	outputs []shadow.Output // in what the host gets
	out     []byte          // the results
}

// compile returns the machine code of the mix.
func (m *Mix) compile() (*cubin.Image, error) {
	parsed, err := ptx.Parse("k.ptx", []byte(m.Text()))
	if err != nil {
		return nil, err
	}
	im, err := compile.Compile(parsed, compile.Options{Arch: tesla.SM13, TextLines: true})
	if err == nil && m.silent >= 0 && !unset(&im.Kernels[0], m.starts[m.silent]) {
		err = errNoRegister
	}
	return im, err
}

var errNoRegister = errors.New("no instruction that writes a register first")

// unset takes out the instruction of a line at the start of a kernel that gives a register its
// first value. The register then has none: code before it does not branch, and only $r0 has a value
// at first.
func unset(k *cubin.Kernel, line int) bool {
	var written tesla.Registers
	offset := uint32(0)
	for _, in := range decoder.Kernel(tesla.SM13, k.Code) {
		if at, ok := k.LineAt(offset); ok && at.Line == line && in.Op == tesla.OpLdGlobal {
			if in.Size != 8 || written.Meets(in.Defs()) || in.Dst.Index == 0 {
				return false
			}
			k.Code[offset/4], k.Code[offset/4+1] = 0xf0000001, 0xe0000000 // a nop
			return true
		}
		written = written.Union(in.Defs())
		offset += uint32(in.Size)
	}
	return false
}

// run runs the launches under the checker.
func (m *Mix) run(policy string) (r mixResult, err error) {
	im, err := m.compile()
	if err != nil {
		return r, err
	}
	p, err := load.Program(im.Arch, &im.Kernels[0], simt.Host{})
	if err != nil {
		return r, err
	}
	space, nobody := mem.NewSpace(1<<24), shadow.NewMemory()
	r.out = make([]byte, 8*m.grid*m.threads())
	arrays, err := m.allocate(space, nobody, r.out)
	if err != nil {
		return r, err
	}
	data, err := load.Place(im, space, space.Alloc)
	if err != nil {
		return r, err
	}
	for i := range m.launches {
		var found []check.Finding
		l := &simt.Launch{Program: p, Grid: [2]int{m.grid, 1}, Block: [3]int{m.shape[0], m.shape[1], 1},
			Policy: policy, Const: data.Const(&im.Kernels[0]), Global: space, Watchdog: 1 << 24, Workers: 1,
			Params: append(binary.LittleEndian.AppendUint32(nil, uint32(i)), arrays...), NoStats: true}
		_, err = nobody.Run(l, func() { found = nil }, func(f check.Finding) { found = append(found, f) })
		if err != nil {
			return r, fmt.Errorf("launch %d: %w", i, err)
		}
		r.found = append(r.found, found...)
	}
	r.outputs = nobody.Outputs(m.rows(binary.LittleEndian.Uint32(arrays[4:]))...)
	return r, nil
}

// rows returns what the host gets of results at an address.
func (m *Mix) rows(at uint32) (list []shadow.Range) {
	from, to := uint32(4*m.host[0]), uint64(4*(m.host[1]-m.host[0]))
	if to == 8 {
		return []shadow.Range{{Addr: at, Size: uint64(8 * m.grid * m.threads())}}
	}
	for i := range m.grid * m.threads() {
		list = append(list, shadow.Range{Addr: at + uint32(8*i) + from, Size: to})
	}
	return list
}

// allocate returns the addresses of global memory: of the table, results, marks and arrays.
func (m *Mix) allocate(space *mem.Space, nobody *shadow.Memory, out []byte) (params []byte, err error) {
	var permuted []byte
	for _, v := range m.table {
		permuted = binary.LittleEndian.AppendUint32(permuted, v)
	}
	add := func(b []byte, from, to int) {
		at, failed := space.AllocIn(b, 0)
		if failed != nil {
			err = failed
		}
		if to > from {
			nobody.Blank(at+uint32(from), uint64(to-from))
		}
		params = binary.LittleEndian.AppendUint32(params, at)
	}
	add(permuted, 0, 0)
	add(out, 0, len(out))
	add(make([]byte, 4*m.grid*m.threads()), 0, 0)
	var starts []byte
	for i := range m.grid * m.threads() * pool {
		starts = binary.LittleEndian.AppendUint32(starts, startOf(i))
	}
	add(starts, 0, 0)
	for _, p := range m.places {
		if p.space != "global" {
			continue
		}
		if data := p.data(); data != nil {
			b := make([]byte, p.bytes)
			copy(b[p.blank:], data)
			add(b, 0, p.blank)
		} else {
			add(make([]byte, p.bytes), 0, p.bytes)
		}
	}
	return params, err
}
