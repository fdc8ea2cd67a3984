package sweep

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"

	"jacquard/libcuda/driver/events"
	"jacquard/study"
	"jacquard/study/compare"
	"jacquard/study/programs"
)

// judge says how a cell ended, after its process has. The error says that the cell has to be run
// again.
func (r *Runner) judge(c *study.Cell, p *programs.Process) (*Result, error) {
	result := &Result{Cell: c, Exit: p.Status, Host: r.Host, Seconds: p.Elapsed.Seconds()}
	if killed(p) {
		return nil, fmt.Errorf("%s ended the process", syscall.Signal(p.Status-128))
	}
	record, err := events.Read(r.file(summaryFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
		record = &events.Record{}
	case err != nil && !p.Late: // a line of a process that was killed may be cut
		return nil, fmt.Errorf("summary: %w", err)
	case err != nil:
		record = &events.Record{}
	}
	r.order = record.Processes()
	result.Kernels = compare.Program([]compare.Run{{Policy: c.Knobs["policy"], Record: record}})
	if c.Keep.Digests && !p.Late {
		result.Digest = memory(record)
	}
	said, err := r.read(c)
	if err != nil {
		return nil, err
	}
	result.Status, result.Reason = verdict(c, p, record, result.Kernels, said)
	if full(r.scratch) || !result.Status.Good() && strings.Contains(said.last, syscall.ENOSPC.Error()) {
		return nil, syscall.ENOSPC // another cell may have made room since
	}
	if tooLong(r.file(logFile)) {
		return nil, syscall.EFBIG
	}
	if said.lost != "" {
		return nil, errors.New(said.lost)
	}
	return result, nil
}

// killed reports whether someone ended the process, rather than its own mistake.
func killed(p *programs.Process) bool {
	if p.Late {
		return false
	}
	switch syscall.Signal(p.Status - 128) {
	case syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGXFSZ, syscall.SIGXCPU:
		return true
	}
	return false
}

// verdict says how a cell ended.
func verdict(c *study.Cell, p *programs.Process, record *events.Record, rows []compare.Row, said *said) (Status, string) {
	if p.Late {
		return Late, fmt.Sprintf("takes longer than %v s", c.Limit)
	}
	for _, outcome := range [...]compare.Outcome{compare.Refused, compare.Failed} {
		for i := range rows {
			if row := &rows[i]; row.Outcome == outcome {
				return Status(outcome), row.Kernel + ": " + row.Reason
			}
		}
	}
	switch {
	case said.different != "":
		return Differs, said.different
	case p.Status != c.Passes.Status:
		reason := fmt.Sprintf("exit status %d", p.Status)
		if said.last != "" {
			reason += ": " + said.last
		}
		return Failed, reason
	case c.Kind == study.Program && len(record.Inits) == 0:
		return Failed, "the program never started the simulator"
	case !said.found:
		return Failed, fmt.Sprintf("the output has no %q", c.Passes.Text)
	}
	return Passed, ""
}

// memory returns a digest of the memory after every launch, in the order of their numbers.
func memory(record *events.Record) string {
	sum := sha256.New()
	for _, l := range record.InOrder() {
		fmt.Fprintf(sum, "%s %d\n", l.Kernel, len(l.Memory))
		for _, d := range l.Memory {
			fmt.Fprintf(sum, "%x %d %s\n", d.Address, d.Bytes, d.SHA256)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// said is what matters of the output of a cell.
type said struct {
	found     bool   // the text of cells that pass
	last      string // line
	lost      string // a line that says that a file broke off
	different string // the first launch of a bundle that differs
}

// brokeOff is a line of the driver's about a file that it could not go on writing.
var brokeOff = regexp.MustCompile(`^jacquard: (summary|trace|statistics): .*(nothing more is|no space left|file too large)`)

// read reads the output of a cell.
func (r *Runner) read(c *study.Cell) (*said, error) {
	log, err := os.Open(r.file(logFile))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	s := &said{found: c.Passes.Text == ""}
	in := bufio.NewReaderSize(log, 1<<16)
	for {
		line, err := in.ReadSlice('\n') // longer lines come in parts
		s.add(c, bytes.TrimRight(line, "\r\n"))
		if err == io.EOF {
			return s, nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

func (s *said) add(c *study.Cell, line []byte) {
	const longest = 300
	if len(bytes.TrimSpace(line)) > 0 {
		s.last = strings.ToValidUTF8(string(line[:min(len(line), longest)]), "?")
	}
	s.found = s.found || bytes.Contains(line, []byte(c.Passes.Text))
	if s.lost == "" && brokeOff.Match(line) {
		s.lost = string(line)
	}
	if c.Kind != study.Bundle || s.different != "" {
		return
	}
	var l struct {
		Launch  *int
		Kernel  string
		Same    bool
		Skipped string
	}
	if json.Unmarshal(line, &l) == nil && l.Launch != nil && !l.Same && l.Skipped == "" {
		s.different = fmt.Sprintf("launch %d, kernel %s: memory is not as recorded", *l.Launch, l.Kernel)
	}
}
