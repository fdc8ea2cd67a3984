package driver_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/ptx/jit"
	"jacquard/ptx/jit/cache"
)

func TestThreads(t *testing.T) {
	d, th, _ := start(t, knobs.Settings{})
	shared := create(t, th)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			own := d.Thread(uint64(100 + i))
			defer d.EndThread(uint64(100 + i))
			for range 20 {
				ctx, err := own.CtxCreate(0, 0)
				if err != nil || busy(own) != nil {
					t.Errorf("own context: %v", err)
					return
				}
				if err := own.CtxPushCurrent(shared); err != nil || busy(own) != nil {
					t.Errorf("shared context: %v", err)
					return
				}
				if err := own.CtxDestroy(ctx); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	free, total, err := th.MemGetInfo()
	require.NoError(t, err)
	require.Equal(t, total, free)
}

// TestThreadsCompile loads PTX on several threads at once, with one cache.
func TestThreadsCompile(t *testing.T) {
	d := driver.New(driver.Config{JIT: jit.Settings{Cache: cache.Settings{Dir: t.TempDir(), MaxBytes: 5000}}})
	var wg sync.WaitGroup
	for i := range 8 {
		texts := [][]byte{ptx(t, "vecadd"), ptx(t, "variables"), ptx(t, "texture")}
		wg.Go(func() {
			th := d.Thread(uint64(i))
			if err := th.Init(0); err != nil {
				t.Error(err)
			}
			if _, err := th.CtxCreate(0, 0); err != nil {
				t.Error(err)
			}
			for n := range 10 {
				m, err := th.ModuleLoadData(texts[(n+i)%len(texts)])
				if err == nil {
					err = th.ModuleUnload(m)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// busy makes calls of many kinds in the current context.
func busy(th *driver.Thread) error {
	ptr, err := th.MemAlloc(64)
	if err != nil {
		return err
	}
	if err := th.MemsetD32(ptr, 7, 16); err != nil {
		return err
	}
	b := make([]byte, 64)
	if err := th.MemcpyDtoH(b, ptr); err != nil {
		return err
	}
	e, err := th.EventCreate(0)
	if err != nil {
		return err
	}
	if err := th.EventRecord(e, 0); err != nil {
		return err
	}
	if err := th.EventDestroy(e); err != nil {
		return err
	}
	return th.MemFree(ptr)
}

// TestContextDiesUnderUse destroys a context while other threads work in it: they get an error,
// never a crash.
func TestContextDiesUnderUse(t *testing.T) {
	d, th, _ := start(t, knobs.Settings{})
	for range 20 {
		ctx := create(t, th)
		stream, err := th.StreamCreate(0)
		require.NoError(t, err)
		m := load(t, th, "variables.cubin")
		var begun, done sync.WaitGroup
		for i := range 3 {
			begun.Add(1)
			done.Go(func() {
				id := uint64(10 + i)
				own := d.Thread(id)
				defer d.EndThread(id)
				err := own.CtxPushCurrent(ctx)
				begun.Done()
				for err == nil {
					if err = busy(own); err == nil {
						_, _, err = own.ModuleGetGlobal(m, "weight")
					}
					if err == nil {
						err = own.StreamSynchronize(stream)
					}
				}
				if r := driver.ResultOf(err); r != driver.ErrContextIsDestroyed && r != driver.ErrInvalidHandle {
					t.Errorf("unexpected %v", r)
				}
			})
		}
		begun.Wait()
		require.NoError(t, th.CtxDestroy(ctx))
		done.Wait()
	}
}

// TestInterrupt ends an endless kernel from outside.
func TestInterrupt(t *testing.T) {
	d, th, log := start(t, knobs.Settings{})
	create(t, th)
	f := function(t, th, "faults.cubin", "forever")
	require.NoError(t, th.FuncSetBlockShape(f, 1, 1, 1))
	d.Interrupt() // without effect on later launches
	ended := make(chan error)
	go func() { ended <- th.Launch(f) }()
	again := time.NewTicker(time.Millisecond) // the launch may not have begun yet
	defer again.Stop()
	for running := true; running; {
		select {
		case err := <-ended:
			require.NoError(t, err)
			running = false
		case <-again.C:
			d.Interrupt()
		}
	}
	is(t, driver.ErrLaunchTimeout, th.CtxSynchronize())
	require.Contains(t, log.String(), "interrupted in kernel forever")
}
