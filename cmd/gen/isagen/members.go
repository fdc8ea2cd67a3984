package main

// member describes a member of tesla.Instruction that a modifier may set.
type member struct {
	kind string // enum, bool, mods, number
	typ  string // Go type within package tesla, or a basic type
	slot string // the sub-decoder that reads it
	name string // name of the printer's constant; "" if the printer does not need one
}

// members lists the possible targets of a modifier in the description.
var members = map[string]member{
	"Marker":        {"enum", "Marker", "control", "Marker"},
	"Arith":         {"enum", "Arith", "opcode", "Arith"},
	"Type":          {"enum", "Type", "opcode", "Type"},
	"From":          {"enum", "Type", "opcode", "From"},
	"Round":         {"enum", "Round", "opcode", "Round"},
	"Logic":         {"enum", "Logic", "opcode", "Logic"},
	"Atom":          {"enum", "AtomOp", "opcode", "Atom"},
	"Quad[0]":       {"enum", "Arith", "opcode", "Quad0"},
	"Quad[1]":       {"enum", "Arith", "opcode", "Quad1"},
	"Quad[2]":       {"enum", "Arith", "opcode", "Quad2"},
	"Quad[3]":       {"enum", "Arith", "opcode", "Quad3"},
	"Mods":          {"mods", "Mods", "opcode", ""},
	"Neg":           {"bool", "bool", "", "Neg"},
	"Abs":           {"bool", "bool", "", "Abs"},
	"Not":           {"bool", "bool", "", "Not"},
	"As":            {"enum", "Type", "", "As"},
	"Tex.Live":      {"bool", "bool", "opcode", "TexLive"},
	"Tex.Deriv":     {"bool", "bool", "opcode", "TexDeriv"},
	"Barrier.Inc":   {"bool", "bool", "control", "BarrierInc"},
	"Barrier.Wait":  {"bool", "bool", "control", "BarrierWait"},
	"Cmp":           {"number", "Cmp", "opcode", ""},
	"Idle":          {"number", "uint8", "opcode", ""},
	"Guard.Cond":    {"enum", "Cond", "", ""}, // read by the operand of the guard
	"QuadLane":      {"number", "uint8", "opcode", ""},
	"Target":        {"number", "uint32", "control", "Target"},
	"Barrier.ID":    {"number", "uint8", "control", "BarrierID"},
	"Barrier.Count": {"number", "uint16", "control", "BarrierCount"},
	"Tex.Mask":      {"number", "uint8", "opcode", ""},
	"Tex.Coords":    {"number", "uint8", "opcode", ""},
	"Tex.Unit":      {"number", "uint8", "opcode", ""},
	"Tex.Sampler":   {"number", "uint8", "opcode", ""},
	"Tex.Offset[0]": {"number", "int8", "opcode", "TexOffset0"},
	"Tex.Offset[1]": {"number", "int8", "opcode", "TexOffset1"},
	"Tex.Offset[2]": {"number", "int8", "opcode", "TexOffset2"},
}

// basic types need no package in front of them.
var basic = map[string]bool{"bool": true, "uint8": true, "uint16": true, "uint32": true, "int8": true}

func goType(t string) string {
	if basic[t] {
		return t
	}
	return "tesla." + t
}
