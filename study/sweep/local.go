package sweep

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"

	"jacquard/study"
)

// Todo returns the numbers of the cells of a study that are to be run, and the progress so far.
// With again, cells without a good status are run again. Cells with a damaged file are always run
// again, and reported to damaged unless it is nil.
func (f *Folder) Todo(s *study.Study, again bool, damaged func(error)) (todo []int, p *Progress, err error) {
	finished, err := f.Finished()
	if err != nil {
		return nil, nil, err
	}
	p = &Progress{Total: s.Len()}
	for i := range s.Len() {
		name := s.Cell(i).Name
		if _, ok := finished[name]; !ok {
			todo = append(todo, i)
			continue
		}
		r, err := f.Read(name)
		var bad *FormatError
		switch {
		case errors.As(err, &bad):
			if damaged != nil {
				damaged(err)
			}
			todo = append(todo, i)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, nil, err
		case err != nil || again && !r.Status.Good():
			todo = append(todo, i)
		default:
			p.add(r)
		}
	}
	p.start()
	return todo, p, nil
}

// Local runs cells as child processes of this process.
type Local struct {
	Runner
	Jobs int // processes at a time
	// Begun is called before a cell runs, Ended after it with its result or an *UnfinishedError:
	// one call at a time. Either may be nil.
	Begun func(*study.Cell)
	Ended func(*study.Cell, *Result, error)
}

// errFull ends a sweep: what runs next would be lost, too.
var errFull = errors.New("the disk is full")

// Run runs n cells. It ends early when ctx is done or the disk is full. A cell that could not be
// finished is no error.
func (l *Local) Run(ctx context.Context, n int, cell func(i int) *study.Cell) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var (
		next atomic.Int64
		mu   sync.Mutex
		all  sync.WaitGroup
	)
	work := func() {
		defer all.Done()
		// Children end with the thread that started them. The thread ends with this goroutine,
		// because it is never unlocked.
		runtime.LockOSThread()
		r := l.Runner
		if err := r.Begin(); err != nil {
			stop(err)
			return
		}
		defer r.End()
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			c := cell(i)
			if l.Begun != nil {
				mu.Lock()
				l.Begun(c)
				mu.Unlock()
			}
			result, err := r.Run(ctx, c)
			if l.Ended != nil {
				mu.Lock()
				l.Ended(c, result, err)
				mu.Unlock()
			}
			var u *UnfinishedError
			if errors.As(err, &u) && u.Full {
				stop(errFull)
			}
		}
	}
	for range max(1, min(l.Jobs, n)) {
		all.Add(1)
		go work()
	}
	all.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return nil
}
