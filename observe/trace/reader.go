package trace

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"

	"jacquard/observe/trace/codec"
)

// A reader takes at most 256 MiB for any file: codec.MostContents for kernels, launches and frames,
// mostHeld for parts that wait for their turn, and the rest for the current frame. A recorder stays
// below all limits of parts and frames.
const (
	mostHeld   = 64 << 20 // bytes
	launchSize = 384      // approximate bytes per launch in memory
)

// mostWork is the default of File.MostWork.
const mostWork = 1 << 30

// File is an open trace. Several goroutines may read it at once.
type File struct {
	Kernels  []*Kernel
	Launches []*Launch // the recorded ones, by number
	States   bool      // some issues have the divergence policy's state

	// Damage is the defect at which the file ends early, if it was cut off or overwritten; nil if
	// there is none. Everything before the damage is readable.
	Damage *FormatError

	// MostWork bounds the work of one call of Steps, in warp-instructions; 0 is no limit. Other
	// work counts as the warp-instructions that take as long. NewFile sets it to 2^30, about a
	// minute.
	MostWork uint64

	from     io.ReaderAt
	size     int64
	closer   io.Closer
	zstd     *zstd.Decoder
	contents contents // memory left for kernels, launches and frames
	mostHeld int      // the constant of that name, except in tests
}

// contents are the bytes left for kernels, launches and frames in memory.
type contents struct{ left int64 }

// take takes n bytes for the frame at offset.
func (c *contents) take(n int, offset int64) error {
	if c.left -= int64(n); c.left < 0 {
		return &FormatError{offset, fmt.Sprintf("more kernels, launches and frames than the %d MiB that there are for them", codec.MostContents>>20)}
	}
	return nil
}

// frame is the place and header of a frame in the file.
type frame struct {
	codec.Header
	offset int64 // of its payload
}

// Open opens the trace at path. The error is a *FormatError if the file is no trace.
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

// NewFile reads a trace of size bytes. The error is a *FormatError if it is no trace.
func NewFile(from io.ReaderAt, size int64) (*File, error) {
	z, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true),
		zstd.WithDecoderMaxWindow(codec.MostPayload))
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	f := &File{MostWork: mostWork, from: from, size: size, zstd: z, mostHeld: mostHeld}
	if err := f.open(); err != nil {
		z.Close()
		return nil, err
	}
	return f, nil
}

