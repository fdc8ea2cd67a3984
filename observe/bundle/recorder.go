package bundle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"jacquard/internal/outfile"
)

// Recorder writes a bundle. Launches of different contexts may run at the same time.
type Recorder struct {
	options Options

	mu       sync.Mutex // guards what follows
	log      outfile.Log
	zstd     *zstd.Encoder
	recorded int
	running  int // recorded launches that have not ended
	modules  int
	kernels  int
	memory   memory
	stored   []byte // scratch: a frame
}

// Create begins a bundle in a file and replaces an old one. If another process is writing that
// file, the new one lies beside it: see Path. If the file cannot be written any more, the recorder
// calls onError once with the reason and records nothing more. onError may be nil.
func Create(path string, o Options, onError func(error)) (*Recorder, error) {
	f, err := outfile.Create(path)
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	r, err := NewRecorder(f, o, onError)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// NewRecorder begins a bundle in w. Close closes w if it is an io.Closer.
func NewRecorder(w io.Writer, o Options, onError func(error)) (*Recorder, error) {
	z, err := newEncoder()
	if err != nil {
		return nil, err
	}
	r := &Recorder{options: o, log: outfile.NewLog("bundle", w, onError), zstd: z, memory: newMemory()}
	head := make([]byte, fileHeaderSize)
	copy(head, magic)
	binary.LittleEndian.PutUint32(head[8:], Version)
	r.log.Append(head)
	return r, r.log.Err()
}

// Path returns the name of the file, or "" if there is none. It differs from Create's argument if
// that file was taken.
func (r *Recorder) Path() string { return r.log.Path() }

func newEncoder() (*zstd.Encoder, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	return z, nil
}

// Begin records a launch that is about to run, without its Outputs and Outcome. No other launch of
// the bundle has its Number. Begin does not keep l's memory. A Kernel and its Module belong to one
// recorder and are written at their first use. The Recording records the end; it is nil if the launch
// is not recorded.
func (r *Recorder) Begin(l *Launch) *Recording {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.log.Err() != nil || !r.options.wants(l.Kernel.Name):
		return nil
	case r.full():
		return nil
	}
	r.recorded++
	r.running++
	r.begin(l, uint32(l.Number))
	if r.log.Err() != nil {
		return nil
	}
	return &Recording{r, l.Context, uint32(l.Number)}
}

// full reports whether as many launches are recorded as were asked for.
func (r *Recorder) full() bool {
	return r.options.Launches > 0 && r.recorded == r.options.Launches
}

func (r *Recorder) begin(l *Launch, number uint32) {
	r.kernel(l.Kernel)
	changes := r.memory.update(l)
	if len(changes.Made)+len(changes.Freed) > 0 {
		r.described(header{kind: kindObjects, number: number}, changes)
	}
	seen := make([]int, len(l.Memory))
	for i, o := range l.Memory {
		seen[i] = r.memory.find(l.Context, o).number
		r.pages(header{kind: kindInputs, number: number}, l.Context, o)
	}
	r.described(header{kind: kindLaunch, number: number}, launchFrame{l.Kernel.number - 1, l, seen})
}

// kernel writes k and its module, once.
func (r *Recorder) kernel(k *Kernel) {
	if m := k.Module; m.number == 0 {
		r.described(header{kind: kindModule, number: uint32(r.modules)}, m, m.Image)
		r.modules++
		m.number = r.modules
	}
	if k.number == 0 {
		data := make([][]byte, len(k.Banks))
		for i := range k.Banks {
			data[i] = k.Banks[i].Data
		}
		r.described(header{kind: kindKernel, number: uint32(r.kernels)}, kernelFrame{k.Module.number - 1, k}, data...)
		r.kernels++
		k.number = r.kernels
	}
}

// Recording is a launch between its beginning and its end.
type Recording struct {
	r       *Recorder
	context uint64
	number  uint32
}

// End records how the launch ended; memory is that passed to Begin. A nil Recording does nothing.
func (g *Recording) End(memory []*Object, o Outcome) {
	if g == nil {
		return
	}
	r := g.r
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, object := range memory {
		if object.Kind != Array {
			r.pages(header{kind: kindOutputs, number: g.number}, g.context, object)
		}
	}
	r.described(header{kind: kindEnd, number: g.number}, &o)
	r.log.Look()
	if r.running--; r.running == 0 && r.full() {
		r.memory = newMemory() // no longer needed
	}
}

// Forget tells the recorder that a context is gone with all its memory.
func (r *Recorder) Forget(context uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memory.forget(context)
}

// ForgetArray tells the recorder that an array of a context is gone, by its Address.
func (r *Recorder) ForgetArray(context uint64, address uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memory.forgetArray(context, address)
}

// described writes a frame with a description.
func (r *Recorder) described(h header, v any, data ...[]byte) {
	payload, err := description(v, data...)
	if err != nil {
		r.log.Fail(err)
		return
	}
	r.frame(h, payload)
}

// frame writes a frame, in one write.
func (r *Recorder) frame(h header, payload []byte) {
	if uint64(len(payload)) > uint64(h.kind.most()) {
		r.log.Fail(fmt.Errorf("%d bytes for one frame", len(payload)))
		return
	}
	r.stored = appendFrame(r.stored[:0], r.zstd, h, payload)
	r.log.Append(r.stored)
}

// appendFrame appends a frame to b, which is empty.
func appendFrame(b []byte, z *zstd.Encoder, h header, payload []byte) []byte {
	var room [headerSize]byte
	b = z.EncodeAll(payload, append(b, room[:]...))
	h.raw, h.stored = uint32(len(payload)), uint32(len(b)-headerSize)
	h.put(b)
	return b
}

// Close closes the file and returns the first error, if any kept the bundle from being complete.
// Without Close the file still has everything up to the end of the last launch.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.zstd.Close(), r.log.Close())
}
