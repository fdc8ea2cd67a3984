package trace

import (
	"bytes"
	"encoding/binary"
)

// wordStore are the rows of a part that have no short form, one after the other. What lanes
// compute does not compress, but is often moved or stored as it is: a row that is there already is
// not written again.
type wordStore struct {
	data   []byte
	places [1 << 9]uint32 // by hash: 1 + where a row begins that may be the same; 0 for none
}

// start forgets everything.
func (s *wordStore) start() {
	if len(s.data) > 0 {
		s.data = s.data[:0]
		clear(s.places[:])
	}
}

// add adds a row. If it is there already it returns how many bytes before the end it begins,
// else 0.
func (s *wordStore) add(row []byte) int {
	le := binary.LittleEndian
	hash := (le.Uint32(row) ^ le.Uint32(row[len(row)-4:])*0x85ebca6b ^ uint32(len(row))) * 0x9e3779b1 >> 23
	place := &s.places[hash]
	if from := int(*place) - 1; from >= 0 && from+len(row) <= len(s.data) && bytes.Equal(s.data[from:from+len(row)], row) {
		return len(s.data) - from
	}
	*place = uint32(len(s.data)) + 1
	s.data = append(s.data, row...)
	return 0
}
