package wire_test

import (
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/debug"
	"jacquard/debug/wire"
	"jacquard/internal/test/stops"
)

// connect starts the program and returns its session at the end of a connection.
func connect(t *testing.T) (*stops.Program, debug.Target, net.Conn) {
	p, err := stops.New(1)
	require.NoError(t, err)
	target, err := p.Start(nil)
	require.NoError(t, err)
	here, there := net.Pipe()
	go func() {
		wire.Serve(there, target)
		there.Close()
	}()
	c, err := wire.NewClient(here)
	require.NoError(t, err)
	return p, c, here
}

// Every call goes through the connection.
func TestCalls(t *testing.T) {
	p, target, _ := connect(t)
	require.NoError(t, target.SetCatch(debug.Catch{Faults: true}))
	require.NoError(t, target.SetBreakpoints([]debug.Breakpoint{{ID: 1, File: "sum.cu", Line: 12, Condition: "blockIdx.x == 1"}}))
	stop, err := target.Resume(debug.Order{Kind: debug.Continue})
	require.NoError(t, err)
	require.Equal(t, debug.ReasonBreakpoint, stop.Reason)
	launch, err := target.Launch()
	require.NoError(t, err)
	require.Equal(t, stop.Launch, launch)
	blocks, err := target.Blocks()
	require.NoError(t, err)
	require.Equal(t, 1, blocks[0].Number)
	warps, err := target.Warps(1)
	require.NoError(t, err)
	require.Len(t, warps, 2)
	_, err = target.Warps(3)
	require.ErrorContains(t, err, "not at work")
	frames, err := target.Frames(stop.Focus)
	require.NoError(t, err)
	require.Equal(t, 12, frames[0].Line)
	registers, err := target.Registers(stop.Focus)
	require.NoError(t, err)
	require.NotEmpty(t, registers)
	names, err := target.Variables(stop.Focus, 0)
	require.NoError(t, err)
	require.Len(t, names, 3)
	v, err := target.Assign(debug.Expression{Text: "$r1", Focus: stop.Focus}, "5")
	require.NoError(t, err)
	require.Equal(t, "5", v.Text)
	v, err = target.Evaluate(debug.Expression{Text: "$r1 + 1", Focus: stop.Focus, Lanes: true})
	require.NoError(t, err)
	require.Equal(t, uint64(6), v.Bits)
	require.Len(t, v.Lanes, 32)
	m := debug.Memory{Space: "shared", Focus: stop.Focus, Address: 0x1c, Size: 4}
	require.NoError(t, target.Write(m, []byte{1, 2, 3, 4}))
	data, err := target.Read(m)
	require.NoError(t, err)
	require.Equal(t, []byte{1, 2, 3, 4}, data)
	code, err := target.Disassemble(0, 3)
	require.NoError(t, err)
	require.Len(t, code, 3)
	_, err = target.LastWrite(debug.Expression{Text: "*(@shared int*)0x1c", Focus: stop.Focus})
	require.ErrorContains(t, err, "nothing wrote there")
	list, err := target.Breakpoints()
	require.NoError(t, err)
	require.Equal(t, 1, list[0].Hits)
	require.NoError(t, target.Pause())
	require.NoError(t, target.Detach())
	_, err = target.Resume(debug.Order{Kind: debug.Continue})
	require.ErrorIs(t, err, debug.ErrGone)
	p.Wait()
	require.NoError(t, p.Err)
}

// A face that goes away leaves the program running.
func TestLostFace(t *testing.T) {
	p, target, connection := connect(t)
	require.NoError(t, target.SetBreakpoints([]debug.Breakpoint{{ID: 1, Entry: true}}))
	_, err := target.Resume(debug.Order{Kind: debug.Continue})
	require.NoError(t, err)
	require.NoError(t, connection.Close())
	p.Wait()
	require.NoError(t, p.Err)
	_, err = target.Launch()
	require.ErrorIs(t, err, debug.ErrGone)
}

func TestOtherVersion(t *testing.T) {
	here, there := net.Pipe()
	go func() {
		go io.Copy(io.Discard, there)
		io.WriteString(there, `{"jacquard-debug":99}`+"\n")
	}()
	_, err := wire.NewClient(here)
	require.ErrorContains(t, err, "another version")
}
