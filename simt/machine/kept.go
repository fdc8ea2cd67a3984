package machine

import (
	"unsafe"

	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// Kept are the values that instructions leave, until a recorder is told of them: for each warp a list
// of entries in the order of its issues. Engines add to the list; translated code writes entries by
// itself.
//
// An entry is a list of words: a head of HeadWords, four masks for each condition register, and rows.
// The rows are the addresses of an access, then registers in the order of program.Effects: Registers,
// AddressRegisters and Data. A row is the words of all lanes, or a base and a stride.
type Kept struct {
	Wants []bool // by instruction: values of these are kept

	forms []form
	warps [lane.MaxWarps]keptWarp
	spare []*chunk
	last  *chunk // to which entries are added
	from  int    // where its entries of no list begin
	next  int    // where the next entry begins
	warp  int    // whose the entries of no list are
	rows  []ValueRow
	flags []lane.Flags
	told  Values
}

// Places in the head of an entry.
const (
	HeadTime  = iota     // when the instruction issued: two words, the lower first
	HeadLanes = iota + 1 // the lanes that executed it
	HeadIndex            // of the instruction
	HeadSize             // words of the entry
	HeadForms            // of rows: HasBase and HasNone, shifted by the row's number
	HeadWords
)

// What the head says about a row. Of another row nothing is known but its words.
const (
	HasBase = 1       // it is only base and stride
	HasNone = 1 << 16 // no base and stride fit
)

// Words of a row.
const (
	ShortWords = 2
	LongWords  = lane.Width
)

// MaskWords are the words of a condition register.
const MaskWords = int(unsafe.Sizeof(lane.Flags{}) / 4)

// form is what an entry of an instruction has.
type form struct {
	addresses  bool
	conditions []int
	registers  []int // rows of a warp
	rows       int
}

// noRegister is the row of a register that is always 0.
const noRegister = -1

// chunk is memory for entries of several warps.
type chunk struct {
	words []uint32
	open  int // spans that are not read
}

// span is a piece of a chunk with entries of one warp.
type span struct {
	*chunk
	from, to int
}

// keptWarp has the entries of a warp that nobody was told of.
type keptWarp struct{ spans []span }

// chunkWords is the usual size of a chunk: some fit in a core's cache.
const chunkWords = 1 << 14

// NewKept returns an empty list for programs of the same instructions as p.
func NewKept(p *program.Program) *Kept {
	k := &Kept{forms: make([]form, p.Instructions())}
	most, conditions := 0, 0
	for i := range k.forms {
		k.forms[i] = formOf(p, i)
		most, conditions = max(most, k.forms[i].rows), max(conditions, len(k.forms[i].conditions))
	}
	k.rows, k.flags = make([]ValueRow, most), make([]lane.Flags, conditions)
	return k
}

func formOf(p *program.Program, i int) form {
	e := p.Effects(i)
	f := form{addresses: e.Accesses, conditions: e.Conditions, registers: KeptRows(p, &e)}
	f.rows = len(f.registers)
	if f.addresses {
		f.rows++
	}
	return f
}

// KeptRows returns the rows of a warp that an entry of an instruction with effects e has after its
// addresses; a negative row is zero.
func KeptRows(p *program.Program, e *program.Effects) (rows []int) {
	rows = append(rows, e.Registers...)
	for _, a := range e.AddressRegisters {
		if WritableAddress(uint8(a)) {
			rows = append(rows, AddressRow(p, uint8(a)))
		} else {
			rows = append(rows, noRegister)
		}
	}
	return append(rows, e.Data...)
}

// Begin empties the list and selects instructions.
func (k *Kept) Begin(wants []bool) {
	k.Wants = wants
	for w := range k.warps {
		k.warps[w].spans = k.warps[w].spans[:0]
	}
	if k.last != nil {
		k.last.open, k.from, k.next = 0, 0, 0
	}
}

// Most returns the most words of an entry of the instruction at an index, 0 if none is kept.
func (k *Kept) Most(index int) int {
	if !k.Wants[index] {
		return 0
	}
	f := &k.forms[index]
	return HeadWords + MaskWords*len(f.conditions) + LongWords*f.rows
}

// Room makes room for words, and returns the addresses at which the next entry begins and the room
// ends. They are valid until the next call of a method.
func (k *Kept) Room(words int) (from, to uintptr) {
	if k.last == nil || len(k.last.words)-k.next < words {
		k.renew(words)
	}
	first := uintptr(unsafe.Pointer(unsafe.SliceData(k.last.words)))
	return first + 4*uintptr(k.next), first + 4*uintptr(len(k.last.words))
}

// renew begins another chunk.
func (k *Kept) renew(words int) {
	k.close()
	if n := len(k.spare) - 1; n >= 0 && len(k.spare[n].words) >= words {
		k.last, k.spare = k.spare[n], k.spare[:n]
	} else {
		k.last = &chunk{words: make([]uint32, max(chunkWords, 2*words))}
	}
	k.from, k.next = 0, 0
}

// Wrote says that translated code wrote entries of warp w up to an address.
func (k *Kept) Wrote(w int, to uintptr) {
	k.of(w)
	k.next = int(to-uintptr(unsafe.Pointer(unsafe.SliceData(k.last.words)))) / 4
}

// of says that the entries from here on are of warp w.
func (k *Kept) of(w int) {
	if k.warp != w {
		k.close()
		k.warp = w
	}
}

// close puts the entries that are in no list into that of their warp.
func (k *Kept) close() {
	if k.last == nil || k.from == k.next {
		return
	}
	w := &k.warps[k.warp]
	if n := len(w.spans) - 1; n >= 0 && w.spans[n].chunk == k.last && w.spans[n].to == k.from {
		w.spans[n].to = k.next
	} else {
		w.spans = append(w.spans, span{k.last, k.from, k.next})
		k.last.open++
	}
	k.from = k.next
}

// Add adds what the executed lanes of warp w leave after instruction u, with the addresses from
// before, nil if u is no access.
func (k *Kept) Add(st *State, u *program.Op, w int, executed lane.Mask, addresses *lane.Row) {
	k.of(w)
	k.Room(k.Most(int(u.At)))
	f, to, time := &k.forms[u.At], k.last.words[k.next:], st.Clock+uint64(u.At)
	n := HeadWords
	for _, c := range f.conditions {
		x := &st.Flags[c][w]
		to[n], to[n+1], to[n+2], to[n+3] = uint32(x.Z), uint32(x.S), uint32(x.C), uint32(x.O)
		n += MaskWords
	}
	if f.addresses {
		n += copy(to[n:], addresses[:])
	}
	for _, r := range f.registers {
		row := &zeroRow
		if r != noRegister {
			row = st.RegisterRow(r, w)
		}
		n += copy(to[n:], row[:])
	}
	to[HeadTime], to[HeadTime+1], to[HeadLanes] = uint32(time), uint32(time>>32), uint32(executed)
	to[HeadIndex], to[HeadSize], to[HeadForms] = uint32(u.At), uint32(n), 0
	k.next += n
}

// Before returns the values of warp w of issues before a time, nil if there are none. They are valid
// until the next call of a method.
func (k *Kept) Before(w int, time uint64) *Values {
	k.close()
	spans := k.warps[w].spans
	if len(spans) == 0 || timeOf(spans[0].words[spans[0].from:]) >= time {
		return nil
	}
	k.told = Values{kept: k, spans: spans[1:], span: spans[0], before: time}
	return &k.told
}

// Told drops the values of warp w that Before returned last.
func (k *Kept) Told(w int) {
	v := &k.told
	for v.skip() {
	}
	list := k.warps[w].spans
	n := len(list) - len(v.spans)
	if v.from < v.to {
		n--
		list[n] = v.span
	}
	for i := range n {
		c := list[i].chunk
		if c.open--; c.open > 0 {
			continue
		}
		if c != k.last {
			k.spare = append(k.spare, c)
		} else if k.from == k.next {
			k.from, k.next = 0, 0
		}
	}
	k.warps[w].spans = append(list[:0], list[n:]...)
}

func timeOf(entry []uint32) uint64 {
	return uint64(entry[HeadTime]) | uint64(entry[HeadTime+1])<<32
}
