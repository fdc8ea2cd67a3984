package tesla

// member names a part of an instruction for the printer.
type member uint8

const (
	memberMarker member = iota
	memberArith
	memberType
	memberFrom
	memberRound
	memberLogic
	memberAtom
	memberQuad0
	memberQuad1
	memberQuad2
	memberQuad3
	memberNeg0
	memberNeg1
	memberNeg2
	memberAbs0
	memberAbs1
	memberAbs2
	memberNot0
	memberNot1
	memberNot2
	memberAs0
	memberAs1
	memberAs2
	memberTexLive
	memberTexDeriv
	memberTexOffset0
	memberTexOffset1
	memberTexOffset2
	memberBarrierInc
	memberBarrierWait
	memberBarrierID
	memberBarrierCount
	memberTarget
)

// member returns the value of a part as a number, flags as 0 or 1.
func (in *Instruction) member(m member) int64 {
	switch m {
	case memberMarker:
		return int64(in.Marker)
	case memberArith:
		return int64(in.Arith)
	case memberType:
		return int64(in.Type)
	case memberFrom:
		return int64(in.From)
	case memberRound:
		return int64(in.Round)
	case memberLogic:
		return int64(in.Logic)
	case memberAtom:
		return int64(in.Atom)
	case memberQuad0, memberQuad1, memberQuad2, memberQuad3:
		return int64(in.Quad[m-memberQuad0])
	case memberNeg0, memberNeg1, memberNeg2:
		return flag(in.Src[m-memberNeg0].Neg)
	case memberAbs0, memberAbs1, memberAbs2:
		return flag(in.Src[m-memberAbs0].Abs)
	case memberNot0, memberNot1, memberNot2:
		return flag(in.Src[m-memberNot0].Not)
	case memberAs0, memberAs1, memberAs2:
		return int64(in.Src[m-memberAs0].As)
	case memberTexLive:
		return flag(in.Tex.Live)
	case memberTexDeriv:
		return flag(in.Tex.Deriv)
	case memberTexOffset0, memberTexOffset1, memberTexOffset2:
		return int64(in.Tex.Offset[m-memberTexOffset0])
	case memberBarrierInc:
		return flag(in.Barrier.Inc)
	case memberBarrierWait:
		return flag(in.Barrier.Wait)
	case memberBarrierID:
		return int64(in.Barrier.ID)
	case memberBarrierCount:
		return int64(in.Barrier.Count)
	default:
		return int64(in.Target)
	}
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// setMember is the reverse of member.
func (in *Instruction) setMember(m member, v int64) {
	switch m {
	case memberMarker:
		in.Marker = Marker(v)
	case memberArith:
		in.Arith = Arith(v)
	case memberType:
		in.Type = Type(v)
	case memberFrom:
		in.From = Type(v)
	case memberRound:
		in.Round = Round(v)
	case memberLogic:
		in.Logic = Logic(v)
	case memberAtom:
		in.Atom = AtomOp(v)
	case memberQuad0, memberQuad1, memberQuad2, memberQuad3:
		in.Quad[m-memberQuad0] = Arith(v)
	case memberNeg0, memberNeg1, memberNeg2:
		in.Src[m-memberNeg0].Neg = v != 0
	case memberAbs0, memberAbs1, memberAbs2:
		in.Src[m-memberAbs0].Abs = v != 0
	case memberNot0, memberNot1, memberNot2:
		in.Src[m-memberNot0].Not = v != 0
	case memberAs0, memberAs1, memberAs2:
		in.Src[m-memberAs0].As = Type(v)
	case memberTexLive:
		in.Tex.Live = v != 0
	case memberTexDeriv:
		in.Tex.Deriv = v != 0
	case memberTexOffset0, memberTexOffset1, memberTexOffset2:
		in.Tex.Offset[m-memberTexOffset0] = int8(v)
	case memberBarrierInc:
		in.Barrier.Inc = v != 0
	case memberBarrierWait:
		in.Barrier.Wait = v != 0
	case memberBarrierID:
		in.Barrier.ID = uint8(v)
	case memberBarrierCount:
		in.Barrier.Count = uint16(v)
	default:
		in.Target = uint32(v)
	}
}
