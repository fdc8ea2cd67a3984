package stats

import "io"

// Table writes launches of many runs as one Apache Parquet file: the columns of the file of a run,
// after one that tells the runs apart. Unlike that of a [Writer], the file is whole only after Close.
type Table struct {
	out    io.Writer
	format parquetFormat
	rows   []row // not written yet
	at     int64
}

// NewTable begins a table in out.
func NewTable(out io.Writer) (*Table, error) {
	t := &Table{out: out}
	if _, err := t.format.begin(nil); err != nil {
		return nil, err
	}
	t.format.columns = append([]field{{name: "cell", text: func(r *row) string { return r.run }}}, t.format.columns...)
	t.format.about.Schema = t.format.schema()
	return t, t.write([]byte(parquetMagic))
}

// Add adds the rows of a launch; run tells it from launches of other runs. The launch must not
// change any more.
func (t *Table) Add(run string, l *Launch) error {
	for _, r := range rowsOf(l) {
		r.run = run
		t.rows = append(t.rows, r)
	}
	if len(t.rows) < parquetFull {
		return nil
	}
	return t.flush()
}

// Close writes the rest.
func (t *Table) Close() error {
	if err := t.flush(); err != nil {
		return err
	}
	end, err := t.format.end(nil)
	if err != nil {
		return err
	}
	return t.write(end)
}

// flush writes the rows as a group.
func (t *Table) flush() error {
	if len(t.rows) == 0 {
		return nil
	}
	g := t.format.group(t.rows)
	data, err := t.format.pages(g, t.at)
	if err != nil {
		return err
	}
	g.plain, t.rows = nil, nil
	t.format.groups = append(t.format.groups, g)
	t.format.about.NumRows += int64(g.rows)
	return t.write(data)
}

func (t *Table) write(data []byte) error {
	n, err := t.out.Write(data)
	t.at += int64(n)
	return err
}
