package bundle

import (
	"encoding/binary"
	"fmt"
)

// state is the memory of the recorded program, as a reader follows it.
type state struct {
	objects map[int]*Object
	bytes   int64 // of all objects
	limit   int64
}

// change makes and frees objects.
func (s *state) change(f *objectsFrame) string {
	for _, n := range f.Freed {
		o := s.objects[n]
		if o == nil {
			return fmt.Sprintf("object %d is freed and was not there", n)
		}
		s.bytes -= int64(len(o.Bytes))
		delete(s.objects, n)
	}
	for _, o := range f.Made {
		if s.objects[o.Number] != nil {
			return fmt.Sprintf("object %d is made twice", o.Number)
		}
		if o.Bytes < 0 || int64(o.Bytes) > s.limit-s.bytes {
			return fmt.Sprintf("object %d of %d bytes: more than the %d bytes that memory may have", o.Number, o.Bytes, s.limit)
		}
		if o.Kind != Array && uint64(o.Address)+uint64(o.Bytes) > 1<<32 {
			return fmt.Sprintf("object %d of %d bytes at %#x ends beyond the last address", o.Number, o.Bytes, o.Address)
		}
		if o.Slack < 0 || o.Slack > o.Bytes || lastPage(o.Bytes) != lastPage(o.Bytes-o.Slack) {
			return fmt.Sprintf("object %d of %d bytes has %d bytes of slack", o.Number, o.Bytes, o.Slack)
		}
		s.bytes += int64(o.Bytes)
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

// apply puts runs where they belong.
func apply(runs []Run) {
	for _, r := range runs {
		copy(r.Object.Bytes[r.Offset:], r.Bytes)
	}
}
