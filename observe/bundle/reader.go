package bundle

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// Reader reads a bundle, launch by launch.
type Reader struct {
	// MostMemory bounds the bytes that the reader holds at a time: the memory of the recorded
	// program, the changes of its launches, and the images of its modules. NewReader sets it to 96
	// MiB, Open to four times the size of the file if that is more. It may be set before every
	// Next. A reader takes less than 128 MiB more for the frame that it reads.
	MostMemory int64

	// Closing is set once all launches are read, if the recording was finished properly.
	Closing *Closing

	file    io.Closer // nil if it is the caller's
	in      *bufio.Reader
	zstd    *zstd.Decoder
	offset  int64 // of the next frame
	modules []*Module
	kernels []*Kernel
	state   state
	begun   map[int]*Launch // not ended yet, by number; nil while only its memory is there
	last    *Launch         // returned last: its outputs are not in state yet
	whole   int
}

// Open opens the bundle in a file.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	r, err := NewReader(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.file = f
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		r.MostMemory = max(r.MostMemory, 4*info.Size())
	}
	return r, nil
}

// NewReader reads the bundle in in.
func NewReader(in io.Reader) (*Reader, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxWindow(mostImage), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	r := &Reader{MostMemory: leastMostMemory, in: bufio.NewReaderSize(in, 1<<16), zstd: z, begun: map[int]*Launch{}, state: state{objects: map[int]*Object{}}}
	head := make([]byte, fileHeaderSize)
	_, err = io.ReadFull(r.in, head)
	short := err == io.EOF || err == io.ErrUnexpectedEOF
	if err != nil && !short {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	if short || !Sniff(head) {
		return nil, &FormatError{Reason: "this is no bundle"}
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v != Version {
		return nil, &FormatError{Offset: 8, Reason: fmt.Sprintf("version %d of the format: this reader knows version %d", v, Version)}
	}
	r.offset = fileHeaderSize
	return r, nil
}

// Close ends reading, and closes the file that Open opened.
func (r *Reader) Close() error {
	r.zstd.Close()
	if r.file != nil {
		return r.file.Close()
	}
	return nil
}

// Next returns the next launch that ended. The error is io.EOF after the last launch, a *CutError
// if the recorder was interrupted, a *FormatError if the file is damaged, and otherwise the error
// of reading the file.
func (r *Reader) Next() (*Launch, error) {
	r.state.limit = r.MostMemory
	if r.last != nil {
		apply(r.last.Outputs)
		r.state.end(r.last)
		r.last = nil
	}
	for {
		at := r.offset
		h, payload, err := r.frame()
		if err == io.EOF && len(r.begun) == 0 {
			return nil, io.EOF
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, &CutError{at, r.whole}
		}
		if err != nil {
			return nil, err
		}
		ended, problem := r.take(&h, payload)
		if problem != "" {
			return nil, &FormatError{at, problem, r.state.full}
		}
		if ended != nil {
			r.last = ended
			r.whole++
			return ended, nil
		}
	}
}

// frame reads the next frame and checks it.
func (r *Reader) frame() (h header, payload []byte, err error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(r.in, head[:]); err != nil {
		return h, nil, err
	}
	if problem := h.get(head[:]); problem != "" {
		return h, nil, &FormatError{Offset: r.offset, Reason: problem}
	}
	// The buffer grows with the bytes that arrive, not with the size that the header claims.
	stored, err := io.ReadAll(io.LimitReader(r.in, int64(h.stored)))
	if err != nil {
		return h, nil, fmt.Errorf("bundle: %w", err)
	}
	if len(stored) < int(h.stored) {
		return h, nil, io.ErrUnexpectedEOF
	}
	if checksum(head[:], stored) != binary.LittleEndian.Uint32(head[20:]) {
		return h, nil, &FormatError{Offset: r.offset, Reason: "the checksum of a frame is wrong"}
	}
	payload, err = r.zstd.DecodeAll(stored, make([]byte, 0, h.raw))
	if err != nil || len(payload) != int(h.raw) {
		return h, nil, &FormatError{Offset: r.offset, Reason: "a frame that cannot be decompressed"}
	}
	r.offset += headerSize + int64(h.stored)
	return h, payload, nil
}

// take applies a frame. It returns the launch if the frame ended one, or the problem, "" if none.
func (r *Reader) take(h *header, payload []byte) (ended *Launch, problem string) {
	number := int(h.number)
	if len(r.begun) > mostBegun {
		return nil, fmt.Sprintf("more than %d launches at the same time", mostBegun)
	}
	switch h.kind {
	case kindModule:
		return nil, r.takeModule(number, payload)
	case kindKernel:
		return nil, r.takeKernel(number, payload)
	case kindObjects:
		if problem := r.opens(number); problem != "" {
			return nil, problem
		}
		var f objectsFrame
		if _, problem := describe(payload, &f); problem != "" {
			return nil, problem
		}
		return nil, r.state.change(&f)
	case kindInputs:
		if problem := r.opens(number); problem != "" {
			return nil, problem
		}
		runs, problem := r.state.runs(payload)
		apply(runs)
		return nil, problem
	case kindLaunch:
		return nil, r.takeLaunch(number, payload)
	case kindClose:
		r.Closing = new(Closing)
		_, problem := describe(payload, r.Closing)
		return nil, problem
	}
	l := r.begun[number]
	if l == nil {
		return nil, fmt.Sprintf("launch %d ends and did not begin", number)
	}
	if h.kind == kindOutputs {
		runs, problem := r.state.runs(payload)
		if problem == "" {
			problem = r.state.take(sizeOf(runs), "launch %d changes memory", number)
		}
		l.Outputs = append(l.Outputs, runs...)
		return nil, problem
	}
	delete(r.begun, number)
	_, problem = describe(payload, &l.Outcome)
	return l, problem
}

func (r *Reader) takeModule(number int, payload []byte) (problem string) {
	m := new(Module)
	if m.Image, problem = describe(payload, m); problem != "" {
		return problem
	}
	if number != len(r.modules) {
		return fmt.Sprintf("module %d where %d should be", number, len(r.modules))
	}
	r.modules = append(r.modules, m)
	return r.state.take(int64(2*len(payload)), "module %d of %d bytes", number, len(payload))
}

func (r *Reader) takeKernel(number int, payload []byte) string {
	f := kernelFrame{Kernel: new(Kernel)}
	data, problem := describe(payload, &f)
	switch {
	case problem != "":
		return problem
	case f.Kernel == nil || f.Module < 0 || f.Module >= len(r.modules):
		return fmt.Sprintf("kernel %d has no module", number)
	case number != len(r.kernels):
		return fmt.Sprintf("kernel %d where %d should be", number, len(r.kernels))
	}
	if problem := f.Kernel.check(); problem != "" {
		return fmt.Sprintf("kernel %d has %s", number, problem)
	}
	f.Kernel.Module = r.modules[f.Module]
	for i := range f.Banks {
		b := &f.Banks[i]
		if b.Address != 0 {
			continue
		}
		if b.Bytes > len(data) {
			return fmt.Sprintf("the banks of kernel %d are longer than their frame", number)
		}
		b.Data, data = data[:b.Bytes:b.Bytes], data[b.Bytes:]
	}
	r.kernels = append(r.kernels, f.Kernel)
	return r.state.take(int64(kernelSize+len(payload)), "kernel %d", number)
}

func (r *Reader) takeLaunch(number int, payload []byte) string {
	f := launchFrame{Launch: &Launch{}}
	_, problem := describe(payload, &f)
	switch {
	case problem != "":
		return problem
	case f.Launch == nil || f.Kernel < 0 || f.Kernel >= len(r.kernels):
		return fmt.Sprintf("launch %d has no kernel", number)
	case r.begun[number] != nil:
		return fmt.Sprintf("launch %d begins twice", number)
	}
	l := f.Launch
	if problem := l.check(); problem != "" {
		return fmt.Sprintf("launch %d has %s", number, problem)
	}
	l.Number, l.Kernel = number, r.kernels[f.Kernel]
	for _, n := range f.Objects {
		o := r.state.objects[n]
		if o == nil || o.context != l.Context {
			return fmt.Sprintf("launch %d sees object %d, which its context does not have", number, n)
		}
		if !l.sees(o) {
			return fmt.Sprintf("launch %d sees object %d twice", number, n)
		}
	}
	r.begun[number] = l
	return r.state.take(l.size(), "launch %d", number)
}

// opens notes that the frames of a launch begin.
func (r *Reader) opens(number int) string {
	if r.begun[number] != nil {
		return fmt.Sprintf("launch %d begins twice", number)
	}
	r.begun[number] = nil
	return ""
}
