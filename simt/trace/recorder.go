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

	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/simt/outfile"
)

// Recorder writes a trace. Launches may run at the same time.
type Recorder struct {
	options  Options
	lanes    *lane.Kernels
	buffers  buffers
	spare    sync.Pool    // of *blockRecorder
	left     atomic.Int64 // warp-instructions still wanted
	stopped  atomic.Bool  // writing failed, or all that was wanted is there
	launches atomic.Int64 // begun, recorded or not

	pressing chan struct{} // holds one for each frame being compressed

	mu       sync.Mutex // guards what follows
	written  sync.Cond  // of mu: a frame of the queue was
	queue    []*pressed // frames of issues, in the order of the file
	log      outfile.Log
	zstd     *zstd.Encoder
	indexed  uint64         // where the last index began, 0 without one
	index    []byte         // of frames since then
	kernels  map[string]int // by description: its number
	programs map[*simt.Program]*described
	stored   []byte // scratch: a frame
}

// Create begins a trace in a new file, in place of one that is there. If another process is writing
// that file, the new one is beside it: see Path. When the file cannot be written, or not any more,
// onError is called once with the reason, and nothing more is recorded; it may be nil.
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

// Path returns the name of the file, which is another than Create was given if that was taken; "" if
// it is none.
func (r *Recorder) Path() string { return r.log.Path() }

// underWay is how many frames for each core that compresses are waited for at most: what is recorded of a
// block comes at once, when those before it have ended.
const underWay = 8

// NewRecorder begins a trace in w, which Close closes if it can be closed.
func NewRecorder(w io.Writer, o Options, onError func(error)) (*Recorder, error) {
	workers := min(runtime.GOMAXPROCS(0), 4)
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(workers), zstd.WithEncoderCRC(false), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	lanes, err := lane.Find("")
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	r := &Recorder{options: o, lanes: lanes, buffers: newBuffers(), zstd: z, kernels: map[string]int{}, programs: map[*simt.Program]*described{}, pressing: make(chan struct{}, underWay*workers)}
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
	head := make([]byte, fileHeaderSize)
	copy(head, magic)
	binary.LittleEndian.PutUint32(head[8:], Version)
	r.log.Append(head)
	return r, nil
}

// Attach makes l record itself. The function that it returns
// must be called after the launch, with its error.
func (r *Recorder) Attach(l *simt.Launch) (end func(error)) {
	number := int(r.launches.Add(1)) - 1
	if r.stopped.Load() || !r.options.launch(number, l.Program.Kernel.Name) {
		return func(error) {}
	}
	o, err := r.begin(l, number)
	if err != nil {
		r.fail(err)
		return func(error) {}
	}
	l.Recorder = o
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

// begin announces a launch and returns what observes it.
func (r *Recorder) begin(l *simt.Launch, number int) (*launchRecorder, error) {
	d, err := r.describe(l.Program)
	if err != nil {
		return nil, err
	}
	err = r.announce(d.number, &Launch{
		Number: number, Grid: l.Grid, Block: l.Block, Policy: l.Policy, Params: hex.EncodeToString(l.Params), Shared: l.Dynamic,
	})
	return newLaunchRecorder(r, d, number, l.Grid[0]*l.Grid[1]), err
}

// described is what is recorded of a program.
type described struct {
	kernel *Kernel
	number int    // of the kernel in the file
	wanted []bool // by instruction; nil: all
}

// mostDescribed is how many programs are remembered: small launches would spend most of their time on describing theirs.
const mostDescribed = 64

// describe returns what is recorded of a program.
func (r *Recorder) describe(p *simt.Program) (*described, error) {
	r.mu.Lock()
	d := r.programs[p]
	r.mu.Unlock()
	if d != nil {
		return d, nil
	}
	d = &described{wanted: r.options.instructions(p.Kernel.Code)}
	d.kernel = describe(p, r.options.Values)
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

// kernel writes a kernel's frame, if there is none, and returns its number.
func (r *Recorder) kernel(k *Kernel) (int, error) {
	description, err := k.payload()
	if err != nil {
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	number, known := r.kernels[string(description)]
	if !known {
		number = len(r.kernels)
		r.kernels[string(description)] = number
		r.frame(&header{kind: kindKernel, launch: uint32(number)}, description)
	}
	return number, nil
}

// announce writes the frame of a launch of the kernel with a number.
func (r *Recorder) announce(kernel int, l *Launch) error {
	data, err := json.Marshal(&launchJSON{kernel, l.Grid, l.Block, l.Policy, l.Params, l.Shared})
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frame(&header{kind: kindLaunch, launch: uint32(l.Number)}, data)
	return nil
}

// end writes a launch's last frame; failure is why it faulted, "" if it did not.
func (r *Recorder) end(number int, failure string) {
	data, err := json.Marshal(&endJSON{failure[:min(len(failure), mostString)]})
	if err != nil {
		r.fail(err)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drain()
	r.frame(&header{kind: kindEnd, launch: uint32(number)}, data)
}

// seal writes the index of the frames since the index before.
func (r *Recorder) seal() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drain()
	at := r.log.Size()
	r.frame(&header{kind: kindIndex, first: r.indexed}, r.index)
	r.frame(&header{kind: kindTail, first: at}, nil)
	r.index, r.indexed = r.index[:0], at
	r.log.Look()
}

// frame writes a frame. The caller holds the lock.
func (r *Recorder) frame(h *header, payload []byte) {
	r.stored = r.encode(h, payload, append(r.stored[:0], make([]byte, headerSize)...))
	r.append(h.kind, r.stored)
}

// encode makes a frame of h and its payload behind b, which is room for the header and words that are not compressed.
func (r *Recorder) encode(h *header, payload, b []byte) []byte {
	h.words = uint32(len(b) - headerSize)
	if len(payload) > 0 { // else zstd writes something
		b = r.zstd.EncodeAll(payload, b)
	}
	h.raw, h.stored = uint32(len(payload)), uint32(len(b)-headerSize)
	h.sum = sum(b[headerSize:])
	h.put(b)
	return b
}

// append writes a frame that is complete, in one write. The caller holds the lock.
func (r *Recorder) append(k kind, b []byte) {
	if k < kindIndex {
		r.index = append(binary.LittleEndian.AppendUint64(r.index, r.log.Size()), b[:headerSize]...)
	}
	r.log.Append(b)
}

func (r *Recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log.Fail(err)
}

// Close closes the file. It returns what kept the trace from being complete. Everything up to
// the end of the last launch is in the file without it.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.zstd.Close(), r.log.Close())
}
