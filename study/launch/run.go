package launch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"jacquard/cubin"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/findings"
	"jacquard/tesla"
)

// Error is a call of the driver that failed.
type Error struct {
	Call string // the CUDA function
	Err  error  // the driver's: a *driver.Error if there is a reason
}

// Error gives the reason, or else the call, and the CUDA error.
func (e *Error) Error() string {
	if e.Reason() != "" {
		return e.Err.Error()
	}
	return fmt.Sprintf("%s: %v", e.Call, e.Err)
}

// Reason is the driver's line about the failure; it may be empty.
func (e *Error) Reason() string {
	if failed, ok := errors.AsType[*driver.Error](e.Err); ok {
		return failed.Reason
	}
	return ""
}

// Unwrap returns the driver's error.
func (e *Error) Unwrap() error { return e.Err }

// NotBegunError is the reason why a launch did not begin. No statistics, trace or bundle was
// touched.
type NotBegunError struct{ Err error }

// Error gives the reason.
func (e *NotBegunError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *NotBegunError) Unwrap() error { return e.Err }

// Noter is a log that is told which of its lines are notes.
type Noter interface{ Note(driver.Note) }

// Finder is a log that takes what checkers found; otherwise the job's Stderr has it.
type Finder interface{ Found(*findings.Report) }

// Run runs j on the first device of settings, or else on the job's. When ctx ends, it ends the
// launch with a fault. The driver's log goes to log, which may be a Noter and a Finder. The
// error is a *NotBegunError if the kernel was not launched at all.
func Run(ctx context.Context, settings knobs.Settings, j *Job, log io.Writer) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, &NotBegunError{err}
	}
	settings.Device = cmp.Or(settings.Device, j.Device)
	var noted func(driver.Note)
	if n, ok := log.(Noter); ok {
		noted = n.Note
	}
	var found func(*findings.Report)
	if f, ok := log.(Finder); ok {
		found = f.Found
	}
	var launches []events.Launch
	s := new(session)
	s.driver = driver.New(driver.Config{Settings: settings, Output: log, Recorder: j.Recorder, Sinks: j.Sinks, Program: j.Program,
		Stdout: j.Stdout, Stderr: j.Stderr, Noted: noted, Later: driver.Later{Files: true, Found: found},
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
	switch {
	case err != nil && !s.begun:
		return nil, &NotBegunError{err}
	case err != nil:
		return nil, err
	case len(launches) != 1:
		return nil, fmt.Errorf("the driver made %d launches: want 1", len(launches))
	}
	return &Result{Buffers: buffers, Launch: launches[0]}, nil
}

// session is one driver at work.
type session struct {
	driver *driver.Driver
	thread *driver.Thread
	begun  bool // nothing refuses the launch, and its files are open
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
	if err := check("cuInit", t.Init(0)); err != nil {
		return l, err
	}
	if l.ctx, err = t.CtxCreate(0, 0); err != nil {
		return l, check("cuCtxCreate", err)
	}
	image, code, err := s.image(j)
	if err != nil {
		return l, err
	}
	lines := driver.JITOptions{Given: []driver.JITValue{{Option: driver.JITGenerateLineInfo, Value: 1}}}
	module, err := t.ModuleLoadDataEx(bytes.NewReader(image), 0, lines)
	if err != nil {
		return l, check("cuModuleLoadData", err)
	}
	l.kernel, err = t.ModuleGetFunction(module, j.Kernel)
	if errors.Is(err, driver.ErrNotFound) {
		return l, fmt.Errorf("the module has no kernel %q", j.Kernel)
	}
	if err != nil {
		return l, check("cuModuleGetFunction", err)
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
	if err := s.launch(j, l.kernel, block); err != nil {
		return nil, check("cuLaunchKernel", err)
	}
	if err := check("cuCtxSynchronize", t.CtxSynchronize()); err != nil {
		return nil, err
	}
	buffers := map[string][]byte{}
	for i, p := range j.Params {
		if p.Buffer == nil {
			continue
		}
		data := make([]byte, len(p.Buffer))
		if err := check("cuMemcpyDtoH", t.MemcpyDtoH(data, addresses[i])); err != nil {
			return nil, err
		}
		buffers[p.Name] = data
	}
	return buffers, nil
}

// launch launches the kernel. It opens files only if the launch is going to begin. A refused launch is
// made, too: the summary tells of it.
func (s *session) launch(j *Job, kernel driver.Function, params []byte) error {
	grid := [3]uint32{uint32(j.Grid[0]), uint32(j.Grid[1]), 1}
	block := [3]uint32{uint32(j.Block[0]), uint32(j.Block[1]), uint32(j.Block[2])}
	shared, args := uint32(j.Shared), driver.Arguments{Packed: params}
	if driver.CheckKernel(s.thread, kernel, grid, block, shared, args) == nil {
		if err := s.driver.OpenFiles(); err != nil {
			return err
		}
		s.begun = true
	}
	return s.thread.LaunchKernel(kernel, grid, block, shared, 0, args)
}

// image returns the image for the device, and the machine code in it.
func (s *session) image(j *Job) (image, code []byte, err error) {
	if len(j.Images) == 0 {
		return j.Image, j.Image, nil
	}
	_, minor, err := s.thread.DeviceComputeCapability(0)
	if err != nil {
		return nil, nil, check("cuDeviceComputeCapability", err)
	}
	contents := cubin.Contents{Container: cubin.FatBinary, Entries: j.Images}
	entry, err := contents.Select(tesla.Arch(minor))
	if err != nil {
		reason := fmt.Sprintf("module: %v; choose another device with JACQUARD_DEVICE", err)
		return nil, nil, &Error{"cuModuleLoadData", &driver.Error{Result: driver.ErrNoBinaryForGPU, Reason: reason, Cause: err}}
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
				return nil, nil, check(fmt.Sprintf("cuMemAlloc of %d bytes", len(p.Buffer)), err)
			}
			if err := check("cuMemcpyHtoD", s.thread.MemcpyHtoD(ptr, p.Buffer)); err != nil {
				return nil, nil, err
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
func check(call string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{call, err}
}
