package main

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// opposites maps each comparison to its opposite, and each connective to the other.
var opposites = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.LEQ: token.GTR, token.GTR: token.LEQ,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

// bounds are the comparisons that differ for equal values only.
var bounds = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR,
}

// operators maps each operator to a similar operator.
var operators = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD,
	token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND,
	token.SHL: token.SHR, token.SHR: token.SHL,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN,
	token.XOR_ASSIGN: token.OR_ASSIGN, token.AND_NOT_ASSIGN: token.AND_ASSIGN,
	token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
	token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK,
}

// visit notes the faults of a node.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.replace(condition, n.Pos(), n.X.Pos(), "")
		}
	case *ast.BasicLit:
		if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil && !permissions(n.Value) {
			f.replace(constant, n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.replace(constant, n.Pos(), n.End(), "false")
		case "false":
			f.replace(constant, n.Pos(), n.End(), "true")
		}
	case *ast.ReturnStmt:
		for _, v := range n.Results {
			if name, ok := v.(*ast.Ident); ok && name.Name == "err" {
				f.replace(ignored, v.Pos(), v.End(), "nil")
			}
		}
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	case *ast.CommClause:
		f.statements(n.Body)
	}
	return true
}

// permissions reports whether a number is a file's permissions, which no test needs to check.
func permissions(number string) bool { return strings.HasPrefix(number, "0o") }

// binary notes the faults of an expression with an operator.
func (f *finder) binary(n *ast.BinaryExpr) {
	end := n.OpPos + token.Pos(len(n.Op.String()))
	if by, ok := bounds[n.Op]; ok {
		f.replace(boundary, n.OpPos, end, by.String())
	}
	if by, ok := opposites[n.Op]; ok {
		f.replace(condition, n.OpPos, end, by.String())
	}
	if by, ok := operators[n.Op]; ok {
		f.replace(arithmetic, n.OpPos, end, by.String())
	}
	if n.Op == token.LAND || n.Op == token.LOR {
		f.replace(condition, n.Pos(), n.Y.Pos(), "")
		f.replace(condition, n.X.End(), n.End(), "")
	}
}

// statements notes the statements of a list that can be removed or changed.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if by, ok := operators[s.Tok]; ok {
				f.replace(arithmetic, s.TokPos, s.TokPos+token.Pos(len(s.Tok.String())), by.String())
			}
			if s.Tok != token.DEFINE {
				f.replace(missing, s.Pos(), s.End(), "")
			}
		case *ast.IncDecStmt:
			f.replace(arithmetic, s.TokPos, s.End(), operators[s.Tok].String())
			f.replace(missing, s.Pos(), s.End(), "")
		case *ast.BranchStmt:
			if by, ok := operators[s.Tok]; ok && s.Label == nil {
				f.replace(condition, s.Pos(), s.End(), by.String())
			}
		case *ast.ReturnStmt:
			if len(s.Results) == 0 {
				f.replace(missing, s.Pos(), s.End(), "")
			}
		case *ast.ExprStmt, *ast.DeferStmt, *ast.SendStmt:
			f.replace(missing, s.Pos(), s.End(), "")
		case *ast.IfStmt:
			if s.Else == nil {
				f.replace(missing, s.Pos(), s.End(), "")
			}
		}
	}
}
