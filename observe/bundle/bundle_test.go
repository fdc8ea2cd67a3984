package bundle_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/bundle"
)

// program stands for a recorded program: its kernels are functions.
type program struct {
	t      *testing.T
	out    bytes.Buffer
	r      *bundle.Recorder
	kernel *bundle.Kernel
	memory []*bundle.Object
	begun  int // launches
}

func newProgram(t *testing.T, o bundle.Options) *program {
	p := &program{t: t}
	var err error
	p.r, err = bundle.NewRecorder(&p.out, o, func(err error) { t.Error(err) })
	require.NoError(t, err)
	p.kernel = newKernel("k")
	return p
}

func newKernel(name string) *bundle.Kernel {
	m := &bundle.Module{Image: []byte("image"), Arch: "sm_13", Variables: []bundle.Variable{{Name: "v", Address: 0x9000, Bytes: 4}}}
	return &bundle.Kernel{
		Module: m, Name: name, Textures: []string{"", "tex"},
		Banks: []bundle.Bank{{Bank: 0, Address: 0x9000, Bytes: 4}, {Bank: 1, Bytes: 3, Data: []byte{1, 2, 3}}, {Bank: 14, Bytes: 2, Data: []byte{4, 5}}},
	}
}

func (p *program) alloc(kind bundle.Kind, address uint32, size int) *bundle.Object {
	o := &bundle.Object{Kind: kind, Address: address, Bytes: make([]byte, size)}
	p.memory = append(p.memory, o)
	return o
}

func (p *program) launch(context uint64) *bundle.Launch {
	p.begun++
	return &bundle.Launch{
		Number: p.begun - 1, Kernel: p.kernel, Context: context, Device: "gtx280", Policy: "nvidia", Order: "instruction", Grid: [2]int{2, 3}, Block: [3]int{4, 5, 6}, Shared: 16,
		Params: []byte{7, 8}, Textures: []bundle.Texture{{Unit: 1, Kind: "array", Array: 77, Modes: [3]int{1, 0, 2}}}, Memory: p.memory,
	}
}

// run records a launch that does what do does.
func (p *program) run(do func()) {
	g := p.r.Begin(p.launch(1))
	do()
	g.End(p.memory, bundle.Outcome{Result: bundle.Success})
}

// read returns the launches of a bundle as text: memory before, and the changes. err is the last
// error of Next.
func read(t *testing.T, data []byte) (list []string, closing *bundle.Closing, err error) {
	t.Helper()
	r, err := bundle.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	for {
		l, err := r.Next()
		if err != nil {
			return list, r.Closing, err
		}
		s := fmt.Sprint(l.Number, " ", l.Kernel.Name, " ", l.Result)
		for _, o := range l.Memory {
			s += fmt.Sprintf("; %s %#x %d:", o.Kind, o.Address, len(o.Bytes))
			for i, b := range o.Bytes {
				if b != 0 {
					s += fmt.Sprintf(" [%d]=%d", i, b)
				}
			}
		}
		for _, out := range l.Outputs {
			s += fmt.Sprintf("; writes %#x %d+%d", out.Object.Address, out.Offset, len(out.Bytes))
		}
		list = append(list, s)
	}
}

func TestLaunches(t *testing.T) {
	p := newProgram(t, bundle.Options{})
	a := p.alloc(bundle.Allocation, 0x1000, 10_000)
	array := p.alloc(bundle.Array, 77, 5)
	array.Bytes[4] = 9
	a.Bytes[9_999] = 1
	p.run(func() { a.Bytes[0], a.Bytes[5_000] = 2, 3 })
	a.Bytes[4_096] = 4 // by the host
	p.run(func() {})
	// Freed, and another allocated at the same address.
	p.memory[0] = &bundle.Object{Kind: bundle.Allocation, Address: 0x1000, Bytes: make([]byte, 8)}
	p.memory[0].Bytes[7] = 5
	p.run(func() { p.memory[0].Bytes[0] = 6 })
	list, closing, err := read(t, p.out.Bytes())
	require.Equal(t, io.EOF, err)
	require.Nil(t, closing)
	require.Equal(t, []string{
		"0 k CUDA_SUCCESS; allocation 0x1000 10000: [9999]=1; array 0x4d 5: [4]=9; writes 0x1000 0+8192",
		"1 k CUDA_SUCCESS; allocation 0x1000 10000: [0]=2 [4096]=4 [5000]=3 [9999]=1; array 0x4d 5: [4]=9",
		"2 k CUDA_SUCCESS; allocation 0x1000 8: [7]=5; array 0x4d 5: [4]=9; writes 0x1000 0+8",
	}, list)
	require.NoError(t, p.r.Close())
}

