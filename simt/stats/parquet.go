package stats

import (
	"encoding/binary"
	"math"

	"github.com/klauspost/compress/zstd"
)

// parquetFormat writes an Apache Parquet file, whose metadata stand at its end and are written anew with every
// launch. A launch is a row group of its own at first. So that there are few groups in the end and little is
// written twice, a group takes in those before it that are not larger, until it is full: like
// the digits of a counter.
type parquetFormat struct {
	columns []field
	zstd    *zstd.Encoder
	groups  []*parquetGroup // as they stand in the file
	rows    int64
}

// parquetFull is the rows of a group that takes in no others.
const parquetFull = 1 << 14

// parquetMagic starts a file and ends it.
const parquetMagic = "PAR1"

// Numbers of the format's enumerations.
const (
	parquetInt64     = 2
	parquetDouble    = 5
	parquetByteArray = 6

	parquetRequired = 0
	parquetRepeated = 2

	parquetUTF8 = 0
	parquetList = 3

	parquetPlain = 0
	parquetRLE   = 3

	parquetZstd     = 6
	parquetDataPage = 0
)

// parquetGroup is a row group.
type parquetGroup struct {
	rows   int
	offset int64
	plain  [][]byte // values by column, the elements of the histograms last; nil once the group is full
	chunks []parquetChunk
}

// parquetChunk is a column of a group in the file.
type parquetChunk struct {
	offset      int64
	stored, raw int64 // bytes, with the page's header
	values      int64
}

func (f *parquetFormat) begin(*Run) ([]byte, error) {
	var err error
	f.columns = fields()
	f.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20))
	return f.end([]byte(parquetMagic)), err
}

func (f *parquetFormat) launch(l *Launch, _ bool) (data []byte, at int64, err error) {
	g := f.group(rowsOf(l))
	f.rows += int64(g.rows)
	at = int64(len(parquetMagic))
	for len(f.groups) > 0 {
		last := f.groups[len(f.groups)-1]
		if last.plain == nil || last.rows > g.rows {
			end := last.chunks[len(last.chunks)-1]
			at = end.offset + end.stored
			break
		}
		last.take(g)
		g, f.groups = last, f.groups[:len(f.groups)-1]
	}
	if g.rows > 0 {
		f.groups = append(f.groups, g)
		data = f.pages(g, at)
		if g.rows >= parquetFull {
			g.plain = nil
		}
	}
	return f.end(data), at, nil
}

// group returns the group of some rows.
func (f *parquetFormat) group(rows []row) *parquetGroup {
	g := &parquetGroup{rows: len(rows), plain: make([][]byte, len(f.columns)+1)}
	for i := range rows {
		for k, c := range f.columns {
			b := g.plain[k]
			switch {
			case c.number != nil:
				b = binary.LittleEndian.AppendUint64(b, uint64(c.number(&rows[i])))
			case c.real != nil:
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c.real(&rows[i])))
			default:
				text := c.text(&rows[i])
				b = append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), text...)
			}
			g.plain[k] = b
		}
		for _, v := range rows[i].counted.Active {
			g.plain[len(f.columns)] = binary.LittleEndian.AppendUint64(g.plain[len(f.columns)], v)
		}
	}
	return g
}

// take appends the rows of o.
func (g *parquetGroup) take(o *parquetGroup) {
	g.rows += o.rows
	for k := range g.plain {
		g.plain[k] = append(g.plain[k], o.plain[k]...)
	}
}

// lanes is how many entries a histogram has.
const lanes = 33

