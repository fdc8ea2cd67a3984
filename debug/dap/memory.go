package dap

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"jacquard/debug"
)

// reference names a place of a memory: "shared:0,1,5:0x20". The numbers are block, warp and lane.
func reference(space string, address uint32, f debug.Focus) string {
	return fmt.Sprintf("%s:%d,%d,%d:0x%x", space, f.Block, f.Warp, f.Lane, address)
}

// parseReference parses a reference, or an address of global memory.
func parseReference(text string) (m debug.Memory, err error) {
	parts := strings.Split(text, ":")
	m.Space = "global"
	if len(parts) == 3 {
		m.Space = parts[0]
		if _, err := fmt.Sscanf(parts[1], "%d,%d,%d", &m.Focus.Block, &m.Focus.Warp, &m.Focus.Lane); err != nil {
			return m, fmt.Errorf("no memory %q", text)
		}
	}
	n, err := strconv.ParseUint(parts[len(parts)-1], 0, 32)
	if err != nil {
		return m, fmt.Errorf("no memory %q", text)
	}
	m.Address = uint32(n)
	return m, nil
}

// readable returns how many of the bytes of m can be read.
func readable(target debug.Target, m debug.Memory) int {
	low, high := 0, m.Size
	for low < high {
		m.Size = (low + high + 1) / 2
		if _, err := target.Read(m); err != nil {
			high = m.Size - 1
		} else {
			low = m.Size
		}
	}
	return low
}

// memoryAt returns the range of a request.
func memoryAt(s *Server, text string, offset int) (m debug.Memory, target debug.Target, err error) {
	target, stop, err := s.stoppedTarget()
	if err != nil {
		return m, nil, err
	}
	if m, err = parseReference(text); err != nil {
		return m, nil, err
	}
	if m.Space == "global" {
		m.Focus = stop.Focus
	}
	m.Address += uint32(offset)
	return m, target, nil
}

func readMemory(s *Server, a *dap.ReadMemoryArguments) (any, error) {
	m, target, err := memoryAt(s, a.MemoryReference, a.Offset)
	if err != nil {
		return nil, err
	}
	const most = 1 << 20
	m.Size = min(max(a.Count, 0), most)
	asked := m.Size
	m.Size = readable(target, m)
	data, err := target.Read(m)
	if err != nil {
		return nil, err
	}
	return dap.ReadMemoryResponseBody{
		Address: fmt.Sprintf("0x%x", m.Address), Data: base64.StdEncoding.EncodeToString(data), UnreadableBytes: asked - len(data),
	}, nil
}

func writeMemory(s *Server, a *dap.WriteMemoryArguments) (any, error) {
	m, target, err := memoryAt(s, a.MemoryReference, a.Offset)
	if err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(a.Data)
	if err != nil {
		return nil, err
	}
	if m.Size = len(data); a.AllowPartial {
		data = data[:readable(target, m)]
	}
	if err := target.Write(m, data); err != nil {
		return nil, err
	}
	return dap.WriteMemoryResponseBody{BytesWritten: len(data)}, nil
}

// disassemble returns so many instructions, around a pc. Where there is no code, they are no
// instructions.
func disassemble(s *Server, a *dap.DisassembleArguments) (any, error) {
	target, _, err := s.stoppedTarget()
	if err != nil {
		return nil, err
	}
	pc, err := strconv.ParseUint(a.MemoryReference, 0, 32)
	if err != nil {
		return nil, fmt.Errorf("no instruction %q", a.MemoryReference)
	}
	all, err := target.Disassemble(0, 1<<20)
	if err != nil {
		return nil, err
	}
	at := 0
	for at < len(all) && int64(all[at].PC) < int64(pc)+int64(a.Offset) {
		at++
	}
	const most = 1 << 16
	body := dap.DisassembleResponseBody{Instructions: []dap.DisassembledInstruction{}}
	for i := range min(max(a.InstructionCount, 0), most) {
		n := at + a.InstructionOffset + i
		if n < 0 || n >= len(all) {
			address := int64(pc) + int64(8*(a.InstructionOffset+i))
			body.Instructions = append(body.Instructions, dap.DisassembledInstruction{Address: fmt.Sprintf("0x%x", max(address, 0)), Instruction: "no code"})
			continue
		}
		in := &all[n]
		one := dap.DisassembledInstruction{
			Address: fmt.Sprintf("0x%x", in.PC), InstructionBytes: fmt.Sprintf("% x", in.Bytes), Instruction: in.Text, Line: in.Line,
		}
		if in.Line > 0 && (n == 0 || all[n-1].File != in.File || i == 0) {
			one.Location = sourceOf(s, in.File)
		}
		body.Instructions = append(body.Instructions, one)
	}
	return body, nil
}
