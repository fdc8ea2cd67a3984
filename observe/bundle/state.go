package bundle

import (
	"encoding/binary"
	"fmt"
	"unsafe"
)

// state is the memory of the recorded program, as the reader reconstructs it.
type state struct {
	objects map[int]*Object
	bytes   int64 // of all objects and everything else held
	limit   int64
	full    bool // the limit was reached
}

// take adds n bytes, used for what format and args name. It returns the problem if they exceed the
// limit.
func (s *state) take(n int64, format string, args ...any) (problem string) {
	if s.full = n > s.limit-s.bytes; s.full {
		return fmt.Sprintf(format, args...) + fmt.Sprintf(": more than the %d bytes that memory may have", s.limit)
	}
	s.bytes += n
	return ""
}

// drop releases the bytes of an object without users.
func (s *state) drop(o *Object) {
	if o.freed && o.users == 0 {
		s.bytes -= int64(len(o.Bytes)) + objectSize
	}
}

// sees marks an object as visible to the launch. It returns false if it was visible already.
func (l *Launch) sees(o *Object) bool {
	if o.last == l {
		return false
	}
	o.last = l
	o.users++
	l.Memory = append(l.Memory, o)
	return true
}

// end releases the bytes of a launch.
func (s *state) end(l *Launch) {
	s.bytes -= l.size()
	for _, o := range l.Memory {
		o.users--
		s.drop(o)
	}
}

// sizeOf returns approximately how many bytes runs take.
func sizeOf(runs []Run) (n int64) {
	for i := range runs {
		n += int64(unsafe.Sizeof(runs[i])) + int64(len(runs[i].Bytes))
	}
	return n
}

// size returns approximately how many bytes the launch takes, without its objects.
func (l *Launch) size() int64 {
	return launchSize + int64(8*len(l.Memory)) + int64(len(l.Textures))*int64(unsafe.Sizeof(Texture{})) +
		int64(len(l.Device)+len(l.Policy)+len(l.Order)+len(l.Params)) + sizeOf(l.Outputs)
}

// change creates and frees objects.
func (s *state) change(f *objectsFrame) string {
	for _, n := range f.Freed {
		o := s.objects[n]
		if o == nil {
			return fmt.Sprintf("object %d is freed and was not there", n)
		}
		delete(s.objects, n)
		o.freed = true
		s.drop(o)
	}
	for _, o := range f.Made {
		if s.objects[o.Number] != nil {
			return fmt.Sprintf("object %d is made twice", o.Number)
		}
		if o.Bytes < 0 || uint64(o.Bytes) > 1<<32 {
			return fmt.Sprintf("object %d of %d bytes", o.Number, o.Bytes)
		}
		if o.Kind != Array && uint64(o.Address)+uint64(o.Bytes) > 1<<32 {
			return fmt.Sprintf("object %d of %d bytes at %#x ends beyond the last address", o.Number, o.Bytes, o.Address)
		}
		if o.Slack < 0 || o.Slack > o.Bytes || lastPage(o.Bytes) != lastPage(o.Bytes-o.Slack) {
			return fmt.Sprintf("object %d of %d bytes has %d bytes of slack", o.Number, o.Bytes, o.Slack)
		}
		if problem := s.take(int64(o.Bytes)+objectSize, "object %d of %d bytes", o.Number, o.Bytes); problem != "" {
			return problem
		}
		s.objects[o.Number] = &Object{Kind: o.Kind, Address: o.Address, Bytes: make([]byte, o.Bytes), Slack: o.Slack, number: o.Number, context: f.Context}
	}
	return ""
}

// lastPage returns the page on which an object of size bytes ends.
func lastPage(size int) int { return max(size-1, 0) / pageSize }

// runs reads the payload of a frame of pages. The runs share its memory.
func (s *state) runs(payload []byte) (runs []Run, problem string) {
	le := binary.LittleEndian
	for len(payload) > 0 {
		if len(payload) < runHeader {
			return nil, "pages without a place"
		}
		number, offset, size := le.Uint32(payload), le.Uint32(payload[4:]), le.Uint32(payload[8:])
		payload = payload[runHeader:]
		o := s.objects[int(number)]
		switch {
		case o == nil:
			return nil, fmt.Sprintf("pages of object %d, which is not there", number)
		case size == 0:
			return nil, "pages without content"
		case uint64(size) > uint64(len(payload)):
			return nil, "pages longer than their frame"
		case uint64(offset)+uint64(size) > uint64(len(o.Bytes)):
			return nil, fmt.Sprintf("pages beyond the end of object %d", number)
		}
		runs = append(runs, Run{o, int(offset), payload[:size]})
		payload = payload[size:]
	}
	return runs, ""
}

// apply copies runs to their objects.
func apply(runs []Run) {
	for _, r := range runs {
		copy(r.Object.Bytes[r.Offset:], r.Bytes)
	}
}
