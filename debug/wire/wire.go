package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"jacquard/debug"
)

// Version is that of the lines. Both sides say it first.
const Version = 1

// hello is the first line of each side.
type hello struct {
	Jacquard int `json:"jacquard-debug"`
}

type request struct {
	ID   uint64          `json:"id"`
	Call string          `json:"call"`
	With json.RawMessage `json:"with,omitempty"`
}

type answer struct {
	ID     uint64          `json:"id"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// disassembly, assignment, writing and variables are the arguments of calls with several.
type (
	disassembly struct{ From, Count int }
	assignment  struct {
		To    debug.Expression
		Value string
	}
	writing struct {
		To   debug.Memory
		Data []byte
	}
	variables struct {
		At    debug.Focus
		Frame int
	}
)

// none is the argument or result of calls without one.
type none struct{}

// with adapts a function of a Target to the lines.
func with[A, R any](f func(A) (R, error)) func(json.RawMessage) (any, error) {
	return func(raw json.RawMessage) (any, error) {
		var a A
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &a); err != nil {
				return nil, err
			}
		}
		return f(a)
	}
}

// only adapts a function without a result.
func only[A any](f func(A) error) func(json.RawMessage) (any, error) {
	return with(func(a A) (none, error) { return none{}, f(a) })
}

// calls are the calls of a Target by name.
func calls(t debug.Target) map[string]func(json.RawMessage) (any, error) {
	return map[string]func(json.RawMessage) (any, error){
		"SetBreakpoints": only(t.SetBreakpoints),
		"SetCatch":       only(t.SetCatch),
		"Breakpoints":    with(func(none) ([]debug.Resolved, error) { return t.Breakpoints() }),
		"Resume":         with(t.Resume),
		"Pause":          only(func(none) error { return t.Pause() }),
		"Detach":         only(func(none) error { return t.Detach() }),
		"Launch":         with(func(none) (*debug.Launch, error) { return t.Launch() }),
		"Blocks":         with(func(none) ([]debug.Block, error) { return t.Blocks() }),
		"Warps":          with(t.Warps),
		"Frames":         with(t.Frames),
		"Registers":      with(t.Registers),
		"Variables":      with(func(v variables) ([]debug.Variable, error) { return t.Variables(v.At, v.Frame) }),
		"Evaluate":       with(t.Evaluate),
		"Assign":         with(func(a assignment) (*debug.Result, error) { return t.Assign(a.To, a.Value) }),
		"Read":           with(t.Read),
		"Write":          only(func(w writing) error { return t.Write(w.To, w.Data) }),
		"Disassemble":    with(func(d disassembly) ([]debug.Instruction, error) { return t.Disassemble(d.From, d.Count) }),
		"LastWrite":      with(t.LastWrite),
	}
}

// Serve answers the requests of a face until the connection ends, and then detaches.
func Serve(c io.ReadWriter, t debug.Target) error {
	defer t.Detach()
	in, err := begin(c)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	out := json.NewEncoder(c)
	byName := calls(t)
	for {
		var r request
		if err := in.Decode(&r); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		go func() {
			a := answer{ID: r.ID}
			if f := byName[r.Call]; f == nil {
				a.Error = fmt.Sprintf("no call %q", r.Call)
			} else if result, err := f(r.With); err != nil {
				a.Error = err.Error()
			} else if a.Result, err = json.Marshal(result); err != nil {
				a.Error = err.Error()
			}
			mu.Lock()
			defer mu.Unlock()
			out.Encode(&a) // a face that has gone reads no answer
		}()
	}
}

// begin exchanges the first lines.
func begin(c io.ReadWriter) (*json.Decoder, error) {
	sent := make(chan error, 1)
	go func() { sent <- json.NewEncoder(c).Encode(hello{Version}) }()
	in := json.NewDecoder(c)
	var h hello
	if err := in.Decode(&h); err != nil {
		return nil, err
	}
	if h.Jacquard != Version {
		return nil, fmt.Errorf("the other side is another version of Jacquard: it says %d, want %d", h.Jacquard, Version)
	}
	return in, <-sent
}

// Client is a Target whose Session is at the other end of a connection.
type Client struct {
	mu      sync.Mutex
	out     *json.Encoder
	last    uint64
	waiting map[uint64]chan answer
	err     error // the connection has ended
}

// NewClient returns the Target at the other end of a connection.
func NewClient(c io.ReadWriter) (*Client, error) {
	in, err := begin(c)
	if err != nil {
		return nil, err
	}
	t := &Client{out: json.NewEncoder(c), waiting: map[uint64]chan answer{}}
	go t.read(in)
	return t, nil
}

// read hands answers to those who wait for them.
func (t *Client) read(in *json.Decoder) {
	for {
		var a answer
		err := in.Decode(&a)
		t.mu.Lock()
		if err != nil {
			t.err = debug.ErrGone
			for _, w := range t.waiting {
				close(w)
			}
			t.waiting = nil
			t.mu.Unlock()
			return
		}
		if w := t.waiting[a.ID]; w != nil {
			w <- a
			delete(t.waiting, a.ID)
		}
		t.mu.Unlock()
	}
}

// send sends a request, and returns where its answer comes.
func (t *Client) send(name string, with any) (<-chan answer, error) {
	raw, err := json.Marshal(with)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return nil, t.err
	}
	t.last++
	w := make(chan answer, 1)
	t.waiting[t.last] = w
	if err := t.out.Encode(request{t.last, name, raw}); err != nil {
		delete(t.waiting, t.last)
		return nil, debug.ErrGone
	}
	return w, nil
}

// call makes a call and waits for its answer.
func call[R any](t *Client, name string, with any) (result R, err error) {
	w, err := t.send(name, with)
	if err != nil {
		return result, err
	}
	a, ok := <-w
	if !ok {
		return result, debug.ErrGone
	}
	if a.Error != "" {
		for _, known := range []error{debug.ErrRunning, debug.ErrGone, debug.ErrNone} {
			if known.Error() == a.Error {
				return result, known
			}
		}
		return result, errors.New(a.Error)
	}
	return result, json.Unmarshal(a.Result, &result)
}

// do makes a call without a result.
func do(t *Client, name string, with any) error {
	_, err := call[none](t, name, with)
	return err
}

// SetBreakpoints implements debug.Target, as do the methods below.
func (t *Client) SetBreakpoints(list []debug.Breakpoint) error { return do(t, "SetBreakpoints", list) }

func (t *Client) SetCatch(c debug.Catch) error { return do(t, "SetCatch", c) }

func (t *Client) Breakpoints() ([]debug.Resolved, error) {
	return call[[]debug.Resolved](t, "Breakpoints", none{})
}

func (t *Client) Resume(o debug.Order) (*debug.Stop, error) { return call[*debug.Stop](t, "Resume", o) }

func (t *Client) Pause() error { return do(t, "Pause", none{}) }

func (t *Client) Detach() error { return do(t, "Detach", none{}) }

func (t *Client) Launch() (*debug.Launch, error) { return call[*debug.Launch](t, "Launch", none{}) }

func (t *Client) Blocks() ([]debug.Block, error) { return call[[]debug.Block](t, "Blocks", none{}) }

func (t *Client) Warps(block int) ([]debug.Warp, error) {
	return call[[]debug.Warp](t, "Warps", block)
}

func (t *Client) Frames(at debug.Focus) ([]debug.Frame, error) {
	return call[[]debug.Frame](t, "Frames", at)
}

func (t *Client) Registers(at debug.Focus) ([]debug.Register, error) {
	return call[[]debug.Register](t, "Registers", at)
}

func (t *Client) Variables(at debug.Focus, frame int) ([]debug.Variable, error) {
	return call[[]debug.Variable](t, "Variables", variables{at, frame})
}

func (t *Client) Evaluate(e debug.Expression) (*debug.Result, error) {
	return call[*debug.Result](t, "Evaluate", e)
}

func (t *Client) Assign(e debug.Expression, value string) (*debug.Result, error) {
	return call[*debug.Result](t, "Assign", assignment{e, value})
}

func (t *Client) Read(m debug.Memory) ([]byte, error) { return call[[]byte](t, "Read", m) }

func (t *Client) Write(m debug.Memory, data []byte) error { return do(t, "Write", writing{m, data}) }

func (t *Client) Disassemble(from, count int) ([]debug.Instruction, error) {
	return call[[]debug.Instruction](t, "Disassemble", disassembly{from, count})
}

func (t *Client) LastWrite(e debug.Expression) (*debug.Writer, error) {
	return call[*debug.Writer](t, "LastWrite", e)
}
