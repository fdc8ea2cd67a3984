package compare

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"jacquard/observe/table"
)

// WriteJSON prints one object per row, each on a line.
func WriteJSON(out io.Writer, rows []Row) error {
	enc := json.NewEncoder(out)
	for i := range rows {
		row := struct {
			*Row
			AverageLanes float64 `json:"average_active_lanes"`
			Bare         float64 `json:"average_active_lanes_without_joinat"`
		}{&rows[i], rows[i].AverageLanes(), rows[i].AverageLanesWithoutJoinAt()}
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// WriteCSV prints one line per row, with a header. Histograms have one column per entry.
func WriteCSV(out io.Writer, rows []Row) error {
	w := csv.NewWriter(out)
	for i := range rows {
		names, values := rows[i].fields()
		if i == 0 {
			if err := w.Write(names); err != nil {
				return err
			}
		}
		if err := w.Write(values); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// fields returns the columns of a row in a file: the leading ones, and then the names of the JSON
// form, and the mean of the active lanes.
func (r *Row) fields() (names, values []string) {
	text := func(name, value string) {
		names, values = append(names, name), append(values, value)
	}
	number := func(name string, n uint64) { text(name, strconv.FormatUint(n, 10)) }
	histogram := func(name string, counts []uint64) {
		for i, n := range counts {
			number(fmt.Sprintf("%s_%d", name, i), n)
		}
	}
	names, values = table.Names(), r.Cells()
	text("outcome", string(r.Outcome))
	text("reason", r.Reason)
	text("diagnosis", r.Diagnosis)
	number("launches", uint64(r.Launches))
	number("warp_instructions", r.WarpInstructions)
	number("thread_instructions", r.ThreadInstructions)
	number("transactions", r.Transactions)
	text("average_active_lanes", strconv.FormatFloat(r.AverageLanes(), 'f', 6, 64))
	text("average_active_lanes_without_joinat", strconv.FormatFloat(r.AverageLanesWithoutJoinAt(), 'f', 6, 64))
	histogram("active_lanes", r.ActiveLanes[:])
	number("reissued_joins", r.ReissuedJoins)
	number("annotations", r.Annotations)
	histogram("joinat_lanes", r.JoinAtLanes[:])
	number("merges", r.Merges)
	number("multiple_merges", r.MultipleMerges)
	number("swaps", r.Swaps)
	number("most_paths", uint64(r.MostPaths))
	number("deepest_stack", uint64(r.DeepestStack))
	number("partial_barriers", r.PartialBarriers)
	number("pc_arbitrations", r.PCArbitrations)
	number("memory_arbitrations", r.MemoryArbitrations)
	number("no_arbitrations", r.NoArbitrations)
	histogram("bcc", r.BCC[:])
	histogram("bcc_quads", r.QuadBCC[:])
	histogram("scc", r.SCC[:])
	return names, values
}
