// Command playground is package playground for a browser's worker: messages in, messages out.
//
// A message is an array of a number, a word and a text: "check" and the JSON of a State; "run" and
// the JSON of a State with one policy; "play" and the JSON of a State. The answer is an array of
// the number and a JSON text with a member "value" or "error".
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall/js"

	"jacquard/simt"
	"jacquard/study/playground"
)

// message is a request of the page.
type message struct {
	number int
	word   string
	text   string
}

func main() {
	requests := make(chan message, 64)
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := args[0].Get("data")
		requests <- message{data.Index(0).Int(), data.Index(1).String(), data.Index(2).String()}
		return nil
	}))
	post(0, map[string]any{"policies": simt.Policies()}, nil)
	for m := range requests {
		value, err := answer(m)
		post(m.number, value, err)
	}
}

// post sends an answer.
func post(number int, value any, err error) {
	a := map[string]any{"value": value}
	if err != nil {
		a = map[string]any{"error": err.Error()}
	}
	text, err := json.Marshal(a)
	if err != nil {
		panic("playground: " + err.Error()) // answers are plain data
	}
	js.Global().Call("postMessage", []any{number, string(text)})
}

// answer carries a request out.
func answer(m message) (any, error) {
	var s playground.State
	if err := json.Unmarshal([]byte(m.text), &s); err != nil {
		return nil, err
	}
	ctx := context.Background() // the page stops a run by ending the worker
	switch m.word {
	case "check":
		return s.Check(), nil
	case "run":
		if len(s.Policies) != 1 {
			return nil, fmt.Errorf("%d policies: a run has one", len(s.Policies))
		}
		return s.Run(ctx, s.Policies[0])
	case "play":
		return s.Play(ctx)
	}
	return nil, fmt.Errorf("unknown request %q", m.word)
}
