package output

import (
	"encoding/binary"
	"fmt"
)

// Name is the variable in global memory that holds the output of a module's kernels. Compiled code
// writes it; the host prints its records after a launch and clears it.
//
// Word 0 counts the bytes that records asked for, word 1 the records that found no room. Records
// begin at Header: the mark, which is written last; the bytes of the record; the address of the
// format; the arguments as vprintf gets them. A record of an assertion has the address of the
// message, and eight words: the addresses of file and function, the line, the block's two
// coordinates and the thread's three.
const (
	Name   = "__jacquard_output"
	Header = 16
	Room   = 1 << 20 // bytes of records; CUDA's default
	Size   = Header + Room

	Mark       = 0x4b8c5d17 // of a record of printf
	AssertMark = 0x4b8c5d18 // of one of an assertion
	RecordHead = 12         // bytes in front of the arguments
	failureLen = 32
)

// Record is one call of printf, or an assertion that failed.
type Record struct {
	Assert bool
	Format uint32 // address
	Args   []byte
}

// Failure returns the message of an assertion, as CUDA prints it.
func (r *Record) Failure(text func(address uint64) string) string {
	a := arguments{bytes: r.Args}
	file, function := text(a.next(4)), text(a.next(4))
	var n [6]uint32
	for i := range n {
		n[i] = uint32(a.next(4))
	}
	return fmt.Sprintf("%s:%d: %s: block: [%d,%d,0], thread: [%d,%d,%d] Assertion `%s` failed.\n",
		file, n[0], function, n[1], n[2], n[3], n[4], n[5], text(uint64(r.Format)))
}

// Records returns the records in a buffer, and how many found no room. Records that the kernel did
// not finish, or destroyed, are left out.
func Records(buffer []byte) (list []Record, lost int) {
	if len(buffer) < Header {
		return nil, 0
	}
	word := binary.LittleEndian.Uint32
	used, lost := Used(buffer), int(word(buffer[4:]))
	for at := Header; at+RecordHead <= used; {
		mark, size := word(buffer[at:]), int(word(buffer[at+4:]))
		assert := mark == AssertMark && size == RecordHead+failureLen
		if mark != Mark && !assert || size < RecordHead || size%4 != 0 || size > used-at {
			at += 4
			continue
		}
		list = append(list, Record{assert, word(buffer[at+8:]), buffer[at+RecordHead : at+size]})
		at += size
	}
	return list, lost
}

// Used returns how many bytes of a buffer are not as before the launch.
func Used(buffer []byte) int {
	if len(buffer) < Header || binary.LittleEndian.Uint64(buffer) == 0 {
		return 0
	}
	return min(Header+int(binary.LittleEndian.Uint32(buffer)), len(buffer)&^3)
}

// MostText bounds a format, a string, and the output of one call.
const MostText = 1 << 16

// Text returns the bytes up to a zero: at most 64 KiB. memory is from the first byte on as much as
// can be read.
func Text(memory []byte) string {
	memory = memory[:min(len(memory), MostText)]
	for i, c := range memory {
		if c == 0 {
			return string(memory[:i])
		}
	}
	return string(memory)
}

// Missing is what %s prints for an address that cannot be read.
func Missing(address uint64) string {
	if address == 0 {
		return "(null)"
	}
	return fmt.Sprintf("(no string at %#x)", address)
}
