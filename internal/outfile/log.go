package outfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
)

// Log is a file that grows by whole records. After the first failure it drops records. The caller
// serialises calls of several goroutines.
type Log struct {
	what    string
	out     io.Writer
	onError func(error)
	size    uint64
	err     error
}

// NewLog begins a log in w. Its errors begin with what. The first error is passed to onError,
// unless that is nil.
func NewLog(what string, w io.Writer, onError func(error)) Log {
	return Log{what: what, out: w, onError: onError}
}

// Path returns the name of the file, "" if w is no file. It needs no lock.
func (l *Log) Path() string {
	if f, ok := l.out.(*os.File); ok {
		return f.Name()
	}
	return ""
}

// Size returns the bytes written.
func (l *Log) Size() uint64 { return l.size }

// Err returns the error that ended the log, nil if there is none.
func (l *Log) Err() error { return l.err }

// Append adds a record in one write.
func (l *Log) Append(record []byte) {
	if l.err != nil {
		return
	}
	if _, err := l.out.Write(record); err != nil {
		l.Fail(err)
	}
	l.size += uint64(len(record))
}

// Look ends the log if another process writes its file.
func (l *Log) Look() {
	if f, ok := l.out.(*os.File); ok && l.err == nil {
		if err := Alone(f, int64(l.size)); err != nil {
			l.Fail(err)
		}
	}
}

// Fail ends the log with an error. Only the first call counts.
func (l *Log) Fail(err error) {
	if l.err != nil {
		return
	}
	l.err = fmt.Errorf("%s: %w; nothing more is recorded", l.what, err)
	if path := l.Path(); path != "" {
		NoteBroken(path, err)
	}
	if l.onError != nil {
		l.onError(l.err)
	}
}

// Close closes the file, if it can be closed. It returns the error that ended the log.
func (l *Log) Close() error {
	if c, ok := l.out.(io.Closer); ok {
		return errors.Join(l.err, c.Close())
	}
	return l.err
}

// errShared says that another process writes the file in spite of the lock.
var errShared = errors.New("another process writes the same file: %p in its name stands for the process")

// Alone returns an error if f does not have the size bytes that its owner wrote: another process
// writes it.
func Alone(f *os.File, size int64) error {
	info, err := f.Stat()
	if err != nil || info.Mode().IsRegular() && info.Size() != size {
		return cmp.Or(err, errShared)
	}
	return nil
}
