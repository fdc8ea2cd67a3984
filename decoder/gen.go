package decoder

//go:generate go run ../cmd/gen/isagen -isa ../tesla/isa/opcode -package decoder
//go:generate go run ../cmd/gen/isagen -isa ../tesla/isa/opcode -package sass -out sass
