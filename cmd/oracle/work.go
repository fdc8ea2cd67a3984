package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"jacquard/simt/maze"
)

// work runs the kernels of count seeds from first on and tallies what came of them.
func work(t *tally, first, count uint64, workers int, progress io.Writer) {
	var (
		mu         sync.Mutex
		next, done uint64
		wait       sync.WaitGroup
	)
	start := time.Now()
	take := func() (seed uint64, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		next++
		return first + next - 1, next <= count
	}
	finish := func(m *maze.Maze, r maze.Report) {
		mu.Lock()
		defer mu.Unlock()
		t.add(m, r)
		done++
		showProgress(progress, done, count, len(t.failed), time.Since(start))
	}
	for range workers {
		wait.Go(func() {
			for seed, ok := take(); ok; seed, ok = take() {
				m := maze.New(seed)
				finish(m, maze.Check(m, t.policies))
			}
		})
	}
	wait.Wait()
	fmt.Fprint(progress, eraseLine)
}

const eraseLine = "\r\x1b[K"

func showProgress(out io.Writer, done, total uint64, failed int, since time.Duration) {
	left := time.Duration(float64(since) / float64(done) * float64(total-done))
	fmt.Fprintf(out, "%s%d of %d kernels, %d failures, %s left", eraseLine, done, total, failed, left.Round(time.Second))
}

// terminal returns w if it is one, else a writer that drops everything.
func terminal(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return w
		}
	}
	return io.Discard
}
