package decoder

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// maxOpCases is the most operations in a hand-written switch. More belong in the instruction
// description or a table.
const maxOpCases = 8

// No code decodes opcodes by hand: no switch has many cases that are operations, or values of bits
// cut out of a word. Generated files may have such switches, and so may tests and the reference
// engine, which must be independent.
func TestNoOpcodeSwitch(t *testing.T) {
	n := 0
	for _, dir := range []string{"../tesla", ".", "../simt"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_gen.go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "engine/reference") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			n++
			ast.Inspect(file, func(node ast.Node) bool {
				if s, ok := node.(*ast.SwitchStmt); ok {
					ops, bits := opcodeCases(s)
					require.LessOrEqual(t, ops, maxOpCases, "%s: switch over operations", files.Position(s.Pos()))
					require.LessOrEqual(t, bits, maxOpCases, "%s: switch over bits of an instruction", files.Position(s.Pos()))
				}
				return true
			})
			return nil
		})
		require.NoError(t, err)
	}
	require.NotZero(t, n)
}

// opcodeCases counts the case values of a switch that are operations, and the values that are
// numbers if the switch is over bits cut out of a word.
func opcodeCases(s *ast.SwitchStmt) (ops, bits int) {
	cut := false
	if s.Tag != nil {
		ast.Inspect(s.Tag, func(node ast.Node) bool {
			if b, ok := node.(*ast.BinaryExpr); ok && (b.Op == token.SHR || b.Op == token.AND) {
				cut = true
			}
			return true
		})
	}
	for _, c := range s.Body.List {
		for _, value := range c.(*ast.CaseClause).List {
			ast.Inspect(value, func(node ast.Node) bool {
				if id, ok := node.(*ast.Ident); ok && len(id.Name) > 2 && strings.HasPrefix(id.Name, "Op") && id.Name[2] >= 'A' && id.Name[2] <= 'Z' {
					ops++
				}
				return true
			})
			if _, ok := value.(*ast.BasicLit); ok && cut {
				bits++
			}
		}
	}
	return ops, bits
}

// The test above can fail.
func TestOpcodeCases(t *testing.T) {
	source := `package p
func f(op Op, w uint64) {
	switch op { case OpMov, tesla.OpIAdd: case OpOther: }
	switch w >> 28 & 15 { case 0: case 1, 2: }
	switch w { case 0: }
	switch { case op == OpMov: }
}`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, 0)
	require.NoError(t, err)
	var got [][2]int
	ast.Inspect(file, func(node ast.Node) bool {
		if s, ok := node.(*ast.SwitchStmt); ok {
			ops, bits := opcodeCases(s)
			got = append(got, [2]int{ops, bits})
		}
		return true
	})
	require.Equal(t, [][2]int{{3, 0}, {0, 3}, {0, 0}, {1, 0}}, got)
}