// Slack is part of the content. An object whose slack changes is another object.
func TestSlack(t *testing.T) {
	p := newProgram(t, bundle.Options{})
	o := p.alloc(bundle.Allocation, 0x1000, 4096)
	o.Slack = 4000
	p.run(func() { o.Bytes[95], o.Bytes[4095] = 1, 2 })
	p.memory[0] = &bundle.Object{Kind: bundle.Allocation, Address: 0x1000, Bytes: make([]byte, 4096), Slack: 3996}
	p.run(func() {})
	r, err := bundle.NewReader(&p.out)
	require.NoError(t, err)
	defer r.Close()
	l, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, 96, l.Memory[0].Size())
	require.Equal(t, make([]byte, 4096), l.Memory[0].Bytes)
	require.Equal(t, o.Bytes, l.Outputs[0].Bytes)
	l, err = r.Next()
	require.NoError(t, err)
	require.Equal(t, 100, l.Memory[0].Size())
	require.Equal(t, make([]byte, 4096), l.Memory[0].Bytes)
	require.Empty(t, l.Outputs)
}

// Impossible slack is damage.
func TestImpossibleSlack(t *testing.T) {
	for _, c := range []struct {
		bytes, slack int
		fine         bool
	}{{4096, 4095, true}, {4096, 4096, true}, {8192, 4095, true}, {100, 0, true}, {100, -1, false}, {100, 101, false}, {4097, 4095, false}, {8192, 4096, false}} {
		p := newProgram(t, bundle.Options{})
		p.alloc(bundle.Allocation, 0x1000, c.bytes).Slack = c.slack
		p.run(func() {})
		_, _, err := read(t, p.out.Bytes())
		if c.fine {
			require.Equal(t, io.EOF, err)
			continue
		}
		var damage *bundle.FormatError
		require.ErrorAs(t, err, &damage, "%+v", c)
		require.Contains(t, err.Error(), "bytes of slack")
	}
}

func TestDescriptions(t *testing.T) {
	p := newProgram(t, bundle.Options{})
	want := p.launch(1)
	p.r.Begin(want).End(nil, bundle.Outcome{Result: "CUDA_ERROR_LAUNCH_FAILED", Message: "a fault"})
	r, err := bundle.NewReader(&p.out)
	require.NoError(t, err)
	got, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, "launch 0, kernel k, grid 2x3, block 4x5x6", got.String())
	require.Equal(t, bundle.Outcome{Result: "CUDA_ERROR_LAUNCH_FAILED", Message: "a fault"}, got.Outcome)
	require.Equal(t, want.Params, got.Params)
	require.Equal(t, want.Textures, got.Textures)
	require.Equal(t, want.Device+want.Policy+want.Order, got.Device+got.Policy+got.Order)
	require.Equal(t, want.Kernel.Banks, got.Kernel.Banks)
	require.Equal(t, want.Kernel.Textures, got.Kernel.Textures)
	require.Equal(t, want.Kernel.Module.Image, got.Kernel.Module.Image)
	require.Equal(t, want.Kernel.Module.Variables, got.Kernel.Module.Variables)
	require.Equal(t, "sm_13", got.Kernel.Module.Arch)
}

// Unchanged memory is not written again.
func TestDeltas(t *testing.T) {
	p := newProgram(t, bundle.Options{})
	a := p.alloc(bundle.Allocation, 0x1000, 3<<20+5)
	for i := range a.Bytes {
		a.Bytes[i] = byte(i * i >> 7)
	}
	p.run(func() {})
	first := p.out.Len()
	p.run(func() { a.Bytes[2<<20]++ })
	require.Less(t, p.out.Len()-first, 6000)
	r, err := bundle.NewReader(&p.out)
	require.NoError(t, err)
	for range 2 {
		l, err := r.Next()
		require.NoError(t, err)
		if l.Number == 1 {
			a.Bytes[2<<20]--
		}
		require.True(t, bytes.Equal(a.Bytes, l.Memory[0].Bytes) == (l.Number == 1))
	}
}

