package dap_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-dap"
	"github.com/stretchr/testify/require"

	"jacquard/internal/test/stops"
)

// answered are the requests that the server carries out, with arguments for a program that is
// stopped. Those that make it go on, or end the session, are last.
var answered = []struct{ command, arguments string }{
	{"setBreakpoints", `{"source":{"path":"/src/sum.cu"},"breakpoints":[{"line":16}]}`},
	{"setFunctionBreakpoints", `{"breakpoints":[]}`},
	{"setInstructionBreakpoints", `{"breakpoints":[]}`},
	{"setExceptionBreakpoints", `{"filters":["faults","traps","findings"]}`},
	{"dataBreakpointInfo", `{"name":"*(@shared int*)0x1c"}`},
	{"setDataBreakpoints", `{"breakpoints":[]}`},
	{"threads", `{}`},
	{"stackTrace", `{"threadId":1}`},
	{"scopes", `{"frameId":1}`},
	{"variables", `{"variablesReference":2}`},
	{"setVariable", `{"variablesReference":5,"name":"$r1","value":"5"}`},
	{"setExpression", `{"expression":"$r1","value":"6"}`},
	{"evaluate", `{"expression":"$r1 + 1"}`},
	{"readMemory", `{"memoryReference":"shared:0,0,0:0x1c","count":4}`},
	{"writeMemory", `{"memoryReference":"shared:0,0,0:0x1c","data":"AAAAAA=="}`},
	{"disassemble", `{"memoryReference":"0x0","instructionCount":2}`},
	{"next", `{"threadId":1}`},
	{"stepIn", `{"threadId":1}`},
	{"stepBack", `{"threadId":1}`},
	{"continue", `{"threadId":1}`},
	{"reverseContinue", `{"threadId":1}`},
	{"stepOut", `{"threadId":1}`},
	{"pause", `{"threadId":1}`},
	{"terminate", `{}`},
	{"initialize", `{"adapterID":"jacquard"}`},
	{"launch", `{"program":"sum"}`},
	{"configurationDone", `{}`},
	{"disconnect", `{}`},
}

// refused are the requests that get an error, and what it says.
var refused = map[string]string{
	"attach":        "want \"socket\"",
	"exceptionInfo": "did not stop at a fault or a finding",
	// No capability offers these.
	"breakpointLocations": "", "cancel": "", "completions": "", "goto": "", "gotoTargets": "", "loadedSources": "",
	"modules": "", "restart": "", "restartFrame": "", "runInTerminal": "", "source": "", "startDebugging": "",
	"stepInTargets": "", "terminateThreads": "",
}

// requests returns the names of all requests of the protocol, from the source of the module.
func requests(t *testing.T) (list []string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/google/go-dap").Output()
	require.NoError(t, err)
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(out)), "schematypes.go"), nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	for name := range types(f) {
		command, ok := strings.CutSuffix(name, "Request")
		if ok && command != "" && command != "LaunchAttach" { // that is an interface
			list = append(list, strings.ToLower(command[:1])+command[1:])
		}
	}
	require.Greater(t, len(list), 40)
	return list
}

// types are the names of the types of a file.
func types(f *ast.File) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok {
			names[s.Name.Name] = true
		}
		return true
	})
	return names
}

// Every request of the protocol is carried out, or refused with its name or a reason.
func TestEveryRequest(t *testing.T) {
	for _, name := range requests(t) {
		carried := slices.ContainsFunc(answered, func(r struct{ command, arguments string }) bool { return r.command == name })
		_, not := refused[name]
		require.True(t, carried != not, "%s: carried out %v, refused %v", name, carried, not)
	}
	p, err := stops.New(1)
	require.NoError(t, err)
	c := begin(t, p, func(c *client) { c.setLines(dap.SourceBreakpoint{Line: 16}) })
	until[*dap.StoppedEvent](c)
	for name, why := range refused {
		if why == "" {
			why = "the request " + name + " is not supported"
		}
		r := c.raw(name, "{}")
		require.False(t, r.Success, name)
		require.Contains(t, r.Message, why)
	}
	for _, a := range answered {
		r := c.raw(a.command, a.arguments)
		require.True(t, r.Success, "%s: %s", a.command, r.Message)
		switch a.command {
		case "next", "stepIn", "stepBack", "continue", "reverseContinue", "stepOut", "configurationDone":
			until[*dap.StoppedEvent](c)
		case "initialize":
			until[*dap.InitializedEvent](c)
		case "terminate":
			until[*dap.TerminatedEvent](c)
		}
	}
	require.NoError(t, <-c.done)
}

// raw sends a request as it is, and returns the head of the answer.
func (c *client) raw(command, arguments string) dap.Response {
	c.t.Helper()
	c.seq++
	content, err := json.Marshal(map[string]any{"seq": c.seq, "type": "request", "command": command, "arguments": json.RawMessage(arguments)})
	require.NoError(c.t, err)
	require.NoError(c.t, dap.WriteBaseMessage(c.out, content))
	for {
		content, err := dap.ReadBaseMessage(c.in)
		require.NoError(c.t, err)
		var r dap.Response
		require.NoError(c.t, json.Unmarshal(content, &r))
		if r.Type == "response" {
			require.Equal(c.t, c.seq, r.RequestSeq)
			return r
		}
		m, err := dap.DecodeProtocolMessage(content)
		require.NoError(c.t, err)
		c.events = append(c.events, m.(dap.EventMessage))
	}
}
