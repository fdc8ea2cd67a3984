package stats

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
)

// csvFormat writes a row for each instruction of each launch, those that were never issued included.
type csvFormat struct{ size int64 }

// csvHead are the columns before the counters, csvTail the one behind them: issues by active lanes,
// as 16:2 32:40.
func csvHead() []string {
	return []string{
		"launch", "kernel", "hash", "arch", "device", "grid_x", "grid_y", "block_x", "block_y", "block_z", "seconds", "incomplete",
		"pc", "op", "class", "exactness", "instruction",
	}
}

const csvTail = "active_lanes"

func (f *csvFormat) begin(*Run) ([]byte, error) {
	columns := csvHead()
	for _, c := range InstructionColumns() {
		columns = append(columns, c.Name)
	}
	return f.rows([][]string{append(columns, csvTail)})
}

func (f *csvFormat) launch(l *Launch, _ bool) (data []byte, at int64, err error) {
	k, s := l.Kernel, &l.Stats
	head := []string{
		strconv.Itoa(l.Number), k.Name, k.Hash, k.Arch.String(), l.Device,
		strconv.Itoa(s.Grid[0]), strconv.Itoa(s.Grid[1]), strconv.Itoa(s.Block[0]), strconv.Itoa(s.Block[1]), strconv.Itoa(s.Block[2]),
		strconv.FormatFloat(s.Elapsed.Seconds(), 'g', -1, 64), strconv.FormatBool(s.Incomplete),
	}
	columns := InstructionColumns()
	var rows [][]string
	for i := range s.ByInstruction {
		counted, in := &s.ByInstruction[i], &k.Code[i]
		row := append([]string(nil), head...)
		row = append(row, fmt.Sprintf("%#x", k.PCs[i]), in.Op.String(), ClassOf(in.Op).String(), in.Certainty().Exactness.String(), in.String())
		for _, c := range columns {
			row = append(row, strconv.FormatUint(*c.Of(counted), 10))
		}
		rows = append(rows, append(row, lanesText(&counted.Active)))
	}
	at = f.size
	data, err = f.rows(rows)
	return data, at, err
}

// lanesText returns a histogram as text.
func lanesText(h *[33]uint64) string {
	var b []byte
	for n, v := range h {
		if v == 0 {
			continue
		}
		if b != nil {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(n), 10)
		b = strconv.AppendUint(append(b, ':'), v, 10)
	}
	return string(b)
}

// rows returns rows as text and counts it.
func (f *csvFormat) rows(rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(rows)
	f.size += int64(b.Len())
	return b.Bytes(), err
}
