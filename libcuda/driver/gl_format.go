package driver

// glComponents are the types that a component of a shared image can have, in the order of the
// columns of glFamilies.
var glComponents = [...]struct {
	format  ArrayFormat
	typ     GLEnum
	integer bool // the value is the number itself
}{
	{FormatUnsignedInt8, GLUnsignedByte, false}, // of the format without a size
	{FormatUnsignedInt8, GLUnsignedByte, false},
	{FormatUnsignedInt16, GLUnsignedShort, false},
	{FormatHalf, GLHalfFloat, false},
	{FormatFloat, GLFloat, false},
	{FormatUnsignedInt8, GLUnsignedByte, true},
	{FormatUnsignedInt16, GLUnsignedShort, true},
	{FormatUnsignedInt32, GLUnsignedInt, true},
	{FormatSignedInt8, GLByte, true},
	{FormatSignedInt16, GLShort, true},
	{FormatSignedInt32, GLInt, true},
}

// glFamilies lists the internal formats of images that can be shared, from NVIDIA's documentation
// of cuGraphicsGLRegisterImage.
var glFamilies = [...]struct {
	channels       uint32
	pixel, integer GLEnum // formats of elements in memory, for numbers and for integers
	formats        [len(glComponents)]GLEnum
}{
	// R, RG, RGBA
	{1, 0x1903, 0x8d94, [...]GLEnum{0x1903, 0x8229, 0x822a, 0x822d, 0x822e, 0x8232, 0x8234, 0x8236, 0x8231, 0x8233, 0x8235}},
	{2, 0x8227, 0x8228, [...]GLEnum{0x8227, 0x822b, 0x822c, 0x822f, 0x8230, 0x8238, 0x823a, 0x823c, 0x8237, 0x8239, 0x823b}},
	{4, 0x1908, 0x8d99, [...]GLEnum{0x1908, 0x8058, 0x805b, 0x881a, 0x8814, 0x8d7c, 0x8d76, 0x8d70, 0x8d8e, 0x8d88, 0x8d82}},
	// LUMINANCE, LUMINANCE_ALPHA
	{1, 0x1909, 0x8d9c, [...]GLEnum{0x1909, 0x8040, 0x8042, 0x881e, 0x8818, 0x8d80, 0x8d7a, 0x8d74, 0x8d92, 0x8d8c, 0x8d86}},
	{2, 0x190a, 0x8d9d, [...]GLEnum{0x190a, 0x8045, 0x8048, 0x881f, 0x8819, 0x8d81, 0x8d7b, 0x8d75, 0x8d93, 0x8d8d, 0x8d87}},
	// ALPHA, INTENSITY: OpenGL has no elements in memory of intensity; red stands for it.
	{1, 0x1906, 0x8d97, [...]GLEnum{0x1906, 0x803c, 0x803e, 0x881c, 0x8816, 0x8d7e, 0x8d78, 0x8d72, 0x8d90, 0x8d8a, 0x8d84}},
	{1, 0x1903, 0x8d94, [...]GLEnum{0x8049, 0x804b, 0x804d, 0x881d, 0x8817, 0x8d7f, 0x8d79, 0x8d73, 0x8d91, 0x8d8b, 0x8d85}},
}

// glCounts are the internal formats of OpenGL 1.0, numbers of components.
var glCounts = map[GLEnum]GLEnum{1: 0x1909, 2: 0x190a, 4: 0x1908}

// glElement is an element of a shared image in memory.
type glElement struct {
	format     ArrayFormat
	channels   uint32
	pixel, typ GLEnum
}

// elementOf returns the element for an internal format; ok is false if images of that format cannot
// be shared.
func elementOf(internal GLEnum) (e glElement, ok bool) {
	if named, counts := glCounts[internal]; counts {
		internal = named
	}
	for i := range glFamilies {
		family := &glFamilies[i]
		for column, format := range family.formats {
			if format != internal {
				continue
			}
			c := glComponents[column]
			e = glElement{c.format, family.channels, family.pixel, c.typ}
			if c.integer {
				e.pixel = family.integer
			}
			return e, true
		}
	}
	return glElement{}, false
}
