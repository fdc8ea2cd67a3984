package codec

import (
	"encoding/binary"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// mostEntries bounds the entries of a state, per warp of the state. A longer state loses its first
// entries, the bottom of a stack.
const mostEntries = 1 << 7

// Fields of an entry that are stored, beside its home warp in the upper half of the byte.
const (
	hasPC = 1 << iota
	hasMask
	hasNumber
)

// runs marks the kind of an entry that runs; its pc is the issue's.
const runs = 0x80

// stateWriter writes the policy's states of a warp.
type stateWriter struct {
	data  []byte
	known branch.State // the last state, also of an earlier part
	begun bool         // the part has it
	since uint32       // issues of the warp before it
}

// start begins a part, at the last state.
func (s *stateWriter) start(mixed bool) {
	s.data, s.begun, s.since = s.data[:0], false, 0
	if len(s.known) > 0 {
		s.add(s.known, 0, mixed)
	}
}

// add adds the state from issue number at of the part on.
func (s *stateWriter) add(list branch.State, at uint32, mixed bool) {
	list = clip(list, mixed)
	if s.begun && s.known.Same(list) {
		return
	}
	same := 0
	for s.begun && same < min(len(list), len(s.known)) && s.known[same:same+1].Same(list[same:same+1]) {
		same++
	}
	b := binary.AppendUvarint(s.data, uint64(at-s.since))
	b = binary.AppendUvarint(b, uint64(same))
	b = binary.AppendUvarint(b, uint64(len(list)-same))
	for i := range list[same:] {
		b = appendEntry(b, &list[same+i])
	}
	s.data, s.begun, s.since = b, true, at
	s.known = append(s.known[:0], list...)
}

// clip leaves out the first entries of a long state, and says how many.
func clip(list branch.State, mixed bool) branch.State {
	most := mostEntries
	if mixed {
		most *= lane.MaxWarps
	}
	if len(list) <= most {
		return list
	}
	out := len(list) - most + 1
	more := branch.Entry{Kind: branch.MoreEntry, PC: branch.NoStop, Number: uint32(out)}
	return append(branch.State{more}, list[out:]...)
}

func appendEntry(b []byte, e *branch.Entry) []byte {
	at := len(b) + 1
	b = append(b, byte(e.Kind), e.Warp<<4)
	if e.Runs {
		b[at-1] |= runs
	} else if e.PC != branch.NoStop {
		b[at] |= hasPC
		b = binary.AppendUvarint(b, uint64(e.PC))
	}
	if e.Mask != 0 {
		b[at] |= hasMask
		b = binary.LittleEndian.AppendUint32(b, uint32(e.Mask))
	}
	if e.Number != branch.NoStop {
		b[at] |= hasNumber
		b = binary.AppendUvarint(b, uint64(e.Number))
	}
	return b
}

// stateReader reads the output of a stateWriter.
type stateReader struct {
	cursor
	now  branch.State
	left uint32 // issues before the next state; noState if there is none
}

const noState = ^uint32(0)

// start begins a part.
func (s *stateReader) start() {
	s.now = s.now[:0]
	s.await()
}

func (s *stateReader) await() {
	s.left = noState
	if s.cursor.left() {
		s.left = uint32(s.uvarint(31))
	}
}

// issue moves to the next issue of the warp.
func (s *stateReader) issue(mixed bool) {
	for s.left == 0 {
		s.read(mixed)
		s.await()
	}
	if s.left != noState {
		s.left--
	}
}

// read reads a state.
func (s *stateReader) read(mixed bool) {
	most := uint64(mostEntries)
	if mixed {
		most *= lane.MaxWarps
	}
	same, more := s.uvarint(16), s.uvarint(16)
	if same > uint64(len(s.now)) || same+more > most {
		s.fail("a state that cannot be")
		return
	}
	s.now = s.now[:same]
	for ; more > 0 && s.why == ""; more-- {
		s.now = append(s.now, s.entry())
	}
}

func (s *stateReader) entry() branch.Entry {
	kind, has := s.byte(), s.byte()
	e := branch.Entry{
		Kind: branch.EntryKind(kind &^ runs), Runs: kind&runs != 0, Warp: has >> 4,
		PC: branch.NoStop, Number: branch.NoStop,
	}
	if has&hasPC != 0 {
		e.PC = uint32(s.uvarint(32))
	}
	if has&hasMask != 0 {
		e.Mask = lane.Mask(s.word())
	}
	if has&hasNumber != 0 {
		e.Number = uint32(s.uvarint(32))
	}
	return e
}
