package ptx

import "math"

// maxNesting limits how deep expressions and braces may be nested.
const maxNesting = 200

// levels are the precedences of binary operators, the weakest 1.
var levels = [256]uint8{
	tokOr: 1, tokAnd: 2, '|': 3, '^': 4, '&': 5, tokEqual: 6, tokNot: 6, '<': 7, '>': 7,
	tokLessEq: 7, tokMoreEq: 7, tokShl: 8, tokShr: 8, '+': 9, '-': 9, '*': 10, '/': 10, '%': 10,
}

const sumLevel, productLevel = 9, 10

// expression reads a constant expression.
func (p *parser) expression() constant { return p.conditional(0) }

func (p *parser) conditional(depth int) constant {
	c := p.binary(1, depth)
	if p.tok.kind != '?' {
		return c
	}
	p.next()
	yes := p.conditional(depth + 1)
	p.expect(':')
	no := p.conditional(depth + 1)
	if c.float() != 0 {
		return yes
	}
	return no
}

// binary reads operands with operators of a level or a stronger one between them.
func (p *parser) binary(level uint8, depth int) constant {
	if depth > maxNesting {
		p.fail("the expression is nested too deep")
		return constant{}
	}
	left := p.unary(depth)
	for !p.bad {
		op := p.tok
		strength := levels[op.kind]
		if strength < level || strength == 0 {
			break
		}
		p.next()
		left = p.apply(op, left, p.binary(strength+1, depth+1))
	}
	return left
}

// unary reads an operand with what stands before it.
func (p *parser) unary(depth int) constant {
	if depth > maxNesting {
		p.fail("the expression is nested too deep")
		return constant{}
	}
	t := p.tok
	switch t.kind {
	case '+', '-', '~', '!':
		p.next()
		return p.sign(t, p.unary(depth+1))
	case '(':
		p.next()
		if p.tok.kind == tokWord {
			return p.cast(depth)
		}
		c := p.conditional(depth + 1)
		p.expect(')')
		return c
	}
	return p.primary()
}

// sign applies an operator with one operand.
func (p *parser) sign(op token, c constant) constant {
	switch {
	case op.kind == '!':
		return constBool(c.float() == 0)
	case op.kind == '~' && c.isFloat():
		p.errorAt(op.pos, "found \"~\" before a float")
	case op.kind == '~':
		c.bits = ^c.bits
	case op.kind == '-' && c.lit == f32Literal:
		c.bits ^= 1 << 31
	case op.kind == '-' && c.lit == f64Literal:
		c.bits ^= 1 << 63
	case op.kind == '-':
		c.bits = -c.bits
	}
	return c
}

// cast reads .s64) or .u64) or .f64) and the operand of the cast.
func (p *parser) cast(depth int) constant {
	to := p.tok
	p.next()
	p.expect(')')
	c := p.unary(depth + 1)
	switch to.text {
	case "s64", "s32", "u64", "u32":
		if c.isFloat() {
			c = constInt(truncate(c.float()))
		}
		c.unsigned = to.text[0] == 'u'
	case "f64", "f32":
		c = constFloat(c.float())
	default:
		p.errorAt(to.pos, "found %s; a cast is one of .s64, .u64, .f64", to.describe())
	}
	return c
}

// truncate returns the integer part of a float, 0 for one that is out of range.
func truncate(f float64) int64 {
	if f >= math.MinInt64 && f < math.MaxInt64 {
		return int64(f)
	}
	return 0
}

// primary reads a number.
func (p *parser) primary() constant {
	t := p.tok
	var c constant
	if p.bad {
		return c
	}
	ok := true
	switch {
	case t.kind == tokInt:
		c, ok = parseInt(t.text)
	case t.kind == tokFloat:
		c, ok = parseFloat(t.text)
	case t.kind == tokWord && classes[t.text[0]] == classDigit:
		t.text = "0." + t.text // .5
		c, ok = parseFloat(t.text)
	case t.kind == tokIdent && t.text == "WARP_SZ":
		c = constInt(32)
	case t.kind == tokBad && classes[t.text[0]] == classDigit:
		p.fail("malformed number %s", t.describe())
		return c
	default:
		p.want("a number")
		return c
	}
	if !ok {
		p.errorAt(t.pos, "malformed number %s, or one out of range", t.describe())
	}
	p.next()
	return c
}

// apply computes an operator with two operands.
func (p *parser) apply(op token, a, b constant) constant {
	if a.isFloat() || b.isFloat() {
		return p.applyFloat(op, a.float(), b.float())
	}
	unsigned := a.unsigned || b.unsigned
	if (op.kind == '/' || op.kind == '%') && b.bits == 0 {
		p.errorAt(op.pos, "division by zero")
		return a
	}
	c := constant{lit: intLiteral, unsigned: unsigned}
	switch op.kind {
	case '+':
		c.bits = a.bits + b.bits
	case '-':
		c.bits = a.bits - b.bits
	case '*':
		c.bits = a.bits * b.bits
	case '/', '%':
		c.bits = divide(op.kind, a.bits, b.bits, unsigned)
	case '&':
		c.bits = a.bits & b.bits
	case '|':
		c.bits = a.bits | b.bits
	case '^':
		c.bits = a.bits ^ b.bits
	case tokShl:
		c.bits, c.unsigned = a.bits<<b.bits, a.unsigned
	case tokShr:
		c.bits, c.unsigned = uint64(int64(a.bits)>>b.bits), a.unsigned
		if a.unsigned {
			c.bits = a.bits >> b.bits
		}
	case tokAnd:
		return constBool(a.bits != 0 && b.bits != 0)
	case tokOr:
		return constBool(a.bits != 0 || b.bits != 0)
	default:
		return constBool(compare(op.kind, order(a.bits, b.bits, unsigned)))
	}
	return c
}

func divide(op kind, a, b uint64, unsigned bool) uint64 {
	switch {
	case unsigned && op == '/':
		return a / b
	case unsigned:
		return a % b
	case op == '/':
		return uint64(int64(a) / int64(b))
	}
	return uint64(int64(a) % int64(b))
}

// order returns -1, 0 or 1 as a is less than, equal to or greater than b.
func order(a, b uint64, unsigned bool) int {
	if !unsigned {
		a, b = a^1<<63, b^1<<63
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// compare returns the result of a comparison of values in an order.
func compare(op kind, order int) bool {
	switch op {
	case '<':
		return order < 0
	case '>':
		return order > 0
	case tokLessEq:
		return order <= 0
	case tokMoreEq:
		return order >= 0
	case tokEqual:
		return order == 0
	}
	return order != 0
}

func (p *parser) applyFloat(op token, a, b float64) constant {
	switch op.kind {
	case '+':
		return constFloat(a + b)
	case '-':
		return constFloat(a - b)
	case '*':
		return constFloat(a * b)
	case '/':
		return constFloat(a / b)
	case tokAnd:
		return constBool(a != 0 && b != 0)
	case tokOr:
		return constBool(a != 0 || b != 0)
	case tokEqual:
		return constBool(a == b)
	case tokNot:
		return constBool(a != b)
	case '<', '>', tokLessEq, tokMoreEq:
		return constBool(a == a && b == b && compare(op.kind, floatOrder(a, b)))
	}
	p.errorAt(op.pos, "found %s between floats", op.describe())
	return constFloat(a)
}

func floatOrder(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