func TestContexts(t *testing.T) {
	p := newProgram(t, bundle.Options{})
	one, two := &bundle.Object{Kind: bundle.Allocation, Address: 0x1000, Bytes: []byte{1}}, &bundle.Object{Kind: bundle.Allocation, Address: 0x1000, Bytes: []byte{2, 0}}
	l, m := p.launch(1), p.launch(2)
	l.Memory, m.Memory = []*bundle.Object{one}, []*bundle.Object{two}
	g := p.r.Begin(l)
	h := p.r.Begin(m)
	two.Bytes[1] = 3
	h.End(m.Memory, bundle.Outcome{Result: bundle.Success})
	g.End(l.Memory, bundle.Outcome{Result: bundle.Success})
	p.r.Forget(2)
	l.Number, m.Number = 2, 3
	p.r.Begin(l).End(l.Memory, bundle.Outcome{Result: bundle.Success})
	m.Memory[0].Bytes = []byte{4, 5} // a context of the same name that begins with other memory
	p.r.Begin(m).End(m.Memory, bundle.Outcome{Result: bundle.Success})
	list, _, err := read(t, p.out.Bytes())
	require.Equal(t, io.EOF, err)
	require.Equal(t, []string{
		"1 k CUDA_SUCCESS; allocation 0x1000 2: [0]=2; writes 0x1000 0+2",
		"0 k CUDA_SUCCESS; allocation 0x1000 1: [0]=1",
		"2 k CUDA_SUCCESS; allocation 0x1000 1: [0]=1",
		"3 k CUDA_SUCCESS; allocation 0x1000 2: [0]=4 [1]=5",
	}, list)
}

func TestOptions(t *testing.T) {
	p := newProgram(t, bundle.Options{Kernels: []string{"k"}, Launches: 2})
	a := p.alloc(bundle.Allocation, 0x1000, 1)
	other := newKernel("other")
	for i := range 4 {
		l := p.launch(1)
		if i == 1 {
			l.Kernel = other
		}
		g := p.r.Begin(l)
		require.Equal(t, i == 0 || i == 2, g != nil)
		a.Bytes[0]++
		g.End(p.memory, bundle.Outcome{Result: bundle.Success})
	}
	list, _, err := read(t, p.out.Bytes())
	require.Equal(t, io.EOF, err)
	require.Equal(t, []string{
		"0 k CUDA_SUCCESS; allocation 0x1000 1:; writes 0x1000 0+1",
		"2 k CUDA_SUCCESS; allocation 0x1000 1: [0]=2; writes 0x1000 0+1",
	}, list)
}

// A launch that runs when recording ends for others keeps its own writes.
func TestLimitWhileRunning(t *testing.T) {
	p := newProgram(t, bundle.Options{Launches: 2})
	a := p.alloc(bundle.Allocation, 0x1000, 1)
	first, second := p.r.Begin(p.launch(1)), p.r.Begin(p.launch(2))
	require.Nil(t, p.r.Begin(p.launch(1)))
	for _, g := range []*bundle.Recording{first, second} {
		a.Bytes[0]++
		g.End(p.memory, bundle.Outcome{Result: bundle.Success})
	}
	require.Nil(t, p.r.Begin(p.launch(1)))
	list, _, err := read(t, p.out.Bytes())
	require.Equal(t, io.EOF, err)
	require.Equal(t, []string{
		"0 k CUDA_SUCCESS; allocation 0x1000 1:; writes 0x1000 0+1",
		"1 k CUDA_SUCCESS; allocation 0x1000 1:; writes 0x1000 0+1",
	}, list)
}

