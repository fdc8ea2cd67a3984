package stats_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
)

// Readers differ in the numbers that they trust. So every number in the metadata and the page
// headers must be right, and every byte of the file must belong to something.
func TestParquetMetadata(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.parquet")
	w, err := stats.Target{Path: path, Kind: stats.Parquet}.Create(run())
	require.NoError(t, err)
	for n := range 9 {
		require.NoError(t, w.Add(launch(t, "kernel", 1+(n*29)%100)))
		checkParquet(t, path)
	}
	require.NoError(t, w.Close())
	checkParquet(t, path)
}

func checkParquet(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	m := file.Metadata()
	require.Positive(t, m.Version)
	unpack, err := zstd.NewReader(nil)
	require.NoError(t, err)
	defer unpack.Close()

	at, rows := int64(len("PAR1")), int64(0)
	for _, g := range m.RowGroups {
		raw, columns := int64(0), g.Columns
		for i, c := range columns {
			d := &c.MetaData
			require.Equal(t, at, d.DataPageOffset, "chunks follow each other")
			rest := bytes.NewReader(data[at:])
			var page format.PageHeader
			decoder := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(rest))
			decoder.SetStrict(true)
			require.NoError(t, decoder.Decode(&page))
			header := int64(len(data)) - at - int64(rest.Len())
			stored := data[at+header : at+header+int64(page.CompressedPageSize)]
			plain, err := unpack.DecodeAll(stored, nil)
			require.NoError(t, err)

			require.Equal(t, format.DataPage, page.Type)
			require.Len(t, plain, int(page.UncompressedPageSize))
			require.True(t, page.DataPageHeader.Valid)
			require.EqualValues(t, d.NumValues, page.DataPageHeader.V.NumValues)
			require.Equal(t, format.Plain, page.DataPageHeader.V.Encoding)
			require.Equal(t, format.RLE, page.DataPageHeader.V.DefinitionLevelEncoding)
			require.Equal(t, format.RLE, page.DataPageHeader.V.RepetitionLevelEncoding)
			require.Equal(t, header+int64(page.CompressedPageSize), d.TotalCompressedSize)
			require.Equal(t, header+int64(page.UncompressedPageSize), d.TotalUncompressedSize)
			require.Equal(t, format.Zstd, d.Codec)
			require.Equal(t, []format.Encoding{format.Plain, format.RLE}, []format.Encoding(d.Encoding))
			values := g.NumRows
			if i == len(columns)-1 {
				values *= 33 // entries for 0 to 32 lanes
			}
			require.Equal(t, values, d.NumValues)
			raw += d.TotalUncompressedSize
			at += d.TotalCompressedSize
		}
		require.Equal(t, raw, g.TotalByteSize)
		rows += g.NumRows
	}
	require.Equal(t, rows, m.NumRows)
	footer := int64(len(data)) - 8
	size := int64(data[footer]) | int64(data[footer+1])<<8 | int64(data[footer+2])<<16
	require.Equal(t, footer-size, at, "the metadata follow the last chunk")
}
