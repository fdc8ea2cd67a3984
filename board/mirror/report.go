package mirror

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"

	"jacquard/board/lastwriter"
	"jacquard/internal/difference"
)

// Report is the outcome of a process's cross-check, as in the report file.
type Report struct {
	Event   string   `json:"event"` // "crosscheck"
	PID     int      `json:"pid"`
	Library string   `json:"library"`
	Error   string   `json:"error,omitzero"` // why nothing could be compared
	Version int      `json:"version,omitzero"`
	Devices []string `json:"devices,omitzero"`
	// Ended means that the process reached its end: the report is complete.
	Ended    bool           `json:"ended"`
	Launches int            `json:"launches"` // of the program
	Compared int            `json:"compared"` // run on both sides
	Skipped  map[string]int `json:"skipped,omitempty"`
	Bytes    uint64         `json:"bytes"` // compared
	// Pointers counts words that differ but point to the same place.
	Pointers   uint64      `json:"pointers,omitzero"`
	Notes      []string    `json:"notes,omitzero"`
	Difference *Difference `json:"difference,omitzero"`
}

// Difference is the first difference.
type Difference struct {
	// Launch is the last launch before the difference was seen, counted from 1 in the process.
	Launch int `json:"launch"`
	// First is the first launch that may have caused it; Launch if memory is compared after each.
	First  int    `json:"first"`
	Kernel string `json:"kernel"`
	Grid   [2]int `json:"grid"`
	Block  [3]int `json:"block"`

	// For memory.
	Buffer  string             `json:"buffer,omitzero"` // its kind and name
	Address uint32             `json:"address,omitzero"`
	Bytes   int                `json:"bytes,omitzero"`
	Offset  int                `json:"offset"`
	Here    uint32             `json:"here"`
	There   uint32             `json:"there"`
	Number  *difference.Number `json:"number,omitzero"` // if both look like floating-point numbers
	Words   int                `json:"words,omitzero"`  // words of the buffer that differ
	Of      int                `json:"of,omitzero"`
	// Searched means that the launch was run again to find Writer.
	Searched bool               `json:"searched,omitzero"`
	Writer   *lastwriter.Writer `json:"writer,omitzero"` // nil if no thread here wrote the word

	// For a launch that failed on one side only.
	ResultHere  string `json:"result_here,omitzero"`
	ResultThere string `json:"result_there,omitzero"`
	Message     string `json:"message,omitzero"`
}

// differ reports the difference.
func (m *Mirror) differ(d *Difference) {
	m.report.Difference = d
	for _, line := range d.Lines() {
		m.say("%s", line)
	}
	m.append() // in case the program does not reach its end
}

// Lines describes d.
func (d *Difference) Lines() []string {
	launch := fmt.Sprintf("launch %d, kernel %s, grid %dx%d, block %dx%dx%d", d.Launch, d.Kernel, d.Grid[0], d.Grid[1], d.Block[0], d.Block[1], d.Block[2])
	if d.First < d.Launch {
		launch = fmt.Sprintf("one of launches %d to %s", d.First, launch[len("launch "):])
	}
	if d.Buffer == "" {
		return []string{
			fmt.Sprintf("DIFFERENCE at %s: here %s, there %s", launch, d.ResultHere, d.ResultThere),
			"  " + d.Message,
		}
	}
	values := fmt.Sprintf("here 0x%08x, there 0x%08x", d.Here, d.There)
	if n := d.Number; n != nil {
		values += fmt.Sprintf(" (%s, %s: %d ulp)", number(n.Got, n.Bits), number(n.Want, n.Bits), n.ULP)
	}
	lines := []string{
		"DIFFERENCE at " + launch,
		fmt.Sprintf("  %s of %d bytes at 0x%x, offset 0x%x: %s", d.Buffer, d.Bytes, d.Address, d.Offset, values),
		fmt.Sprintf("  %d of the buffer's %d words differ", d.Words, d.Of),
	}
	switch {
	case d.Writer != nil:
		lines = append(lines, "  written here by "+d.Writer.String())
	case d.Searched:
		lines = append(lines, "  no thread of this launch wrote there here: the other driver's did, or what it found was another")
	default:
		lines = append(lines, "  compare after every launch (--every 1) to learn which thread and instruction wrote it")
	}
	return lines
}

// number formats a floating-point number with its format's digits.
func number(f float64, bits int) string { return strconv.FormatFloat(f, 'g', -1, bits) }

// lines returns the summary.
func (r *Report) lines() []string {
	what := "no difference"
	if r.Difference != nil {
		what = "a difference"
	}
	if r.Compared == 0 {
		what = "nothing was compared"
	}
	line := fmt.Sprintf("%s; %d of %d launches ran on both, %d bytes compared", what, r.Compared, r.Launches, r.Bytes)
	if r.Pointers > 0 {
		line += fmt.Sprintf(", %d words of addresses that mean the same", r.Pointers)
	}
	lines := []string{line}
	for _, why := range slices.Sorted(maps.Keys(r.Skipped)) {
		lines = append(lines, fmt.Sprintf("  %d not compared: %s", r.Skipped[why], why))
	}
	return lines
}

// append writes the report as a line of JSON, if a file for it was named.
func (m *Mirror) append() {
	if m.options.Report == "" {
		return
	}
	line, err := json.Marshal(&m.report)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(m.options.Report, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
			_, err = f.Write(append(line, '\n'))
			f.Close()
		}
	}
	if err != nil {
		m.say("%v", err)
	}
}
