package machine

import "jacquard/simt/lane"

// Values are the values of a warp's instructions, one after the other, from the first on that Next
// moves to. A copy goes its own way.
type Values struct {
	Index    int       // of the instruction
	Executed lane.Mask // the lanes that executed it, at least one

	// Rows are the addresses of an access, as in WarpIssue, then the registers that the instruction
	// writes or stores, in the order of program.Effects: Registers, AddressRegisters and Data.
	Rows       []ValueRow
	Conditions []lane.Flags // that it writes

	kept *Kept
	span
	spans  []span // after this one
	before uint64
	only   []bool // nil: all
}

// ValueRow is a row of values in the lanes that executed.
type ValueRow struct {
	Words *lane.Row // nil: a lane has Base plus its number times Stride

	// The lowest two lanes that executed are neighbours, so no other Base and Stride fit.
	Base, Stride uint32

	Uneven bool // it is known that none fit
}

// Row returns the words of all lanes, in scratch if they are in no memory.
func (r *ValueRow) Row(scratch *lane.Row) *lane.Row {
	if r.Words != nil {
		return r.Words
	}
	for l := range scratch {
		scratch[l] = r.Base + uint32(l)*r.Stride
	}
	return scratch
}

// Only returns values that begin as v, of the selected instructions.
func (v *Values) Only(wanted []bool) Values {
	some := *v
	some.only = wanted
	return some
}

// Next moves to the next instruction. It reports false if there is none.
func (v *Values) Next() bool {
	for {
		entry, ok := v.entry()
		if !ok {
			return false
		}
		v.from += int(entry[HeadSize])
		index := int(entry[HeadIndex])
		if v.only != nil && !v.only[index] {
			continue
		}
		v.Index, v.Executed = index, lane.Mask(entry[HeadLanes])
		v.parse(&v.kept.forms[index], entry)
		return true
	}
}

// entry returns the next entry, and does not move.
func (v *Values) entry() (entry []uint32, ok bool) {
	for v.from == v.to {
		if len(v.spans) == 0 {
			return nil, false
		}
		v.span, v.spans = v.spans[0], v.spans[1:]
	}
	entry = v.words[v.from:v.to]
	return entry, timeOf(entry) < v.before
}

// skip moves by one entry. It reports false if there is none.
func (v *Values) skip() bool {
	entry, ok := v.entry()
	if ok {
		v.from += int(entry[HeadSize])
	}
	return ok
}

// parse reads an entry.
func (v *Values) parse(f *form, entry []uint32) {
	at := HeadWords
	if v.Conditions = nil; len(f.conditions) > 0 {
		v.Conditions = v.kept.flags[:len(f.conditions)]
	}
	for i := range v.Conditions {
		m := (*[MaskWords]uint32)(entry[at:])
		v.Conditions[i] = lane.Flags{Z: lane.Mask(m[0]), S: lane.Mask(m[1]), C: lane.Mask(m[2]), O: lane.Mask(m[3])}
		at += MaskWords
	}
	v.Rows = v.kept.rows[:f.rows]
	forms := entry[HeadForms]
	for i := range v.Rows {
		r := &v.Rows[i]
		if forms>>i&HasBase != 0 {
			r.Words, r.Base, r.Stride = nil, entry[at], entry[at+1]
			at += ShortWords
		} else {
			r.Words, r.Uneven = (*lane.Row)(entry[at:]), forms>>i&HasNone != 0
			at += LongWords
		}
	}
}
