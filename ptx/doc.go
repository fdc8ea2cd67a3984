// Package ptx reads PTX, the language in which later tools hand kernels to a driver: versions 1.0 to
// 9.x.
//
// Parse makes a Module of a text, with all names resolved and all operands checked, or Errors as an
// assembler gives them. Instr.String prints an instruction, as messages show it.
//
// Not read are the matrix instructions (mma, wmma, ldmatrix), barriers in memory (mbarrier) and what
// needs them, and clusters: absent.go has the reasons.
//
// Reading order:
//
//   - module.go, statement.go, enums.go, order.go: the tree. names.go and special.go: names of its
//     constants.
//   - table.go: the table of all instructions. field.go, form.go, shape.go, language.go: how the
//     table is read, and what its words and letters mean.
//   - token.go, lex.go: text to tokens.
//   - parse.go: the parser, and how it goes on after a mistake. scope.go, borrow.go: names.
//     pools.go: memory. errors.go, near.go, absent.go: mistakes.
//   - directive.go, target.go, variable.go, numbered.go, init.go, function.go, bounds.go: what is not
//     an instruction. literal.go, expr.go: constants.
//   - instruction.go, operand.go, check.go, video.go: instructions.
//   - print.go: the text of an instruction.
package ptx
