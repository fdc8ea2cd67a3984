package view

import (
	"io"

	"github.com/parquet-go/parquet-go"

	"jacquard/observe/table"
	"jacquard/observe/trace"
)

// tableRow is one warp-instruction of a Parquet file, or one warp's share of it if the policy mixes
// warps.
type tableRow struct {
	table.Lead
	Block    int32  `parquet:"block"`
	Time     int64  `parquet:"time,delta"`
	Warp     int32  `parquet:"warp"`
	PC       int32  `parquet:"pc,dict"`
	Op       string `parquet:"op,dict"`
	Text     string `parquet:"instruction,dict"`
	Active   uint32 `parquet:"active,dict"`   // lanes that issued, one bit each
	Executed uint32 `parquet:"executed,dict"` // lanes that executed, as statistics count them
	// Held are the lanes whose guard held; of a branch, the lanes that took it.
	Held   uint32     `parquet:"held,dict"`
	Vetoed bool       `parquet:"vetoed"` // sent elsewhere by the join marker
	Values []tableSet `parquet:"values,list"`
	State  []entry    `parquet:"state,list"` // the policy's state as the instruction issues
}

// tableSet is one value in every lane that executed.
type tableSet struct {
	Name  string   `parquet:"name,dict"`
	Words []uint32 `parquet:"words,list"` // lane 0 to 31; 0 where a lane did not execute
}

// tableBatch is the number of rows per write, tableGroup per row group.
const (
	tableBatch = 1 << 10
	tableGroup = 1 << 18
)

// Table writes a trace as a Parquet file, one row per warp of an issue.
func Table(out io.Writer, f *trace.File, filter *trace.Filter) error {
	w := parquet.NewGenericWriter[tableRow](out, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(tableGroup))
	var texts texts
	rows := make([]tableRow, 0, tableBatch)
	var last *trace.Launch
	var columns table.Lead
	for s, err := range f.Steps(filter) {
		if err != nil {
			return err
		}
		l := f.Launch(s.Launch)
		k := l.Kernel
		if l != last {
			last, columns = l, table.New(l.Policy, l.Device, k.Arch.String(), k.Name, l.Number, l.Grid, l.Block)
		}
		for i := range s.N {
			rows = append(rows, tableRow{
				Lead: columns, Block: int32(s.Block), Time: int64(s.Time), Warp: int32(s.Warp[i]),
				PC: int32(k.PCs[s.Index]), Op: k.Code[s.Index].Op.String(), Text: texts.of(k, s.Index),
				Active: uint32(s.Active[i]), Executed: uint32(k.Threads(s, i)), Held: uint32(s.Executed[i]),
				Vetoed: s.Vetoed>>s.Warp[i]&1 != 0, Values: tableSets(s, int(s.Warp[i])), State: entries(s, i),
			})
			if len(rows) == tableBatch {
				if _, err := w.Write(rows); err != nil {
					return err
				}
				rows = rows[:0]
			}
		}
	}
	if _, err := w.Write(rows); err != nil {
		return err
	}
	return w.Close()
}

func tableSets(s *trace.Step, warp int) []tableSet {
	var list []tableSet
	for i := range s.Values {
		if v := &s.Values[i]; v.Warp == warp {
			list = append(list, tableSet{v.Name(), append([]uint32(nil), v.Row[:]...)})
		}
	}
	return list
}

// texts caches the disassembly of a kernel.
type texts struct {
	kernel *trace.Kernel
	list   []string
}

func (t *texts) of(k *trace.Kernel, index int) string {
	if t.kernel != k {
		t.kernel, t.list = k, make([]string, len(k.Code))
	}
	if t.list[index] == "" {
		t.list[index] = k.Code[index].String()
	}
	return t.list[index]
}
