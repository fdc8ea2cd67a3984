package conformance

import (
	"hash/maphash"
	"math/bits"

	"jacquard/simt"
	"jacquard/simt/lane"
)

// record is a recorder of one launch. It hashes the issues of each warp, and the values that these
// leave, in the order of the warp: engines differ in how they cut code up, and in which warp is first.
type record struct {
	program *simt.Program
	bare    bool // without values
	issues  uint64
	values  uint64
}

// recordedBlock is a record of one block.
type recordedBlock struct {
	*record
	issues, values [lane.MaxWarps]uint64
}

// Block records every block.
func (r *record) Block(b *simt.Block) simt.BlockRecorder {
	o := &recordedBlock{record: r}
	for w := range o.issues {
		o.issues[w] = hash(0, [2]int{b.Number(), w})
		o.values[w] = o.issues[w]
	}
	return o
}

// Keeps asks for every instruction, or for none.
func (r *record) Keeps() []bool {
	keeps := make([]bool, r.program.Instructions())
	for i := range keeps {
		keeps[i] = !r.bare
	}
	return keeps
}

// States asks for none.
func (r *record) States() bool { return false }

// Fault has nothing to do.
func (r *record) Fault(*simt.Fault, int) {}

// Run notes the issues of a warp, one by one.
func (o *recordedBlock) Run(w int, list []simt.Stretch) {
	for _, s := range list {
		one := s
		for ; s.From < s.To; s.From, s.Time = s.From+1, s.Time+1 {
			one.Time, one.From, one.To, one.Executed = s.Time, s.From, s.From+1, s.Active
			if one.To == s.To {
				one.Executed = s.Executed
			}
			o.issues[w] = hash(o.issues[w], one)
		}
	}
}

// Keep notes which lanes executed an instruction, their addresses, and what they leave in registers.
func (o *recordedBlock) Keep(w int, v *simt.Values) {
	sum, scratch := &o.values[w], lane.Row{}
	for v.Next() {
		*sum = hash(*sum, [2]int{v.Index, int(v.Executed)})
		for i := range v.Rows {
			row := v.Rows[i].Row(&scratch)
			for m := v.Executed; m != 0; m &= m - 1 {
				*sum = hash(*sum, row[bits.TrailingZeros32(uint32(m))])
			}
		}
		for _, f := range v.Conditions {
			*sum = hash(*sum, [4]lane.Mask{f.Z & v.Executed, f.S & v.Executed, f.C & v.Executed, f.O & v.Executed})
		}
	}
}

// difference says where got differs, "" if nowhere.
func (r *record) difference(got *record) string {
	if d := different("issues", r.issues, got.issues); d != "" || got.bare {
		return d
	}
	return different("values", r.values, got.values)
}

// Reached has nothing to do.
func (o *recordedBlock) Reached(uint64) {}

// End adds the block to the record.
func (o *recordedBlock) End(*simt.Fault) {
	for w := range o.issues {
		o.record.issues += o.issues[w]
		o.record.values += o.values[w]
	}
}

func hash(sum uint64, v any) uint64 { return sum*31 + maphash.Comparable(seed, v) }
