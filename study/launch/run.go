package launch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"jacquard/cubin"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
	"jacquard/libcuda/driver/sinks"
	"jacquard/simt"
	"jacquard/tesla"
)

// Error is a call of the driver that failed.
type Error struct {
	Call   string // the CUDA function
	Result error
	Reason string // the driver's log line; may be empty
}

// Error gives the reason, or else the CUDA error.
func (e *Error) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("%s: %v", e.Call, e.Result)
	}
	return fmt.Sprintf("%s (%v)", e.Reason, e.Result)
}

// Unwrap returns the CUDA error.
func (e *Error) Unwrap() error { return e.Result }

// NotBegunError is the reason why a launch did not begin. No statistics, trace or bundle was
// touched.
type NotBegunError struct{ Err error }

// Error gives the reason.
func (e *NotBegunError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *NotBegunError) Unwrap() error { return e.Err }

// Run runs j on the first device of settings, or else on the job's. When ctx ends, it ends the
// launch with a fault. The driver's log goes to log, too. The error is a *NotBegunError if the
// kernel was not launched at all.
func Run(ctx context.Context, settings knobs.Settings, j *Job, log io.Writer) (*Result, error) {
	settings.Device = cmp.Or(settings.Device, j.Device)
	var refused error
	if files, err := settings.Outputs(); err == nil && files.Any() {
		if refused = rehearse(settings, j); refused != nil { // the summary tells of it all the same
			settings.Stats, settings.Trace, settings.Record = "on", "", ""
		}
	}
	result, err := run(ctx, settings, j, log)
	if refused != nil {
		return nil, &NotBegunError{cmp.Or(err, refused)}
	}
	return result, err
}

// run is Run without a rehearsal.
func run(ctx context.Context, settings knobs.Settings, j *Job, log io.Writer) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, &NotBegunError{err}
	}
	var launches []events.Launch
	s := &session{log: &tail{out: log}, contents: true}
	s.driver = driver.New(driver.Config{Settings: settings, Output: s.log, Recorder: j.Recorder, Sinks: j.Sinks, Program: j.Program,
		Stdout: j.Stdout, Stderr: j.Stderr,
		Launched: func(e events.Launch) {
			if launches = append(launches, e); j.Launched != nil {
				j.Launched(e)
			}
		}})
	s.thread = s.driver.Thread(1)
	defer s.driver.End()
	stop := s.interruptWhenDone(ctx)
	defer stop()
	buffers, err := s.run(j)
	var failed *Error
	if errors.As(err, &failed) && failed.Call == "cuInit" {
		return nil, &NotBegunError{err}
	}
	if err != nil {
		return nil, err
	}
	if len(launches) != 1 {
		return nil, fmt.Errorf("the driver made %d launches: want 1", len(launches))
	}
	return &Result{Buffers: buffers, Launch: launches[0]}, nil
}

// session is one driver at work.
type session struct {
	driver   *driver.Driver
	thread   *driver.Thread
	log      *tail
	contents bool // fill buffers before the launch, and read them after it
}

