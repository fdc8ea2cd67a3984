package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"sync"
)

// state records the proved chunks: a file with the program's hash in the first line and one line
// per proved chunk after it.
type state struct {
	mu   sync.Mutex
	done map[string]bool
	file *os.File
}

// openState reads the file at path. A file of another program is started again. A truncated last
// line is ignored.
func openState(path, program string) (*state, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	s := &state{done: map[string]bool{}, file: f}
	in := bufio.NewReader(f)
	whole := int64(0)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			break
		}
		if whole == 0 && line != program+"\n" {
			break
		}
		if whole > 0 {
			s.done[line[:len(line)-1]] = true
		}
		whole += int64(len(line))
	}
	if err := f.Truncate(whole); err != nil {
		return nil, err
	}
	if _, err := f.Seek(whole, io.SeekStart); err != nil {
		return nil, err
	}
	if whole == 0 {
		_, err = fmt.Fprintln(f, program)
	}
	return s, err
}

func key(name string, n int) string { return fmt.Sprintf("%s, chunk %d", name, n) }

// has reports whether chunk n of the task is proved.
func (s *state) has(name string, n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done[key(name, n)]
}

// note records that chunk n of the task is proved.
func (s *state) note(name string, n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done[key(name, n)] = true
	_, err := fmt.Fprintln(s.file, key(name, n))
	return err
}

func (s *state) close() error { return s.file.Close() }

// programHash identifies the program: the proofs of one build do not hold for another.
func programHash() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
