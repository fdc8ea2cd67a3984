package stats

import "encoding/binary"

// thrift is a message in the compact protocol of Apache Thrift, as far as Parquet's metadata need it. Fields
// must be written in ascending order of their ids.
type thrift struct {
	b    []byte
	last []int16 // id of the field before, of every struct that is open
}

// The types of the compact protocol.
const (
	thriftI32    = 5
	thriftI64    = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

// field begins field id of the innermost struct.
func (t *thrift) field(id int16, typ byte) {
	last := &t.last[len(t.last)-1]
	t.b = append(t.b, byte(id-*last)<<4|typ) // ids here are never more than 15 apart
	*last = id
}

func (t *thrift) number(v int64) { t.b = binary.AppendVarint(t.b, v) }

func (t *thrift) bytes(s string) {
	t.b = append(binary.AppendUvarint(t.b, uint64(len(s))), s...)
}

func (t *thrift) i32(id int16, v int)     { t.field(id, thriftI32); t.number(int64(v)) }
func (t *thrift) i64(id int16, v int64)   { t.field(id, thriftI64); t.number(v) }
func (t *thrift) text(id int16, s string) { t.field(id, thriftBinary); t.bytes(s) }

// list begins field id as a list of n elements.
func (t *thrift) list(id int16, typ byte, n int) {
	t.field(id, thriftList)
	if n < 15 {
		t.b = append(t.b, byte(n)<<4|typ)
	} else {
		t.b = binary.AppendUvarint(append(t.b, 0xf0|typ), uint64(n))
	}
}

// open begins a struct that is the message or an element of a list, and close ends it.
func (t *thrift) open()  { t.last = append(t.last, 0) }
func (t *thrift) close() { t.b, t.last = append(t.b, 0), t.last[:len(t.last)-1] }

// structure writes field id as a struct.
func (t *thrift) structure(id int16, fields func()) {
	t.field(id, thriftStruct)
	t.open()
	fields()
	t.close()
}
