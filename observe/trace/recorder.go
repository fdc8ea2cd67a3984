package trace

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"jacquard/internal/outfile"
	"jacquard/observe/trace/codec"
	"jacquard/simt"
	"jacquard/simt/source"
	"jacquard/simt/watch"
)

// Recorder writes a trace. Launches may run at the same time.
type Recorder struct {
	options Options
	buffers *codec.Buffers
	spare   sync.Pool    // of *blockRecorder
	left    atomic.Int64 // warp-instructions still wanted
	// stopped is set after a failed write, and once every wanted warp-instruction is recorded.
	stopped atomic.Bool
	zstd    *zstd.Encoder

	compressing chan struct{} // has one element per frame being compressed

	mu       sync.Mutex // guards the fields below
	written  sync.Cond  // of mu: frames of the queue were written
	queue    []*pending // frames of issues, in the order of the file
	log      outfile.Log
	index    index
	kernels  map[string]int // by description: the kernel's number
	programs map[*simt.Program]*described
	stored   []byte // scratch: a frame
}

// index holds the entries of the next index frame.
type index struct {
	entries []byte // of the frames since the last index
	last    uint64 // offset of the last index, 0 without one
}

// Create begins a trace at path, as outfile.Create does: see Path. At the first failure recording
// ends and onError is called, unless it is nil.
func Create(path string, o Options, onError func(error)) (*Recorder, error) {
	f, err := outfile.Create(path)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	r, err := NewRecorder(f, o, onError)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// Path returns the name of the file. It differs from the path given to Create if another process
// holds that one; it is "" if the trace is in no file.
func (r *Recorder) Path() string { return r.log.Path() }

// underWay bounds the frames being compressed, per core that compresses. It is above 1 because the
// frames of a block come in a burst, when the blocks before it have ended.
const underWay = 8

// NewRecorder begins a trace in w. Close closes w if w is an io.Closer.
func NewRecorder(w io.Writer, o Options, onError func(error)) (*Recorder, error) {
	workers := min(runtime.GOMAXPROCS(0), 4)
	z, err := zstd.NewWriter(nil,
		zstd.WithEncoderConcurrency(workers), zstd.WithEncoderCRC(false),
		zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	r := &Recorder{
		options: o, buffers: codec.NewBuffers(), zstd: z,
		kernels: map[string]int{}, programs: map[*simt.Program]*described{},
		compressing: make(chan struct{}, underWay*workers),
	}
	r.log = outfile.NewLog("trace", w, func(err error) {
		r.stopped.Store(true)
		if onError != nil {
			onError(err)
		}
	})
	r.written.L = &r.mu
	r.left.Store(1 << 62)
	if o.First > 0 && o.First < 1<<62 {
		r.left.Store(int64(o.First))
	}
	r.log.Append(codec.FileHeader(true))
	return r, nil
}

// Attach makes l record, besides any recorder that it has. device is the model that runs it, "" if
// none is known. number is the launch's own, which no other launch of the trace has. The caller
// calls end after the launch, with its error.
func (r *Recorder) Attach(l *simt.Launch, device string, number int) (end func(error)) {
	if r.stopped.Load() || !r.options.Launch(number, l.Program.Kernel.Name) {
		return func(error) {}
	}
	o, err := r.begin(l, device, number)
	if err != nil {
		r.fail(err)
		return func(error) {}
	}
	l.Recorder = watch.TeeRecorders(l.Recorder, o)
	return func(err error) {
		o.order.finish()
		failure := ""
		if err != nil {
			failure = err.Error()
		}
		r.end(number, failure)
		r.seal()
	}
}

// begin writes the frame of a launch and returns its recorder.
func (r *Recorder) begin(l *simt.Launch, device string, number int) (*launchRecorder, error) {
	d, err := r.describe(l.Program)
	if err != nil {
		return nil, err
	}
	err = r.announce(d.number, &Launch{
		Number: number, Grid: l.Grid, Block: l.Block,
		Policy: l.Policy, Device: device, Params: hex.EncodeToString(l.Params), Shared: l.Dynamic,
	})
	return &launchRecorder{
		recorder: r, kernel: d.kernel, places: d.places, wanted: d.wanted, warps: r.options.warps(),
		order: order{
			recorder: r, kernel: d.kernel, launch: number, total: l.Grid[0] * l.Grid[1],
			blocks: map[int]*blockQueue{},
		},
	}, err
}

// described holds the facts about a program that the recorder needs.
type described struct {
	kernel *Kernel
	number int     // of the kernel in the file
	places [][]int // by instruction and value: see placesOf
	wanted []bool  // by instruction; nil selects all
}

// mostDescribed is the number of programs to remember. Without a memory, small launches would spend
// most of their time on describing their programs.
const mostDescribed = 64

// describe returns the description of a program, and writes the kernel's frame if there is none.
func (r *Recorder) describe(p *simt.Program) (*described, error) {
	r.mu.Lock()
	d := r.programs[p]
	r.mu.Unlock()
	if d != nil {
		return d, nil
	}
	k := &p.Kernel
	d = &described{
		wanted: r.options.instructions(k.Code),
		kernel: &Kernel{Name: k.Name, Arch: k.Arch, Registers: k.Registers, Code: k.Code},
	}
	pcs := make([]uint32, len(k.Code))
	for i := range k.Code {
		pcs[i] = p.Code[i].PC
		e := p.Effects(i)
		slots := r.options.slots(e)
		d.kernel.Values, d.places = append(d.kernel.Values, slots), append(d.places, placesOf(slots, &e))
		d.kernel.Decides = append(d.kernel.Decides, e.Decides)
	}
	d.kernel.PCs, d.kernel.Source = pcs, source.New(pcs, k.Source)
	d.kernel.Prepare()
	var err error
	if d.number, err = r.kernel(d.kernel); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.programs) == mostDescribed {
		clear(r.programs)
	}
	r.programs[p] = d
	return d, nil
}

// kernel writes the kernel's frame unless there is one, and returns the kernel's number.
func (r *Recorder) kernel(k *Kernel) (int, error) {
	description, err := k.Payload()
	if err != nil {
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	number, known := r.kernels[string(description)]
	if !known {
		number = len(r.kernels)
		r.kernels[string(description)] = number
		r.frame(&codec.Header{Kind: codec.KernelFrame, Launch: uint32(number)}, description)
	}
	return number, nil
}

// announce writes the frame of a launch of the kernel with that number.
func (r *Recorder) announce(kernel int, l *Launch) error {
	h := codec.Header{Kind: codec.LaunchFrame, Launch: uint32(l.Number)}
	return r.json(&h, &launchJSON{kernel, l.Grid, l.Block, l.Policy, l.Device, l.Params, l.Shared})
}

// end writes a launch's last frame. failure is the fault, "" if there was none.
func (r *Recorder) end(number int, failure string) {
	h := codec.Header{Kind: codec.EndFrame, Launch: uint32(number)}
	if err := r.json(&h, &endJSON{failure[:min(len(failure), codec.MostString)]}); err != nil {
		r.fail(err)
	}
}

// json writes the frame of a description; an end comes after the frames being compressed.
func (r *Recorder) json(h *codec.Header, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if h.Kind == codec.EndFrame {
		r.drain()
	}
	r.frame(h, data)
	return nil
}

// seal writes the index of the frames since the last index.
func (r *Recorder) seal() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drain()
	at := r.log.Size()
	r.frame(&codec.Header{Kind: codec.IndexFrame, First: r.index.last}, r.index.entries)
	r.frame(&codec.Header{Kind: codec.TailFrame, First: at}, nil)
	r.index = index{r.index.entries[:0], at}
	r.log.Look()
}

// frame writes a frame. The caller holds the lock.
func (r *Recorder) frame(h *codec.Header, payload []byte) {
	r.stored = h.Frame(r.zstd, payload, append(r.stored[:0], make([]byte, codec.HeaderSize)...))
	r.append(h.Kind, r.stored)
}

// append writes a complete frame in one write. The caller holds the lock.
func (r *Recorder) append(k codec.Kind, b []byte) {
	if x := &r.index.entries; k < codec.IndexFrame {
		*x = append(binary.LittleEndian.AppendUint64(*x, r.log.Size()), b[:codec.HeaderSize]...)
	}
	r.log.Append(b)
}

func (r *Recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log.Fail(err)
}

// Close marks the end of the run and closes the file. It returns the failure that ended the trace
// early. Without Close the file is complete up to the end of the last launch, but a reader says that
// the run has no end.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped.Store(true)
	r.frame(&codec.Header{Kind: codec.TailFrame, First: r.index.last, Count: 1}, nil)
	return errors.Join(r.zstd.Close(), r.log.Close())
}
