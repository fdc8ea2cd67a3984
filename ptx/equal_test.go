package ptx

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// erasePlaces erases all places in the text.
func erasePlaces(in *Instr) {
	seen := map[any]bool{}
	var erase func(reflect.Value)
	erase = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || seen[v.Interface()] {
				return
			}
			seen[v.Interface()] = true
			erase(v.Elem())
		case reflect.Interface:
			erase(v.Elem())
		case reflect.Slice, reflect.Array:
			if v.Type().Elem().Kind() == reflect.Uint8 {
				return
			}
			for i := range v.Len() {
				erase(v.Index(i))
			}
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[Pos]() {
				v.SetZero()
				return
			}
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					erase(v.Field(i))
				}
			}
		}
	}
	erase(reflect.ValueOf(in))
}

// requireRoundTrip checks that an instruction of parseBody is what Parse makes of its text.
func requireRoundTrip(t *testing.T, in *Instr) {
	t.Helper()
	text := in.String()
	body := parseBody(t, "\t"+text+"\n").Func("k").Body
	again := body[len(body)-1].(*Instr)
	erasePlaces(in)
	erasePlaces(again)
	require.True(t, reflect.DeepEqual(in, again), "%s is read as %v", text, again)
}
