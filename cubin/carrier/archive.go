package carrier

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// archiveMagic begins archives of Linux (.a) and Windows (.lib) alike, thinMagic begins archives
// that hold only the names of their members.
const (
	archiveMagic = "!<arch>\n"
	thinMagic    = "!<thin>\n"
)

// ErrThin says that a file is an archive without its members.
var ErrThin = errors.New("a thin archive, which holds the names of its members alone: give the members")

// member is a file in an archive.
type member struct {
	name   string
	offset int // of its data in the archive
	data   []byte
}

// The header of a member, in text: name, date, owner, group, mode, size, and two bytes that end it.
const (
	memberHeader = 60
	memberName   = 16
	memberSize   = 48
	memberEnd    = 58
)

// membersOf takes an archive apart, up to the first header that is none. Names longer than 15 bytes
// stand in a member of their own, or, in archives of BSD, before the member's data.
func membersOf(data []byte, kind hostKind) (list []member) {
	if kind != archive {
		return nil
	}
	var names []byte
	for at := len(archiveMagic); at <= len(data)-memberHeader; {
		header := data[at : at+memberHeader]
		size, err := strconv.Atoi(strings.TrimSpace(string(header[memberSize:memberEnd])))
		if err != nil || size < 0 || string(header[memberEnd:]) != "`\n" {
			break
		}
		start := at + memberHeader
		size = min(size, len(data)-start) // the last one may be cut off
		m := member{strings.TrimRight(string(header[:memberName]), " "), start, data[start : start+size]}
		at = start + size + size%2
		switch {
		case m.name == "//":
			names = m.data
			continue
		case m.name == "/" || m.name == "/SYM64/":
			continue // tables of symbols
		case strings.HasPrefix(m.name, "#1/"):
			m.takeName()
		case strings.HasPrefix(m.name, "/"):
			m.name = longName(names, m.name[1:])
		}
		m.name = strings.TrimSuffix(m.name, "/")
		list = append(list, m)
	}
	return list
}

// takeName takes a BSD member's name from the start of its data.
func (m *member) takeName() {
	n, err := strconv.Atoi(m.name[len("#1/"):])
	if err != nil || n < 0 || n > len(m.data) {
		return
	}
	m.name = string(bytes.TrimRight(m.data[:n], "\x00"))
	m.offset += n
	m.data = m.data[n:]
}

// longName returns the name at an offset of the table of names.
func longName(names []byte, offset string) string {
	at, err := strconv.Atoi(offset)
	if err != nil || at < 0 || at > len(names) {
		return "/" + offset
	}
	name := names[at:]
	if end := bytes.IndexAny(name, "\n\x00"); end >= 0 {
		name = name[:end]
	}
	return string(name)
}
