package cubintest

import (
	"cmp"
	"encoding/binary"
	"io"

	"jacquard/cubin"
)

// Memory is the memory of an imaginary program. Only the objects in it can be read, not even one
// byte past an object.
type Memory struct {
	Word    int // bytes per pointer: 4 or 8
	Long    int // bytes per unsigned long; 0 means Word
	objects []object
}

type object struct {
	address uint64
	data    []byte
}

// Add puts an object into the memory and returns its address.
func (m *Memory) Add(data []byte) uint64 {
	at := uint64(0x1000)
	if len(m.objects) > 0 {
		last := m.objects[len(m.objects)-1]
		at = (last.address+uint64(len(last.data)))&^7 + 24
	}
	m.objects = append(m.objects, object{at, data})
	return at
}

// ReadAt reads from one object.
func (m *Memory) ReadAt(b []byte, address int64) (int, error) {
	n := 0
	for _, o := range m.objects {
		if at := uint64(address) - o.address; at < uint64(len(o.data)) {
			n = copy(b, o.data[at:])
		}
	}
	if n < len(b) {
		return n, io.ErrUnexpectedEOF
	}
	return n, nil
}

// At returns the object at an address, to change it.
func (m *Memory) At(address uint64) []byte {
	for _, o := range m.objects {
		if o.address == address {
			return o.data
		}
	}
	return nil
}

// Flatten returns the memory from address 0 on, with zeros between the objects.
func (m *Memory) Flatten() []byte {
	var b []byte
	for _, o := range m.objects {
		b = append(b, make([]byte, int(o.address)-len(b))...)
		b = append(b, o.data...)
	}
	return b
}

// Cubin returns m in the form that package cubin takes.
func (m *Memory) Cubin() cubin.Memory { return cubin.Memory{ReaderAt: m, Word: m.Word, Long: m.Long} }

// words returns fields, each as wide as a pointer.
func (m *Memory) words(fields ...uint64) []byte {
	var b []byte
	for _, f := range fields {
		if m.Word == 8 {
			b = binary.LittleEndian.AppendUint64(b, f)
		} else {
			b = binary.LittleEndian.AppendUint32(b, uint32(f))
		}
	}
	return b
}

func (m *Memory) text(s string) uint64 { return m.Add([]byte(s + "\x00")) }

// Wrapper adds the struct of CUDA 4.0 and later that points at a flat container, and returns its
// address.
func (m *Memory) Wrapper(flat []byte) uint64 {
	b := binary.LittleEndian.AppendUint32(nil, 0x466243b1)
	b = binary.LittleEndian.AppendUint32(b, 1)
	return m.Add(append(b, m.words(m.Add(flat), 0)...))
}

// Struct adds the struct of CUDA 1.x .. 3.x and returns its address. Version is 1 to 4.
func (m *Memory) Struct(version int, source string, entries ...Entry) uint64 {
	var ptx, cubins, list []uint64
	type record struct {
		profile, data uint64
		size          int
	}
	var elfs []record
	for _, e := range entries {
		switch e.Container {
		case cubin.PTX:
			ptx = append(ptx, m.text(e.profile()), m.text(string(e.Data)))
		case cubin.Text:
			cubins = append(cubins, m.text(e.profile()), m.text(string(e.Data)))
		case cubin.ELF:
			elfs = append(elfs, record{m.text(e.profile()), m.Add(e.Data), len(e.Data)})
		}
	}
	if version >= 4 {
		next := m.Add(m.words(0, 0, 0, 0)) // the list ends with a record of zeros
		for i := len(elfs) - 1; i >= 0; i-- {
			next = m.Add(m.words(elfs[i].profile, elfs[i].data, next, uint64(elfs[i].size)))
		}
		list = []uint64{next}
	}
	pairs := func(p []uint64) uint64 { return m.Add(m.words(append(p, 0, 0)...)) }
	fields := []uint64{0x1ee55a01, uint64(version), 0x2e00b786, m.text("0123456789abcdef"), m.text(source), m.text(" "),
		pairs(ptx), pairs(cubins), pairs(nil)}
	if version >= 2 {
		fields = append(fields, 0, 0)
	}
	if version >= 3 {
		fields = append(fields, 0, 0, 0)
	}
	if version >= 4 {
		fields = append(append(fields, 0x12345678), list...)
	}
	return m.Add(m.structure(fields))
}

// structure lays out the fields of the struct: unsigned long, pointers, and two words of 32 bits.
func (m *Memory) structure(fields []uint64) []byte {
	sizes := map[byte]int{'l': cmp.Or(m.Long, m.Word), 'p': m.Word, 'w': 4}
	var b []byte
	for i, f := range fields {
		size := sizes["lllpppppppwpppwp"[i]]
		for len(b)%size != 0 {
			b = append(b, 0)
		}
		b = append(b, binary.LittleEndian.AppendUint64(nil, f)[:size]...)
	}
	return b
}

// Pointers returns the addresses of all words that hold an object's address.
func (m *Memory) Pointers() (list []uint64) {
	for _, o := range m.objects {
		for at := 0; at+m.Word <= len(o.data); at += m.Word {
			v := uint64(binary.LittleEndian.Uint32(o.data[at:]))
			if m.Word == 8 {
				v = binary.LittleEndian.Uint64(o.data[at:])
			}
			if m.At(v) != nil {
				list = append(list, o.address+uint64(at))
			}
		}
	}
	return list
}

func (e *Entry) profile() string {
	target := cubin.Entry{Container: e.Container, Arch: e.Arch}
	return target.Target()
}
