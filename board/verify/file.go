package verify

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// ReadRows reads the vectors of the file at path, which may be compressed (.gz). Modifiers are not
// checked.
func ReadRows(path string) ([]Row, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		r = z
	}
	rows, err := readRows(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rows, nil
}

// ParseRow makes a row of an operation with its modifiers, separated by blanks, and the hexadecimal
// digits of its operands and the flags it reads; "" is none. Its answer is empty.
func ParseRow(op, a, b, c, flags string) (Row, error) {
	name, mods, _ := strings.Cut(strings.TrimSpace(op), " ")
	return parseRow(0, []string{name, mods, a, b, c, flags, "", "", ""})
}

// WriteRows writes a vector file.
func WriteRows(out io.Writer, rows []Row) error {
	w := csv.NewWriter(out)
	if err := w.Write(header); err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		fields := []string{r.Op, strings.Join(r.Mods, " ")}
		for _, v := range []Value{r.A, r.B, r.C, r.CCIn, r.Want.R, r.Want.CC, r.Want.R2} {
			if v.Digits == 0 {
				fields = append(fields, "")
			} else {
				fields = append(fields, v.String())
			}
		}
		if err := w.Write(fields); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// readRows reads a whole file.
func readRows(r io.Reader) ([]Row, error) {
	want := strings.Join(header, ",")
	buffered := bufio.NewReader(r)
	start, err := buffered.Peek(len(want)) // the line of another file may have no end
	if err != nil && err != io.EOF {
		return nil, err
	}
	in := csv.NewReader(buffered)
	in.FieldsPerRecord = -1 // a wrong count is reported with its line
	in.ReuseRecord = true
	var first []string
	if string(start) == want {
		if first, err = in.Read(); err != nil {
			return nil, err
		}
	}
	if !slices.Equal(first, header) {
		return nil, &FormatError{1, errors.New("no vector file: the first line is not " + want)}
	}
	var rows []Row
	for {
		fields, err := in.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := in.FieldPos(0)
		row, err := parseRow(line, fields)
		if err != nil {
			return nil, &FormatError{line, err}
		}
		if _, known := instructions[row.Op]; !known {
			return nil, &FormatError{line, fmt.Errorf("unknown operation %q", row.Op)}
		}
		rows = append(rows, row)
	}
}