// interruptWhenDone ends launches once ctx is done, until stop is called. It interrupts repeatedly,
// because one interrupt does not stop a launch that begins after it.
func (s *session) interruptWhenDone(ctx context.Context) (stop func()) {
	quit := make(chan struct{})
	go func() {
		select {
		case <-quit:
			return
		case <-ctx.Done():
		}
		for tick := time.NewTicker(10 * time.Millisecond); ; {
			s.driver.Interrupt()
			select {
			case <-quit:
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	return func() { close(quit) }
}

// rehearse makes the same calls on a driver that writes no files, so that a launch which is refused
// does not overwrite files. The launch ends after one warp-instruction, so buffers need no contents.
func rehearse(settings knobs.Settings, j *Job) error {
	settings.Stats, settings.Trace, settings.Record, settings.Summary, settings.Progress = "off", "", "", "", ""
	settings.Watchdog = "1"
	s, begins := &session{log: &tail{out: io.Discard}}, new(beginning)
	s.driver = driver.New(driver.Config{Settings: settings, Output: s.log, Sinks: []sinks.Sink{begins}, Stdout: io.Discard, Stderr: io.Discard})
	s.thread = s.driver.Thread(1)
	if _, err := s.run(j); !begins.seen {
		return err
	}
	return nil // whatever became of it
}

// beginning sees whether a launch begins, which is to say that no device and no policy refuses it.
type beginning struct{ seen bool }

// Begin notes how the launch ends.
func (b *beginning) Begin(l *sinks.Launch) (end func()) {
	return func() {
		var fault *simt.Fault
		b.seen = l.Err == nil || errors.As(l.Err, &fault)
	}
}

// loaded is a kernel ready for its launch.
type loaded struct {
	kernel driver.Function
	params []Param
	ctx    driver.Context
}

// end destroys the context, if there is one.
func (l *loaded) end(t *driver.Thread) {
	if l.ctx != 0 {
		t.CtxDestroy(l.ctx)
	}
}

// load makes the calls before the launch, and places the parameters. The caller destroys the
// context, even after an error.
func (s *session) load(j *Job) (l loaded, err error) {
	t := s.thread
	if err := s.check("cuInit", t.Init(0)); err != nil {
		return l, err
	}
	if l.ctx, err = t.CtxCreate(0, 0); err != nil {
		return l, s.check("cuCtxCreate", err)
	}
	image, code, err := s.image(j)
	if err != nil {
		return l, err
	}
	lines := driver.JITOptions{Given: []driver.JITValue{{Option: driver.JITGenerateLineInfo, Value: 1}}}
	module, err := t.ModuleLoadDataEx(bytes.NewReader(image), 0, lines)
	if err != nil {
		return l, s.check("cuModuleLoadData", err)
	}
	l.kernel, err = t.ModuleGetFunction(module, j.Kernel)
	if errors.Is(err, driver.ErrNotFound) {
		return l, fmt.Errorf("the module has no kernel %q", j.Kernel)
	}
	if err != nil {
		return l, s.check("cuModuleGetFunction", err)
	}
	l.params = j.Params
	if !j.Placed {
		l.params, err = placed(j, code)
	}
	return l, err
}

// run makes the calls of a host program, and returns the buffers' contents.
func (s *session) run(j *Job) (map[string][]byte, error) {
	t := s.thread
	l, err := s.load(j)
	defer l.end(t)
	if err != nil {
		return nil, err
	}
	block, addresses, err := s.params(l.params)
	if err != nil {
		return nil, err
	}
	err = t.LaunchKernel(l.kernel,
		[3]uint32{uint32(j.Grid[0]), uint32(j.Grid[1]), 1},
		[3]uint32{uint32(j.Block[0]), uint32(j.Block[1]), uint32(j.Block[2])},
		uint32(j.Shared), 0, driver.Arguments{Packed: block})
	if err != nil {
		return nil, s.check("cuLaunchKernel", err)
	}
	if err := s.check("cuCtxSynchronize", t.CtxSynchronize()); err != nil {
		return nil, err
	}
	buffers := map[string][]byte{}
	for i, p := range j.Params {
		if p.Buffer == nil || !s.contents {
			continue
		}
		data := make([]byte, len(p.Buffer))
		if err := s.check("cuMemcpyDtoH", t.MemcpyDtoH(data, addresses[i])); err != nil {
			return nil, err
		}
		buffers[p.Name] = data
	}
	return buffers, nil
}

// image returns the image for the device, and the machine code in it.
func (s *session) image(j *Job) (image, code []byte, err error) {
	if len(j.Images) == 0 {
		return j.Image, j.Image, nil
	}
	_, minor, err := s.thread.DeviceComputeCapability(0)
	if err != nil {
		return nil, nil, s.check("cuDeviceComputeCapability", err)
	}
	contents := cubin.Contents{Container: cubin.FatBinary, Entries: j.Images}
	entry, err := contents.Select(tesla.Arch(minor))
	if err != nil {
		return nil, nil, &Error{"cuModuleLoadData", driver.ErrNoBinaryForGPU, fmt.Sprintf("module: %v; choose another device with JACQUARD_DEVICE", err)}
	}
	if code, err = entry.Data(); err != nil || len(j.PTX) == 0 {
		return code, code, err
	}
	if image, err = cubin.FormatFatBinary(append([]cubin.Entry{*entry}, j.PTX...)); err != nil {
		return code, code, nil // PTX that cannot be read is no obstacle
	}
	return image, code, nil
}

// params fills the buffers and lays out the parameter block.
func (s *session) params(params []Param) (block []byte, addresses []driver.DevicePtr, err error) {
	addresses = make([]driver.DevicePtr, len(params))
	for i, p := range params {
		value := p.Value
		if p.Buffer != nil {
			ptr, err := s.thread.MemAlloc(uint64(len(p.Buffer)))
			if err != nil {
				return nil, nil, s.check(fmt.Sprintf("cuMemAlloc of %d bytes", len(p.Buffer)), err)
			}
			if s.contents {
				if err := s.check("cuMemcpyHtoD", s.thread.MemcpyHtoD(ptr, p.Buffer)); err != nil {
					return nil, nil, err
				}
			}
			addresses[i] = ptr
			value = binary.LittleEndian.AppendUint64(nil, uint64(ptr))[:max(len(p.Value), 4)]
		}
		if missing := p.Offset + len(value) - len(block); missing > 0 {
			block = append(block, make([]byte, missing)...)
		}
		copy(block[p.Offset:], value)
	}
	return block, addresses, nil
}

// check makes an *Error of a call's error.
func (s *session) check(call string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Call: call, Result: err, Reason: s.log.last()}
}

// tail passes log lines on and remembers the last one.
type tail struct {
	out io.Writer

	mu   sync.Mutex
	line string
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range bytes.Lines(p) {
		t.line = strings.TrimPrefix(strings.TrimSpace(string(line)), "jacquard: ")
	}
	return t.out.Write(p)
}

func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.line
}