// open reads everything except the issues.
func (f *File) open() error {
	var head [codec.FileHeaderSize]byte
	if _, err := f.from.ReadAt(head[:], 0); err != nil && err != io.EOF {
		return fmt.Errorf("trace: %w", err)
	}
	if at, why := codec.CheckFile(head[:]); why != "" {
		return &FormatError{at, why}
	}
	if f.size < codec.FileHeaderSize {
		return &FormatError{f.size, "the file ends inside its header"}
	}
	frames, err := f.frames()
	if err != nil {
		return err
	}
	if codec.Marked(head[:]) && f.Damage == nil {
		tail, why, err := f.headerAt(max(f.size-codec.HeaderSize, 0))
		if err != nil {
			return err
		}
		if why != "" || tail.Kind != codec.TailFrame || tail.Count != 1 {
			f.Damage = &FormatError{f.size, "the run has no end: its program was killed or goes on, or the file was cut off"}
		}
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

// Launch returns the launch with a number, nil if it was not recorded.
func (f *File) Launch(number int) *Launch {
	byNumber := func(l *Launch, n int) int { return l.Number - n }
	i, ok := slices.BinarySearchFunc(f.Launches, number, byNumber)
	if !ok {
		return nil
	}
	return f.Launches[i]
}

// take reads the frames of kernels and launches, and gives each launch its frames of issues.
func (f *File) take(frames []frame) error {
	kernels := map[uint32]*Kernel{}
	launches := map[uint32]*Launch{}
	var in loaded
	for i := range frames {
		fr := &frames[i]
		if fr.Kind == codec.IssuesFrame {
			l := launches[fr.Launch]
			if l == nil {
				return &FormatError{fr.offset, "issues of a launch that was not announced"}
			}
			if why := l.check(fr); why != "" {
				return &FormatError{fr.offset, why}
			}
			l.Count += uint64(fr.Count)
			f.States = f.States || fr.Flags&codec.FlagStates != 0
			continue
		}
		if fr.Kind >= codec.IndexFrame {
			continue
		}
		if err := f.load(fr, &in); err != nil {
			return err
		}
		data := in.data
		switch fr.Kind {
		case codec.KernelFrame:
			k, err := codec.ParseKernel(data)
			if err != nil {
				return &FormatError{fr.offset, err.Error()}
			}
			if err := f.contents.take(k.Size(), fr.offset); err != nil {
				return err
			}
			kernels[fr.Launch] = k
			f.Kernels = append(f.Kernels, k)
		case codec.LaunchFrame:
			var j launchJSON
			if err := json.Unmarshal(data, &j); err != nil {
				return &FormatError{fr.offset, "a launch's description: " + err.Error()}
			}
			k := kernels[uint32(j.Kernel)]
			if k == nil || j.Kernel < 0 || uint64(j.Kernel) > math.MaxUint32 || launches[fr.Launch] != nil {
				return &FormatError{fr.offset, "a launch that cannot be"}
			}
			if err := j.check(k); err != nil {
				return &FormatError{fr.offset, err.Error()}
			}
			if err := f.contents.take(launchSize+len(j.Policy)+len(j.Device)+len(j.Params), fr.offset); err != nil {
				return err
			}
			l := &Launch{
				Number: int(fr.Launch), Kernel: k, Grid: j.Grid, Block: j.Block,
				Policy: j.Policy, Device: j.Device, Params: j.Params, Shared: j.Shared,
			}
			launches[fr.Launch] = l
			f.Launches = append(f.Launches, l)
		case codec.EndFrame:
			var j endJSON
			l := launches[fr.Launch]
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
	frames = slices.DeleteFunc(frames, func(fr frame) bool { return fr.Kind != codec.IssuesFrame })
	slices.SortStableFunc(frames, func(a, b frame) int {
		return cmp.Or(cmp.Compare(a.Launch, b.Launch), cmp.Compare(a.Block, b.Block))
	})
	for len(frames) > 0 {
		n := 1
		for n < len(frames) && frames[n].Launch == frames[0].Launch {
			n++
		}
		launches[frames[0].Launch].frames = frames[:n:n]
		frames = frames[n:]
	}
	return nil
}

// loaded is the payload of a frame.
type loaded struct {
	stored []byte // as in the file
	data   []byte // the compressed part, decompressed
	words  []byte // the uncompressed part
}

// load reads a frame into l.
func (f *File) load(fr *frame, l *loaded) error {
	if fr.offset > f.size || int64(fr.Stored) > f.size-fr.offset {
		return &FormatError{fr.offset, "a frame that the file does not hold"}
	}
	l.stored = slices.Grow(l.stored[:0], int(fr.Stored))[:fr.Stored]
	if _, err := f.from.ReadAt(l.stored, fr.offset); err != nil {
		return &FormatError{fr.offset, "a frame that cannot be read: " + err.Error()}
	}
	if codec.Sum(l.stored) != fr.Sum {
		return &FormatError{fr.offset, "the checksum of a frame is wrong"}
	}
	l.data = slices.Grow(l.data[:0], int(fr.Raw))
	data, err := f.zstd.DecodeAll(l.stored[fr.Words:], l.data[:0:fr.Raw])
	if err != nil {
		return &FormatError{fr.offset, "a frame that cannot be decompressed: " + err.Error()}
	}
	if len(data) != int(fr.Raw) {
		return &FormatError{fr.offset, fmt.Sprintf("a frame of %d bytes, not %d", len(data), fr.Raw)}
	}
	l.data, l.words = data, l.stored[:fr.Words]
	return nil
}
