package decoder

//go:generate go run ../tesla/isa/cmd/isagen -isa ../tesla/isa/opcode -package decoder
