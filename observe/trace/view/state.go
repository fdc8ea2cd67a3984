package view

import (
	"jacquard/observe/trace"
	"jacquard/simt/branch"
)

// entry is a branch.Entry in files for other tools.
type entry struct {
	Kind   string `parquet:"kind,dict" json:"kind"`
	Runs   bool   `parquet:"runs" json:"runs,omitempty"`
	Warp   int32  `parquet:"warp" json:"warp"` // home warp of the lanes
	PC     *int64 `parquet:"pc,optional" json:"pc,omitempty"`
	Lanes  uint32 `parquet:"lanes,dict" json:"lanes"` // one bit each
	Number *int64 `parquet:"number,optional" json:"number,omitempty"`
}

// entries returns the policy's state of the warp at position k of a step, nil if the trace has
// none.
func entries(s *trace.Step, k int) []entry {
	if k >= len(s.States) {
		return nil
	}
	list := make([]entry, 0, len(s.States[k]))
	for _, e := range s.States[k] {
		warp := int32(s.Warp[k])
		if s.Mixed {
			warp = int32(e.Warp)
		}
		list = append(list, entry{e.Kind.String(), e.Runs, warp, number(e.PC), uint32(e.Mask), number(e.Number)})
	}
	return list
}

// number returns v, nil if there is none.
func number(v uint32) *int64 {
	if v == branch.NoStop {
		return nil
	}
	n := int64(v)
	return &n
}
