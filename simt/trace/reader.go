package trace

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// File is a trace that is read. Several goroutines may read it at once.
type File struct {
	Kernels  []*Kernel
	Launches []*Launch // those recorded, by number

	// Damage is what is wrong with the file's end, if it was cut off or overwritten; nil if
	// nothing is. What stands before is here all the same.
	Damage *FormatError

	// MostWork bounds what one call of Steps goes through, in warp-instructions; 0 is no limit. What
	// else takes time is counted as the warp-instructions that take as much. NewFile sets it to
	// 2^30, which takes about a minute.
	MostWork uint64

	from     io.ReaderAt
	size     int64
	closer   io.Closer
	zstd     *zstd.Decoder
	contents contents // that there is room for
	held     int      // bytes of parts that may wait for their turn; another for tests
}

// Launch is one launch of a trace.
type Launch struct {
	Number int // from 0; the recorder may have left out some
	Kernel *Kernel
	Grid   [2]int
	Block  [3]int
	Policy string
	Params string // the parameter block, in hexadecimal
	Shared int    // bytes of dynamic shared memory

	Ended bool   // it was recorded to its end
	Error string // why it faulted, if it did
	Count uint64 // warp-instructions recorded

	frames []frame // by the least block, then as they come in the file
}

// frame is a frame of issues.
type frame struct {
	header
	offset int64 // of its payload
}

// Open opens the trace at path. The error is a *FormatError if the file is none.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	info, err := f.Stat()
	if err == nil {
		var r *File
		if r, err = NewFile(f, info.Size()); err == nil {
			r.closer = f
			return r, nil
		}
	}
	return nil, errors.Join(err, f.Close())
}

// NewFile reads a trace of size bytes. The error is a *FormatError if it is none.
func NewFile(from io.ReaderAt, size int64) (*File, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxWindow(mostPayload))
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	f := &File{MostWork: mostWork, from: from, size: size, zstd: z, held: mostHeld}
	if err := f.open(); err != nil {
		z.Close()
		return nil, err
	}
	return f, nil
}

// open reads everything but the issues.
func (f *File) open() error {
	var head [fileHeaderSize]byte
	if _, err := f.from.ReadAt(head[:], 0); err != nil && err != io.EOF {
		return fmt.Errorf("trace: %w", err)
	}
	switch v := binary.LittleEndian.Uint32(head[8:]); {
	case string(head[:8]) != magic:
		return &FormatError{0, "this is no trace"}
	case v != Version:
		return &FormatError{8, fmt.Sprintf("the format's version is %d: want %d", v, Version)}
	case f.size < fileHeaderSize:
		return &FormatError{f.size, "the file ends inside its header"}
	}
	frames, err := f.frames()
	if err != nil {
		return err
	}
	return f.take(frames)
}

