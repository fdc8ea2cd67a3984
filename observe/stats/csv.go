package stats

import (
	"bytes"
	"encoding/csv"
	"strconv"
)

// csvFormat writes one line per row. The histogram is text: 16:2 32:40 means two issues of 16 lanes
// and 40 of 32.
type csvFormat struct{ size int64 }

func (f *csvFormat) begin(*Run) ([]byte, error) {
	var head []string
	for _, c := range fields() {
		head = append(head, c.name)
	}
	return f.lines([][]string{append(head, histogramField)})
}

func (f *csvFormat) launch(l *Launch, _ bool) (data []byte, at int64, err error) {
	columns := fields()
	var lines [][]string
	for _, r := range rowsOf(l) {
		var line []string
		for _, c := range columns {
			switch {
			case c.number != nil:
				line = append(line, strconv.FormatInt(c.number(&r), 10))
			case c.real != nil:
				line = append(line, strconv.FormatFloat(c.real(&r), 'g', -1, 64))
			default:
				line = append(line, c.text(&r))
			}
		}
		lines = append(lines, append(line, lanesText(&r.counted.Active)))
	}
	at = f.size
	data, err = f.lines(lines)
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

// lines returns lines as CSV and adds their bytes to the size.
func (f *csvFormat) lines(lines [][]string) ([]byte, error) {
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(lines)
	f.size += int64(b.Len())
	return b.Bytes(), err
}
