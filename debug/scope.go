package debug

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"jacquard/debug/expr"
	"jacquard/simt/machine"
)

// scope is the Scope of a lane at an instruction.
type scope struct {
	r  *run
	b  *blockWatch // nil: global memory alone
	at Focus
	pc int // index of the instruction
	// frame is the inlined call whose names count.
	frame int
}

// blockScope is what is known of a block before it runs.
type blockScope struct {
	r     *run
	block int
}

func (s *blockScope) Name(name string) (expr.Value, error) {
	if v, ok := s.r.launch.shape(name, s.block); ok {
		return v, nil
	}
	return expr.Value{}, expr.ErrUnknown
}

func (s *blockScope) Register(string) (expr.Value, error) { return expr.Value{}, expr.ErrUnknown }

func (s *blockScope) Load(string, uint32, int) ([]byte, error) { return nil, expr.ErrUnknown }

var dim3 = dimensions("dim3")
var uint3 = dimensions("uint3")

// dimensions returns the type of a vector of three words.
func dimensions(name string) *expr.Type {
	t := &expr.Type{Kind: expr.Struct, Size: 12, Name: name}
	for i, n := range [...]string{"x", "y", "z"} {
		t.Fields = append(t.Fields, expr.Field{Name: n, Offset: 4 * i, Type: expr.TypeUint})
	}
	return t
}

// vector returns a value of three words, or one of them.
func vector(t *expr.Type, member string, words [3]int) (expr.Value, bool) {
	v := expr.Value{Type: t}
	for _, w := range words {
		v.Data = binary.LittleEndian.AppendUint32(v.Data, uint32(w))
	}
	if member == "" {
		return v, true
	}
	one, err := expr.Member(v, member)
	return one, err == nil
}

// shape returns a name of CUDA that is the same in a whole block.
func (l *Launch) shape(name string, block int) (expr.Value, bool) {
	base, member, _ := strings.Cut(name, ".")
	at := l.BlockIndex(block)
	switch base {
	case "blockIdx":
		return vector(uint3, member, [3]int{at[0], at[1], 0})
	case "blockDim":
		return vector(dim3, member, l.Block)
	case "gridDim":
		return vector(dim3, member, [3]int{l.Grid[0], l.Grid[1], 1})
	case "warpSize":
		return expr.Of(expr.TypeInt, 32), member == ""
	}
	return expr.Value{}, false
}

// Name implements expr.Scope.
func (s *scope) Name(name string) (expr.Value, error) {
	if v, ok := s.r.launch.shape(name, s.at.Block); ok {
		return v, nil
	}
	base, member, _ := strings.Cut(name, ".")
	if base == "threadIdx" {
		thread, _ := s.r.launch.Thread(s.at)
		if v, ok := vector(uint3, member, thread); ok {
			return v, nil
		}
	}
	if v, found, err := s.variable(name); found {
		return v, err
	}
	if v, ok := s.r.Kernel.Variables[name]; ok {
		t := &expr.Type{Kind: expr.Array, Size: len(v.Bytes), Elem: expr.TypeUint, Len: len(v.Bytes) / 4}
		if len(v.Bytes) == 4 {
			t = expr.TypeUint
		}
		data, err := s.Load("global", v.Address, len(v.Bytes))
		return expr.Value{Type: t, Data: data, Place: &expr.Place{Space: "global", Address: v.Address}}, err
	}
	if v, ok := s.enumerator(name); ok {
		return v, nil
	}
	return expr.Value{}, fmt.Errorf("no %q here: want threadIdx, blockIdx, blockDim, gridDim, a variable in scope or a register as $r3", name)
}

// variable returns a variable of the source, or a parameter by its number.
func (s *scope) variable(name string) (v expr.Value, found bool, err error) {
	if s.b == nil || s.b.st == nil {
		return v, false, nil
	}
	list := s.list()
	for i := range list {
		if list[i].name == name {
			v, err = s.value(&list[i])
			if err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
			return v, true, err
		}
	}
	return v, false, nil
}

