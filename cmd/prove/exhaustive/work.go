package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"text/tabwriter"
	"time"
)

// result is the outcome of a task.
type result struct {
	name   string
	proved uint64        // inputs, in this run or before
	tried  uint64        // inputs, in this run
	busy   time.Duration // time that workers spent on them
	failed int           // chunks
}

// piece is a chunk to prove.
type piece struct{ task, chunk int }

// work proves the chunks that are not in the state. It joins the errors of chunks, and tries all
// chunks.
func work(tasks []task, s *state, workers int, out io.Writer) ([]result, error) {
	results := make([]result, len(tasks))
	var pieces []piece
	total := uint64(0)
	for i := range tasks {
		t := &tasks[i]
		results[i].name = t.name
		for n := range t.chunks() {
			if s.has(t.name, n) {
				results[i].proved += t.size(n)
				continue
			}
			pieces = append(pieces, piece{i, n})
			total += t.size(n)
		}
	}
	var (
		mu   sync.Mutex
		errs []error
		done uint64
		next int
	)
	start := time.Now()
	take := func() (piece, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(pieces) {
			return piece{}, false
		}
		next++
		return pieces[next-1], true
	}
	finish := func(p piece, busy time.Duration, err error) {
		mu.Lock()
		defer mu.Unlock()
		t, r := &tasks[p.task], &results[p.task]
		size := t.size(p.chunk)
		r.busy += busy
		r.tried += size
		done += size
		if err == nil {
			r.proved += size
			err = s.note(t.name, p.chunk)
		} else {
			r.failed++
			err = fmt.Errorf("%s: %w", t.name, err)
		}
		if err != nil {
			errs = append(errs, err)
		}
		showProgress(out, t.name, done, total, time.Since(start))
	}
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for p, ok := take(); ok; p, ok = take() {
				begin := time.Now()
				t := &tasks[p.task]
				err := t.check(uint32(p.chunk)*chunk, int(t.size(p.chunk)))
				finish(p, time.Since(begin), err)
			}
		})
	}
	wait.Wait()
	fmt.Fprint(out, eraseLine)
	return results, errors.Join(errs...)
}

// size returns the number of inputs of chunk n.
func (t *task) size(n int) uint64 { return min(chunk, t.inputs-uint64(n)*chunk) }

const eraseLine = "\r\x1b[K"

func showProgress(out io.Writer, name string, done, total uint64, since time.Duration) {
	left := time.Duration(float64(since) / float64(done) * float64(total-done))
	fmt.Fprintf(out, "%s%.1f %% %s: %.0f million/s, %s left", eraseLine,
		100*float64(done)/float64(total), name, rate(done, since), left.Round(time.Second))
}

// rate returns millions of inputs per second.
func rate(n uint64, d time.Duration) float64 { return float64(n) / d.Seconds() / 1e6 }

// terminal returns f if it is a terminal, else a writer that drops all data.
func terminal(f *os.File) io.Writer {
	if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return f
	}
	return io.Discard
}

// report prints the proofs and their speed.
func report(out io.Writer, results []result) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "task\tinputs proved\tchunks failed\tmillion/s a core")
	for _, r := range results {
		speed := "-" // proved before
		if r.busy > 0 {
			speed = fmt.Sprintf("%.0f", rate(r.tried, r.busy))
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", r.name, r.proved, r.failed, speed)
	}
	w.Flush()
}