func TestParsePath(t *testing.T) {
	for _, c := range []struct {
		text, file string
		o          bundle.Options
		err        string
	}{
		{"a.jqb", "a.jqb", bundle.Options{}, ""},
		{"/x:y/a", "/x:y/a", bundle.Options{}, ""},
		{"a:kernel=f+g,launches=3", "a", bundle.Options{Kernels: []string{"f", "g"}, Launches: 3}, ""},
		{"a:launches=0", "a", bundle.Options{}, `bundle: launches="0": want a number above 0`},
		{"a:kernel=", "a", bundle.Options{}, `bundle: kernel without a name: want names with + between`},
		{"a:first=3", "a", bundle.Options{}, `bundle: unknown option "first=3": want kernel=NAME (several with + between) or launches=N, with a comma between`},
		{"a/", "a/", bundle.Options{}, `bundle: "a/" names no file: want the path of a file, and perhaps a colon and options`},
	} {
		file, o, err := bundle.ParsePath(c.text)
		require.Equal(t, c.file, file)
		if c.err != "" {
			require.EqualError(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.o, o)
		if s := o.String(); s != "" {
			require.Equal(t, c.text, file+":"+s)
		}
	}
}

// three returns a bundle of three launches.
func three(t *testing.T) []byte {
	p := newProgram(t, bundle.Options{})
	a := p.alloc(bundle.Allocation, 0x1000, 5000)
	p.alloc(bundle.Mapped, 0x4000, 4096)
	p.alloc(bundle.Array, 77, 5)
	for i := range 3 {
		a.Bytes[1000] = byte(i + 10)
		p.run(func() { a.Bytes[4999]++ })
	}
	return p.out.Bytes()
}

// A truncated bundle is readable up to the last whole launch, and the reader reports the cut.
func TestCutOff(t *testing.T) {
	data := three(t)
	whole, _, err := read(t, data)
	require.Equal(t, io.EOF, err)
	require.Len(t, whole, 3)
	atEnd := 0
	for size := range data {
		list, _, err := read(t, data[:size])
		var cut *bundle.CutError
		var bad *bundle.FormatError
		switch {
		case size < 16:
			require.ErrorAs(t, err, &bad)
		case err == io.EOF:
			atEnd++
		case errors.As(err, &cut):
			require.LessOrEqual(t, cut.Offset, int64(size))
			require.Equal(t, len(list), cut.Launches)
		default:
			t.Fatal(err)
		}
		require.Equal(t, fmt.Sprint(whole[:len(list)]), fmt.Sprint(list))
	}
	require.Equal(t, 5, atEnd, "nothing is missing behind the header, the module, the kernel, and the first two launches")
}

// A changed byte is found.
func TestDamage(t *testing.T) {
	data := three(t)
	for i := range data {
		broken := bytes.Clone(data)
		broken[i] ^= 0x10
		list, _, err := read(t, broken)
		var bad *bundle.FormatError
		var cut *bundle.CutError
		switch {
		case i >= 12 && i < 16: // unused
			require.Equal(t, io.EOF, err)
		case errors.As(err, &bad):
			require.LessOrEqual(t, bad.Offset, int64(i))
		default:
			require.ErrorAs(t, err, &cut, "byte %d", i) // a length
		}
		require.Less(t, len(list), 4)
	}
}

func TestFinish(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jqb")
	data := three(t)
	require.NoError(t, os.WriteFile(path, data, 0o666))
	launches, err := bundle.Finish(path, bundle.Closing{Status: 3})
	require.NoError(t, err)
	require.Equal(t, 3, launches)
	finished, err := os.ReadFile(path)
	require.NoError(t, err)
	list, closing, err := read(t, finished)
	require.Equal(t, io.EOF, err)
	require.Len(t, list, 3)
	require.Equal(t, &bundle.Closing{Status: 3}, closing)

	var cut *bundle.CutError
	require.NoError(t, os.WriteFile(path, data[:len(data)-1], 0o666))
	launches, err = bundle.Finish(path, bundle.Closing{})
	require.ErrorAs(t, err, &cut)
	require.Equal(t, 2, cut.Launches)
	require.Equal(t, 2, launches)
	var bad *bundle.FormatError
	require.NoError(t, os.WriteFile(path, []byte("something else, longer than a header of anything"), 0o666))
	_, err = bundle.Finish(path, bundle.Closing{})
	require.ErrorAs(t, err, &bad)
	_, err = bundle.Finish(path+"x", bundle.Closing{})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.True(t, bundle.Sniff(finished))
	require.False(t, bundle.Sniff(finished[1:]))
}

func TestMostMemory(t *testing.T) {
	r, err := bundle.NewReader(bytes.NewReader(three(t)))
	require.NoError(t, err)
	r.MostMemory = 6500
	_, err = r.Next()
	require.ErrorContains(t, err, "more than the 6500 bytes that memory may have")
	var full *bundle.FormatError
	require.ErrorAs(t, err, &full)
	require.True(t, full.Memory)
}

func TestWriteError(t *testing.T) {
	var said []error
	r, err := bundle.NewRecorder(&full{room: 200}, bundle.Options{}, func(err error) { said = append(said, err) })
	require.NoError(t, err)
	for range 3 {
		r.Begin(&bundle.Launch{Kernel: newKernel("k")}).End(nil, bundle.Outcome{})
	}
	require.Len(t, said, 1)
	require.ErrorIs(t, said[0], errFull)
	require.ErrorIs(t, r.Close(), errFull)
}

var errFull = errors.New("no more room")

type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}
