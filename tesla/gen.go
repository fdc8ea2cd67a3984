package tesla

//go:generate go run ./isa/cmd/isagen -isa isa/opcode -package tesla
//go:generate go run ./isa/cmd/isagen -isa isa/opcode -package docs -out ../docs
