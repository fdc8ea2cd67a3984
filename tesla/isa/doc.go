// Package isa reads the description of the Tesla instruction set, the text files in opcode: fields,
// formats, modifiers and operands, and one file per family of instructions. Only generators and
// tests import it; cmd/gen/isagen generates Go from the description.
//
// A description is made of lines; indented ones belong to the line above, and
// "#" begins a comment. Definitions may be in any order.
//
//	type U16 2 u16                          a type, its size in bytes and its text
//	class move between registers            a kind of work
//	operation Red atomic data=1             its class; data: the sources that it hands to memory;
//	                                        flags and traits are explained below
//		sass   GRED modifiers=atomic        how decoder/sass shows it, see below
//		exact  form=S90 -> documented WHY   how certain it is: the first line
//		exact  -> verified WHY              whose conditions hold
//	field dst w0.8-2                        a named number in the instruction
//	format long 8 len=1                     a layout, its size in bytes and what selects it
//	mod sat Mods - Sat:sat                  what the values of a field mean and print
//	operand D32 dest long                   where an operand is:
//		out=0 -> reg n=dst                  the first line whose conditions hold
//		      -> output off=dst unit=4
//	operand GUARD control long              the guard; cond is a field, a mod names its values:
//		-> guard cond=cond@cond reg=creg
//	form L90 long sm_11+ pri=9 sec=0        an encoding, on some architectures
//		op     Rcp Type=F32                 operation and constant members
//		text   rcp f32 {D32:dst} {neg@n:0}  its text, which reads the pieces
//		hidden {integral@m}                 pieces that it reads without printing
//		emit   cond=15                      fields without effect that compilers set
//		ignore w1.28                        bits without effect
//	limit guard documented WHY              the most that a guarded instruction can be
//
// The flags of an operation with flags=value are S and Z of its result; with flags=sum they are C and
// O, too. The traits, with the pages of docs/isa that say so:
//
//	coordinates   it reads as many registers from its destination up as it has coordinates; textures.md
//	components    it writes as many registers as its mask has components; textures.md
//	texels        it reads texels, and is simulated; textures.md
//	lane          lanes with the same sources may get different results; operations.md, machine.md
//	leaves        lanes may go elsewhere than to the next instruction, or end; control.md
//	polls         its guard is its source and leaves out no lane; operations.md
//
// What follows from the forms is not said again: which source may be an immediate, whether the
// destination may be the addend, whether the operation obeys a guard, names an address in the code,
// or has a short form. Package tesla has a function for each property, and other packages ask there.
//
// The words after sass: the name, or by=FUNC if it depends on the operands; sized, if short forms
// are called ...32 and forms with a 32-bit number ...32I; flags, if the name shows the condition
// register written; late, if the name depends on operands; modifiers=FUNC for the text after the
// name; operands=FUNC, also a method of the reader, unless the operands are the destination and all
// sources.
//
// In a text, {OPERAND:ROLE} is an operand: dst, 0, 1 and 2 for the sources, cdst
// for the condition register written, carry for the one read, guard. {MOD@FIELD}
// is a modifier, {MOD@FIELD:SOURCE} one of a source operand, {MOD} one that is
// only printed.
//
// The checker refuses unused definitions, forms that claim the same encoding (unless one is
// declared over= the other), and bits of a form with two owners or none.
//
// Reading order: model.go, parse.go, parser.go, the parse_ files, check.go.
package isa
