package debug

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/debug/expr"
	"jacquard/internal/debuginfo"
)

// Types may lead to themselves through pointers; one that contains itself is broken, and ends.
func TestTypes(t *testing.T) {
	node := &debuginfo.Type{Kind: debuginfo.Struct, Name: "node", Size: 16}
	owner := &debuginfo.Type{Kind: debuginfo.Struct, Name: "owner", Size: 16, Members: []debuginfo.Member{{Name: "first", Type: node}}}
	base := &debuginfo.Type{Kind: debuginfo.Struct, Name: "base", Size: 4, Members: []debuginfo.Member{{Name: "id", Type: &debuginfo.Type{Kind: debuginfo.Signed, Name: "int", Size: 4}}}}
	node.Members = []debuginfo.Member{{Type: base, Offset: 4}, {Name: "by", Type: &debuginfo.Type{Kind: debuginfo.Pointer, Elem: owner}, Offset: 8}}
	all := types{}
	made := all.of(node)
	require.Equal(t, "id", made.Fields[0].Name)
	require.Equal(t, 4, made.Fields[0].Offset)
	require.Same(t, made, made.Fields[1].Type.Elem.Fields[0].Type)

	ring := &debuginfo.Type{Kind: debuginfo.Struct, Name: "ring", Size: 4}
	ring.Members = []debuginfo.Member{{Name: "self", Type: ring}}
	require.Equal(t, expr.Bytes, all.of(ring).Fields[0].Type.Kind)
	require.Equal(t, "float [2][3]", all.of(&debuginfo.Type{Kind: debuginfo.Array, Count: 2, Elem: &debuginfo.Type{
		Kind: debuginfo.Array, Count: 3, Elem: &debuginfo.Type{Kind: debuginfo.Float, Name: "float", Size: 4},
	}}).String())
	require.Equal(t, "void", all.of(nil).String())
}

func TestOptimizedOut(t *testing.T) {
	s := &scope{}
	_, err := s.value(&name{name: "x", typ: expr.TypeInt})
	require.ErrorIs(t, err, errOptimizedOut)
	_, err = s.read(&name{name: "x", typ: expr.TypeInt, place: debuginfo.Place{Space: debuginfo.Shared}})
	require.ErrorIs(t, err, expr.ErrUnknown)
}