// word returns a general register.
func (s *scope) word(register int) (uint32, error) {
	if s.b == nil || s.b.st == nil {
		return 0, expr.ErrUnknown
	}
	if n := s.r.code.p.Kernel.Registers; register < 0 || register >= n {
		return 0, fmt.Errorf("no register $r%d: the kernel has %d", register, n)
	}
	return s.b.st.RegisterRow(register, s.at.Warp)[s.at.Lane], nil
}

// Register implements expr.Scope.
func (s *scope) Register(name string) (expr.Value, error) {
	if s.b == nil || s.b.st == nil {
		return expr.Value{}, expr.ErrUnknown
	}
	value := func(u uint32) (expr.Value, error) {
		v := expr.Of(expr.TypeUint, int64(u))
		v.Place = &expr.Place{Name: name}
		return v, nil
	}
	switch name {
	case "pc":
		return value(s.r.code.place(s.pc).PC)
	case "laneid", "lane":
		return value(uint32(s.at.Lane))
	case "warpid", "warp":
		return value(uint32(s.at.Warp))
	case "physid":
		return value(s.b.st.PhysicalID(s.at.Warp, s.at.Lane))
	}
	n, err := strconv.Atoi(name[min(1, len(name)):])
	if err == nil {
		switch name[0] {
		case 'r', 'R':
			u, err := s.word(n)
			if err != nil {
				return expr.Value{}, err
			}
			return value(u)
		case 'a':
			if n < 8 {
				rows := s.b.view.AddressRegister(uint8(n), s.at.Warp)
				return value(rows[s.at.Lane])
			}
		case 'c', 'p':
			if n < 4 {
				return value(flagsOf(s.b.st, n, s.at))
			}
		}
	}
	return expr.Value{}, fmt.Errorf("no register $%s: want $r0 to $r%d, $a1 to $a7, $c0 to $c3, $pc, $laneid or $warpid", name, s.r.code.p.Kernel.Registers-1)
}

// flagsOf returns a condition register of a lane: bits for zero, sign, carry and overflow.
func flagsOf(st *machine.State, c int, at Focus) (bits uint32) {
	f := &st.Flags[c][at.Warp]
	for i, m := range [...]uint32{uint32(f.Z), uint32(f.S), uint32(f.C), uint32(f.O)} {
		bits |= m >> at.Lane & 1 << i
	}
	return bits
}

// Load implements expr.Scope.
func (s *scope) Load(space string, address uint32, n int) ([]byte, error) {
	window, err := s.window(space, address, n)
	if err != nil {
		return nil, err
	}
	return append([]byte(nil), window...), nil
}

// headBytes is where a block's parameters begin in its shared memory.
const headBytes = 16

// window returns n bytes of a memory: the memory itself, unless it is local.
func (s *scope) window(space string, address uint32, n int) ([]byte, error) {
	refuse := func() ([]byte, error) {
		return nil, fmt.Errorf("cannot access %d bytes at @%s 0x%x", n, space, address)
	}
	if n < 0 {
		return refuse()
	}
	from := func(data []byte, at uint32) ([]byte, error) {
		if uint64(at)+uint64(n) > uint64(len(data)) {
			return refuse()
		}
		return data[at:][:n], nil
	}
	if space == "global" || space == "" {
		if data := s.r.Request.Global.Reach(address); len(data) >= n && (n == 0 || data != nil) {
			return data[:n], nil
		}
		space = "global"
		return refuse()
	}
	if space == "const" {
		return from(s.r.Request.Const[address>>16&15], address&0xffff)
	}
	if s.b == nil || s.b.st == nil {
		return nil, expr.ErrUnknown
	}
	switch space {
	case "shared":
		return from(s.b.st.Shared.Bytes(), address)
	case "param":
		return from(s.b.st.Shared.Bytes(), address+headBytes)
	case "local":
		local := s.b.st.LocalOf(s.at.Warp)
		var data []byte
		if uint64(address)+uint64(n) > 4*uint64(len(local)) {
			return refuse()
		}
		for i := address; i < address+uint32(n); i++ {
			data = append(data, byte(local[i/4][s.at.Lane]>>(i%4*8)))
		}
		return data, nil
	}
	return nil, fmt.Errorf("no memory @%s", space)
}
