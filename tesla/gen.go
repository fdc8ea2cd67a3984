package tesla

//go:generate go run ../cmd/gen/isagen -isa isa/opcode -package tesla
//go:generate go run ../cmd/gen/isagen -isa isa/opcode -package docs -out ../docs
