// Package isa reads the description of the Tesla instruction set: text files
// with fields, formats, modifiers, operands and forms.
package isa
