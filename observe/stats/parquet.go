package stats

import (
	"encoding/binary"
	"math"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	parquet "github.com/parquet-go/parquet-go/format"
)

// parquetFormat writes an Apache Parquet file. The metadata are at the end of the file and are
// rewritten with every launch. A launch starts as a row group of its own. A new group absorbs
// earlier groups that are not larger, until it is full. As with the digits of a binary counter, few
// groups remain and little is written twice.
//
// Pages are plain values in zstd. The metadata are parquet-go's types, written by its encoder. The
// rest of parquet-go would cost every program that loads the library more than it saves here
// (docs/design/0020).
type parquetFormat struct {
	columns []field
	zstd    *zstd.Encoder
	groups  []*parquetGroup // in the order of the file
	about   parquet.FileMetaData
}

// parquetFull is the number of rows at which a group is full.
const parquetFull = 1 << 14

// parquetMagic is the start and the end of a file.
const parquetMagic = "PAR1"

// parquetGroup is a row group.
type parquetGroup struct {
	rows int
	// plain holds values by column, the elements of the histograms last; nil once the group is
	// full.
	plain [][]byte
	about parquet.RowGroup
}

func (f *parquetFormat) begin(*Run) ([]byte, error) {
	var err error
	f.columns = fields()
	f.about = parquet.FileMetaData{Version: 1, Schema: f.schema(), CreatedBy: "jacquard"}
	f.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, err
	}
	return f.end([]byte(parquetMagic))
}

func (f *parquetFormat) launch(l *Launch, _ bool) (data []byte, at int64, err error) {
	g := f.group(rowsOf(l))
	f.about.NumRows += int64(g.rows)
	at = int64(len(parquetMagic))
	for len(f.groups) > 0 {
		last := f.groups[len(f.groups)-1]
		if last.plain == nil || last.rows > g.rows {
			at = last.about.FileOffset + last.about.TotalCompressedSize
			break
		}
		last.take(g)
		g, f.groups = last, f.groups[:len(f.groups)-1]
	}
	if g.rows > 0 {
		if data, err = f.pages(g, at); err != nil {
			return nil, 0, err
		}
		f.groups = append(f.groups, g)
		if g.rows >= parquetFull {
			g.plain = nil
		}
	}
	data, err = f.end(data)
	return data, at, err
}

// group makes a group of rows.
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

// lanes is the number of entries of a histogram.
const lanes = 33

// pages returns a group as it is stored at offset at: one page per column.
func (f *parquetFormat) pages(g *parquetGroup, at int64) (data []byte, err error) {
	g.about = parquet.RowGroup{NumRows: int64(g.rows), FileOffset: at, Ordinal: int16(len(f.groups))}
	for k, plain := range g.plain {
		c := parquet.ColumnMetaData{NumValues: int64(g.rows), DataPageOffset: at + int64(len(data))}
		if k < len(f.columns) {
			c.Type, c.PathInSchema = f.columns[k].parquetType(), []string{f.columns[k].name}
		} else {
			c.Type, c.PathInSchema = parquet.Int64, []string{histogramField, "list", "element"}
			c.NumValues *= lanes
			plain = append(histogramLevels(g.rows), plain...)
		}
		page, err := f.page(&c, plain)
		if err != nil {
			return nil, err
		}
		g.about.Columns = append(g.about.Columns, parquet.ColumnChunk{FileOffset: c.DataPageOffset, MetaData: c})
		g.about.TotalByteSize += c.TotalUncompressedSize
		g.about.TotalCompressedSize += c.TotalCompressedSize
		data = append(data, page...)
	}
	return data, nil
}

// page returns a column's page with its header, and completes the column's metadata.
func (f *parquetFormat) page(c *parquet.ColumnMetaData, plain []byte) ([]byte, error) {
	stored := f.zstd.EncodeAll(plain, nil)
	head, err := parquetBytes(parquet.PageHeader{
		Type: parquet.DataPage, UncompressedPageSize: int32(len(plain)), CompressedPageSize: int32(len(stored)),
		DataPageHeader: thrift.New(parquet.DataPageHeader{
			NumValues: int32(c.NumValues), Encoding: parquet.Plain, DefinitionLevelEncoding: parquet.RLE, RepetitionLevelEncoding: parquet.RLE,
		}),
	})
	c.Encoding, c.Codec = []parquet.Encoding{parquet.Plain, parquet.RLE}, parquet.Zstd
	c.TotalUncompressedSize = int64(len(head) + len(plain))
	c.TotalCompressedSize = int64(len(head) + len(stored))
	return append(head, stored...), err
}

// parquetBytes returns the stored form of a message of the metadata.
func parquetBytes(message any) ([]byte, error) {
	return thrift.Marshal(new(thrift.CompactProtocol), message)
}

// histogramLevels returns the levels that divide entries into rows, as runs: repetition 0 for the
// first entry of each row and 1 for the others, definition 1 for all.
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
func (f *parquetFormat) end(data []byte) ([]byte, error) {
	f.about.RowGroups = nil
	for _, g := range f.groups {
		f.about.RowGroups = append(f.about.RowGroups, g.about)
	}
	about, err := parquetBytes(f.about)
	data = binary.LittleEndian.AppendUint32(append(data, about...), uint32(len(about)))
	return append(data, parquetMagic...), err
}

// schema returns the columns. The histogram is a list of numbers, which takes three nested
// elements.
func (f *parquetFormat) schema() []parquet.SchemaElement {
	required, repeated := thrift.New(parquet.Required), thrift.New(parquet.Repeated)
	list := []parquet.SchemaElement{{Name: "statistics", NumChildren: thrift.New(int32(len(f.columns) + 1))}}
	for _, c := range f.columns {
		e := parquet.SchemaElement{Name: c.name, Type: thrift.New(c.parquetType()), RepetitionType: required}
		if c.text != nil {
			e.ConvertedType = thrift.New(deprecated.UTF8)
		}
		list = append(list, e)
	}
	return append(list,
		parquet.SchemaElement{Name: histogramField, RepetitionType: required, NumChildren: thrift.New(int32(1)), ConvertedType: thrift.New(deprecated.List)},
		parquet.SchemaElement{Name: "list", RepetitionType: repeated, NumChildren: thrift.New(int32(1))},
		parquet.SchemaElement{Name: "element", RepetitionType: required, Type: thrift.New(parquet.Int64)})
}

func (c *field) parquetType() parquet.Type {
	switch {
	case c.number != nil:
		return parquet.Int64
	case c.real != nil:
		return parquet.Double
	}
	return parquet.ByteArray
}
