package sass

import "jacquard/tesla"

// rule says how an operation prints.
type rule struct {
	name      string                            // the first part takes the size and the join flag
	named     func(*tesla.Instruction) string   // the first part, if it depends on the operands
	sized     bool                              // short forms are called ...32, those with a 32-bit number ...32I
	flags     bool                              // the condition register that is written shows in the name
	modifiers func(*tesla.Instruction) string   // types and flags behind the name
	operands  func(*tesla.Instruction) []string // nil: the destination and all sources
	read      func(*reader) bool                // the reverse of operands
	late      bool                              // the name depends on operands
}

// rules has a rule for every operation.
var rules = [...]rule{
	tesla.OpAddAddr:        {name: "ADA"},
	tesla.OpAtom:           {name: "GATOM", modifiers: atomic},
	tesla.OpBar:            {name: "BAR", modifiers: barrier, operands: barrierNumber, read: (*reader).barrierNumber},
	tesla.OpBra:            {name: "BRA", operands: jump, read: (*reader).jump},
	tesla.OpBraIndirect:    {name: "BRX", operands: flow, read: (*reader).flow},
	tesla.OpBreak:          {name: "BRK", operands: flow, read: (*reader).flow},
	tesla.OpBreakAddr:      {name: "PBK", operands: jump, read: (*reader).jump},
	tesla.OpBrkpt:          {name: "BPT", operands: flow, read: (*reader).flow},
	tesla.OpCall:           {name: "CAL", modifiers: increment, operands: jump, read: (*reader).jump},
	tesla.OpCos:            {name: "COS", modifiers: special},
	tesla.OpCvt:            {named: converted, modifiers: conversion, flags: true},
	tesla.OpDAdd:           {name: "DADD", modifiers: arithmetic, flags: true},
	tesla.OpDFma:           {name: "DFMA", modifiers: arithmetic, flags: true},
	tesla.OpDMax:           {name: "DMAX", flags: true},
	tesla.OpDMin:           {name: "DMIN", flags: true},
	tesla.OpDMul:           {name: "DMUL", modifiers: arithmetic, flags: true},
	tesla.OpDSet:           {name: "DSET", flags: true, operands: comparison, read: (*reader).comparison},
	tesla.OpEx2:            {name: "EX2", modifiers: special},
	tesla.OpFAdd:           {name: "FADD", sized: true, modifiers: arithmetic, flags: true},
	tesla.OpFMad:           {name: "FMAD", sized: true, modifiers: arithmetic, flags: true},
	tesla.OpFMax:           {name: "FMAX", flags: true},
	tesla.OpFMin:           {name: "FMIN", flags: true},
	tesla.OpFMul:           {name: "FMUL", sized: true, modifiers: arithmetic, flags: true},
	tesla.OpFSet:           {name: "FSET", flags: true, operands: comparison, read: (*reader).comparison},
	tesla.OpIAdd:           {name: "IADD", sized: true, modifiers: addition, flags: true, operands: sum, read: (*reader).sum},
	tesla.OpIMad:           {name: "IMAD", sized: true, modifiers: multiplyAdd, flags: true, operands: sum, read: (*reader).sum},
	tesla.OpIMax:           {name: "IMAX", modifiers: integer, flags: true},
	tesla.OpIMin:           {name: "IMIN", modifiers: integer, flags: true},
	tesla.OpIMul:           {name: "IMUL", sized: true, modifiers: product, flags: true},
	tesla.OpISad:           {name: "ISAD", sized: true, modifiers: integer, flags: true},
	tesla.OpISet:           {name: "ISET", modifiers: integer, flags: true, operands: comparison, read: (*reader).comparison},
	tesla.OpJoinAt:         {name: "SSY", operands: jump, read: (*reader).jump},
	tesla.OpLdConst:        {name: "MVC", modifiers: constant, late: true},
	tesla.OpLdGlobal:       {name: "GLD", modifiers: access},
	tesla.OpLdLocal:        {name: "LLD", modifiers: access},
	tesla.OpLdShared:       {name: "G2R", modifiers: sharedLoad, flags: true, late: true},
	tesla.OpLg2:            {name: "LG2", modifiers: special},
	tesla.OpLogic:          {name: "LOP", sized: true, modifiers: logic, flags: true},
	tesla.OpMov:            {named: moved, modifiers: move},
	tesla.OpMovFromAddr:    {name: "A2R"},
	tesla.OpMovFromCond:    {name: "C2R"},
	tesla.OpMovFromSpecial: {name: "S2R"},
	tesla.OpMovToCond:      {name: "R2C", operands: toCondition, read: (*reader).toCondition},
	tesla.OpNop:            {name: "NOP", operands: nothing, read: (*reader).nothing},
	tesla.OpPmEvent:        {name: "PMTRIG", operands: event, read: (*reader).sourcesOnly},
	tesla.OpPreEx2:         {name: "RRO", operands: reductionForEx2, read: (*reader).reductionForEx2},
	tesla.OpPreRet:         {name: "PRET", modifiers: increment, operands: jump, read: (*reader).jump},
	tesla.OpPreSin:         {name: "RRO", operands: reductionForSin, read: (*reader).reductionForSin},
	tesla.OpQuadOn:         {name: "QUADON", operands: nothing, read: (*reader).nothing},
	tesla.OpQuadOp:         {name: "FSWZ", flags: true, operands: swizzle, read: (*reader).swizzle},
	tesla.OpQuadPop:        {name: "QUADPOP", operands: nothing, read: (*reader).nothing},
	tesla.OpRcp:            {name: "RCP", sized: true, modifiers: special},
	tesla.OpRed:            {name: "GRED", modifiers: atomic, operands: toMemory, read: (*reader).toMemory},
	tesla.OpRet:            {name: "RET", operands: flow, read: (*reader).flow},
	tesla.OpRsqrt:          {name: "RSQ", modifiers: special},
	tesla.OpShl:            {name: "SHL", modifiers: integer, flags: true},
	tesla.OpShlToAddr:      {name: "R2A", operands: toAddress, read: (*reader).toAddress},
	tesla.OpShr:            {name: "SHR", modifiers: integer, flags: true},
	tesla.OpSin:            {name: "SIN", modifiers: special},
	tesla.OpSlct:           {name: "FCMP", flags: true, operands: selection, read: (*reader).selection},
	tesla.OpStGlobal:       {name: "GST", modifiers: access, operands: toMemory, read: (*reader).toMemory},
	tesla.OpStLocal:        {name: "LST", modifiers: access, operands: toMemory, read: (*reader).toMemory},
	tesla.OpStOutput:       {name: "R2O", operands: toMemory, read: (*reader).toMemory},
	tesla.OpStShared:       {name: "R2G", modifiers: sharedStore, operands: toMemory, read: (*reader).toMemory, late: true},
	tesla.OpTexAuto:        {name: "TEX", sized: true, modifiers: texture, operands: texel, read: (*reader).texel},
	tesla.OpTexBias:        {name: "TXB", modifiers: texture, operands: texel, read: (*reader).texel},
	tesla.OpTexCSAA:        {name: "TXCSAA", modifiers: texture, operands: texel, read: (*reader).texel},
	tesla.OpTexFetch:       {name: "TEX.UN", sized: true, modifiers: texture, operands: texel, read: (*reader).texel},
	tesla.OpTexGather:      {name: "TXG", modifiers: texture, operands: texel, read: (*reader).texel},
	tesla.OpTexLod:         {name: "TXL", modifiers: texture, operands: texel, read: (*reader).texel},
	tesla.OpTexPrep:        {name: "TXP", modifiers: texture, operands: texel, read: (*reader).texel},
	tesla.OpTexQueryLod:    {name: "TXLQ", modifiers: texture, operands: texel, read: (*reader).texel},
	tesla.OpTexSize:        {name: "TXQ", modifiers: texture, operands: texel, read: (*reader).texel},
	tesla.OpTrap:           {name: "TRAP", operands: nothing, read: (*reader).nothing},
	tesla.OpVote:           {name: "VOTE", modifiers: vote, operands: voted, read: (*reader).voted},
}
