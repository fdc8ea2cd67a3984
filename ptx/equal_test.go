package ptx

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// place erases all places in the text.
func erasePlaces(m *Module) {
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
	erase(reflect.ValueOf(m))
}

// requireRoundTrip checks that a module is what Parse makes of its text.
func requireRoundTrip(t *testing.T, m *Module) {
	t.Helper()
	text := m.Format()
	again, err := Parse(m.Name, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, clip(text))
	}
	erasePlaces(m)
	erasePlaces(again)
	if !reflect.DeepEqual(m, again) {
		second := again.Format()
		require.Equal(t, string(text), string(second), "the text changes")
		t.Fatalf("the module changes but its text does not:\n%s", clip(text))
	}
}

// clip shortens a text for a message.
func clip(text []byte) []byte { return text[:min(len(text), 4000)] }