// Close closes what Open opened.
func (f *File) Close() error {
	f.zstd.Close()
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Launch returns the launch of a number, nil if it was not recorded.
func (f *File) Launch(number int) *Launch {
	i, ok := slices.BinarySearchFunc(f.Launches, number, func(l *Launch, n int) int { return l.Number - n })
	if !ok {
		return nil
	}
	return f.Launches[i]
}

// take makes sense of the frames.
func (f *File) take(frames []frame) error {
	kernels := map[uint32]*Kernel{}
	launches := map[uint32]*Launch{}
	var in load
	for i := range frames {
		fr := &frames[i]
		if fr.kind == kindSteps {
			l := launches[fr.launch]
			if l == nil {
				return &FormatError{fr.offset, "issues of a launch that was not announced"}
			}
			if why := l.check(fr); why != "" {
				return &FormatError{fr.offset, why}
			}
			l.Count += uint64(fr.count)
			continue
		}
		if fr.kind >= kindIndex {
			continue
		}
		if err := f.load(fr, &in); err != nil {
			return err
		}
		data := in.data
		switch fr.kind {
		case kindKernel:
			k, err := parseKernel(data)
			if err != nil {
				return &FormatError{fr.offset, err.Error()}
			}
			if err := f.contents.take(k.size(), fr.offset); err != nil {
				return err
			}
			kernels[fr.launch] = k
			f.Kernels = append(f.Kernels, k)
		case kindLaunch:
			var j launchJSON
			if err := json.Unmarshal(data, &j); err != nil {
				return &FormatError{fr.offset, "a launch's description: " + err.Error()}
			}
			k := kernels[uint32(j.Kernel)]
			if k == nil || j.Kernel < 0 || uint64(j.Kernel) > math.MaxUint32 || launches[fr.launch] != nil {
				return &FormatError{fr.offset, "a launch that cannot be"}
			}
			if err := j.check(k); err != nil {
				return &FormatError{fr.offset, err.Error()}
			}
			if err := f.contents.take(launchSize+len(j.Policy)+len(j.Params), fr.offset); err != nil {
				return err
			}
			l := &Launch{Number: int(fr.launch), Kernel: k, Grid: j.Grid, Block: j.Block, Policy: j.Policy, Params: j.Params, Shared: j.Shared}
			launches[fr.launch] = l
			f.Launches = append(f.Launches, l)
		case kindEnd:
			var j endJSON
			l := launches[fr.launch]
			if err := json.Unmarshal(data, &j); err != nil || l == nil {
				return &FormatError{fr.offset, "the end of a launch that cannot be"}
			}
			if err := f.contents.take(len(j.Error), fr.offset); err != nil {
				return err
			}
			l.Ended, l.Error = true, j.Error
		}
	}
	slices.SortStableFunc(f.Launches, func(a, b *Launch) int { return cmp.Compare(a.Number, b.Number) })
	share(frames, launches)
	return nil
}

// share gives every launch its frames of issues.
func share(frames []frame, launches map[uint32]*Launch) {
	frames = slices.DeleteFunc(frames, func(fr frame) bool { return fr.kind != kindSteps })
	slices.SortStableFunc(frames, func(a, b frame) int {
		return cmp.Or(cmp.Compare(a.launch, b.launch), cmp.Compare(a.block, b.block))
	})
	for len(frames) > 0 {
		n := 1
		for n < len(frames) && frames[n].launch == frames[0].launch {
			n++
		}
		launches[frames[0].launch].frames = frames[:n:n]
		frames = frames[n:]
	}
}

// size returns about how many bytes the kernel takes.
func (k *Kernel) size() int {
	return 512 + len(k.Name) + instructionSize*len(k.Code) + rowSize*k.layout.rows
}

// load is a frame that was read.
type load struct {
	stored []byte
	data   []byte // what was compressed
	words  []byte // what was not
}

// load reads a frame; what l held before is lost.
func (f *File) load(fr *frame, l *load) error {
	if fr.offset > f.size || int64(fr.stored) > f.size-fr.offset {
		return &FormatError{fr.offset, "a frame that the file does not hold"}
	}
	l.stored = slices.Grow(l.stored[:0], int(fr.stored))[:fr.stored]
	if _, err := f.from.ReadAt(l.stored, fr.offset); err != nil {
		return &FormatError{fr.offset, "a frame that cannot be read: " + err.Error()}
	}
	if sum(l.stored) != fr.sum {
		return &FormatError{fr.offset, "the checksum of a frame is wrong"}
	}
	l.data = slices.Grow(l.data[:0], int(fr.raw))
	data, err := f.zstd.DecodeAll(l.stored[fr.words:], l.data[:0:fr.raw])
	if err != nil {
		return &FormatError{fr.offset, "a frame that cannot be decompressed: " + err.Error()}
	}
	if len(data) != int(fr.raw) {
		return &FormatError{fr.offset, fmt.Sprintf("a frame of %d bytes, not %d", len(data), fr.raw)}
	}
	l.data, l.words = data, l.stored[:fr.words]
	return nil
}