// pages returns a group as it stands in the file from an offset on: one page a column.
func (f *parquetFormat) pages(g *parquetGroup, at int64) (data []byte) {
	g.offset, g.chunks = at, nil
	for k, plain := range g.plain {
		values := g.rows
		if k == len(f.columns) {
			values *= lanes
			plain = append(histogramLevels(g.rows), plain...)
		}
		stored := f.zstd.EncodeAll(plain, nil)
		t := thrift{}
		t.open()
		t.i32(1, parquetDataPage)
		t.i32(2, len(plain))
		t.i32(3, len(stored))
		t.structure(5, func() {
			t.i32(1, values)
			t.i32(2, parquetPlain)
			t.i32(3, parquetRLE)
			t.i32(4, parquetRLE)
		})
		t.close()
		g.chunks = append(g.chunks, parquetChunk{
			offset: at + int64(len(data)), stored: int64(len(t.b) + len(stored)), raw: int64(len(t.b) + len(plain)), values: int64(values),
		})
		data = append(append(data, t.b...), stored...)
	}
	return data
}

// histogramLevels returns what says which entries belong to one row: repetition 0 for the first of each and 1 for the
// others, in runs, and definition 1 for all.
func histogramLevels(rows int) []byte {
	var repetition []byte
	for range rows {
		repetition = append(repetition, 1<<1, 0, (lanes-1)<<1, 1)
	}
	definition := append(binary.AppendUvarint(nil, uint64(rows*lanes)<<1), 1)
	b := append(binary.LittleEndian.AppendUint32(nil, uint32(len(repetition))), repetition...)
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(definition))), definition...)
}

// end appends the metadata and the end of the file.
func (f *parquetFormat) end(data []byte) []byte {
	t := thrift{}
	t.open()
	t.i32(1, 1) // version
	f.schema(&t)
	t.i64(3, f.rows)
	t.list(4, thriftStruct, len(f.groups))
	for _, g := range f.groups {
		f.describe(&t, g)
	}
	t.text(6, "jacquard")
	t.close()
	data = append(data, t.b...)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(t.b)))
	return append(data, parquetMagic...)
}

// schema writes the columns. The histogram is a list of numbers, which is three of them in one another.
func (f *parquetFormat) schema(t *thrift) {
	t.list(2, thriftStruct, 1+len(f.columns)+3)
	t.open()
	t.text(4, "statistics")
	t.i32(5, len(f.columns)+1)
	t.close()
	for _, c := range f.columns {
		t.open()
		t.i32(1, c.parquetType())
		t.i32(3, parquetRequired)
		t.text(4, c.name)
		if c.text != nil {
			t.i32(6, parquetUTF8)
		}
		t.close()
	}
	t.open()
	t.i32(3, parquetRequired)
	t.text(4, histogramField)
	t.i32(5, 1)
	t.i32(6, parquetList)
	t.close()
	t.open()
	t.i32(3, parquetRepeated)
	t.text(4, "list")
	t.i32(5, 1)
	t.close()
	t.open()
	t.i32(1, parquetInt64)
	t.i32(3, parquetRequired)
	t.text(4, "element")
	t.close()
}

func (c *field) parquetType() int {
	switch {
	case c.number != nil:
		return parquetInt64
	case c.real != nil:
		return parquetDouble
	}
	return parquetByteArray
}

// describe writes the metadata of a group.
func (f *parquetFormat) describe(t *thrift, g *parquetGroup) {
	var bytes int64
	t.open()
	t.list(1, thriftStruct, len(g.chunks))
	for k, c := range g.chunks {
		typ, path := parquetInt64, []string{histogramField, "list", "element"}
		if k < len(f.columns) {
			typ, path = f.columns[k].parquetType(), []string{f.columns[k].name}
		}
		bytes += c.raw
		t.open()
		t.i64(2, c.offset)
		t.structure(3, func() {
			t.i32(1, typ)
			t.list(2, thriftI32, 2)
			t.number(parquetPlain)
			t.number(parquetRLE)
			t.list(3, thriftBinary, len(path))
			for _, name := range path {
				t.bytes(name)
			}
			t.i32(4, parquetZstd)
			t.i64(5, c.values)
			t.i64(6, c.raw)
			t.i64(7, c.stored)
			t.i64(9, c.offset)
		})
		t.close()
	}
	t.i64(2, bytes)
	t.i64(3, int64(g.rows))
	t.close()
}
