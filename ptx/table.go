package ptx

// table has the forms of all operations, one per line: the operation and its modifiers, its
// operands, and since which version and target it exists. The first form that has all modifiers of
// an instruction is its form. Parser, printer and messages use the same table.
//
// The modifiers stand in the order in which they are printed, a slot per word: alternatives with |
// between, then ? if none is needed. A name of macros stands for its alternatives. The field of
// Instr is the first of fields that has the first alternative, or the one before a colon. The
// first slot of types is Instr.Type, the second Instr.From, the third Instr.From2. After =
// stands a word that has no field, after - one that is accepted and dropped.
//
// The operands are letters of shapes; one after ? may be missing.
const table = `
abs s16|s32|s64 ; d a
abs ftz? f32|f16|f16x2 ; d a
abs f64|bf16|bf16x2 ; d a
activemask b32 ; d ; 6.2 sm_30
add INT|u16x2|s16x2 ; d a a
add sat s32 ; d a a
add cc INT32 ; d a a ; 1.2
add ROUND? ftz? sat? f32 ; d a a
add ROUND? f64 ; d a a
add rn? ftz? sat? HALF ; d a a ; 4.2 sm_53
add ROUND? sat? f32 f16|bf16 ; d f a ; 8.6 sm_100
addc cc? INT32 ; d a a ; 1.2
alloca u32|u64 ; d a ?k ; 7.3 sm_52
and pred|BITS ; d a a
applypriority SPACE? =L2::evict_normal ; A k ; 7.4 sm_80
atom ORDER? SCOPE? SPACE? atom:and|or|xor b32|b64 ; d A a ; 1.1 sm_11
atom ORDER? SCOPE? SPACE? atom:cas b16|b32|b64|b128|u32|s32|u64 ; d A a a ; 1.1 sm_11
atom ORDER? SCOPE? SPACE? atom:exch b32|b64|b128|u32|s32|u64|f32 ; d A a ; 1.1 sm_11
atom ORDER? SCOPE? SPACE? atom:add u32|s32|u64|s64|f32|f64 ; d A a ; 1.1 sm_11
atom ORDER? SCOPE? SPACE? atom:add noftz? HALF ; d A a ; 6.2 sm_60
atom ORDER? SCOPE? SPACE? atom:inc|dec u32 ; d A a ; 1.1 sm_11
atom ORDER? SCOPE? SPACE? atom:min|max u32|s32|u64|s64 ; d A a ; 1.1 sm_11
bar -cta? mode:sync aligned? ; i ?i
bar -cta? mode:arrive aligned? ; i i ; 2.0 sm_20
bar -cta? mode:red aligned? atom:popc u32 ; d i ?i q ; 2.0 sm_20
bar -cta? mode:red aligned? atom:and|or pred ; p i ?i q ; 2.0 sm_20
bar mode:warp sync ; i ; 6.0 sm_30
bfe INT32 ; d a i i ; 2.0 sm_20
bfi b32|b64 ; d a a i i ; 2.0 sm_20
bfind shiftamt? INT32 ; x a ; 2.0 sm_20
bmsk clamp|wrap b32 ; d i i ; 7.6 sm_70
bra uni? ; L
brev b32|b64 ; d a ; 2.0 sm_20
brkpt
brx =idx uni? ; i B ; 6.0 sm_30
call uni? ; C
clz b32|b64 ; x a ; 2.0 sm_20
cnot BITS ; d a
copysign f32|f64 ; d a a ; 2.0 sm_20
cos approx? ftz? f32 ; d a
cp =async cache:ca|cg space:shared|shared::cta =global -AHEAD? ; A G k ?i ; 7.0 sm_80
cp =async cache:ca|cg space:shared|shared::cta =global L2::cache_hint -AHEAD? ; A G k n ; 7.4 sm_80
cp =async mode:commit_group ;; 7.0 sm_80
cp =async mode:wait_group ; k ; 7.0 sm_80
cp =async mode:wait_all ;; 7.0 sm_80
createpolicy =fractional -POLICY -POLICY? b64 ; d ?i ; 7.4 sm_80
cvt ANYRND? ftz? sat? CONVERT CONVERT ; D F
cvt ANYRND? ftz? sat? relu? CONVERT|bf16 CONVERT|bf16 ; D F ; 7.0 sm_80
cvt pack sat u16|s16 s32 ; x f f ; 6.5 sm_72
cvt pack sat u8|s8 s32 b32 ; x f f i ; 6.5 sm_72
cvt pack sat u4|s4|u2|s2 s32 b32 ; x f f i ; 6.5 sm_75
cvt ANYRND? relu? f16x2|bf16x2 f32 ; D F F ; 7.0 sm_80
cvta to? const|global|local|param|shared u32|u64 ; d M ; 2.0 sm_20
discard SPACE? =L2 ; A k ; 7.4 sm_80
div INT ; d a a
div approx ftz? f32 ; d a a
div full ftz? f32 ; d a a
div ROUND? ftz? f32 ; d a a
div ROUND? f64 ; d a a
dp2a lo|hi u32|s32 u32|s32 ; x i i i ; 5.0 sm_61
dp4a u32|s32 u32|s32 ; x i i i ; 5.0 sm_61
ex2 approx? ftz? f32|HALF ; d a
exit
fence order:sc|acq_rel? mode:cta|cluster|gpu|sys ;; 6.0 sm_70
fma ROUND? ftz? sat? f32 ; d a a a ; 1.4 sm_13
fma ROUND? f64 ; d a a a ; 1.4 sm_13
fma rn? ftz? sat? relu? HALF ; d a a a ; 4.2 sm_53
fma ROUND sat? f32 f16|bf16 ; d f f a ; 8.6 sm_100
fns b32 ; d i i i ; 6.0 sm_30
griddepcontrol -launch_dependents|wait ;; 7.8 sm_90
isspacep const|global|local|param|shared|param::entry|param::func|shared::cta ; p n ; 2.0 sm_20
ld volatile? ORDER? SCOPE? SPACE? CACHE? nc? -HINT? -HINT2? -AHEAD? unified? VECTOR? MEMORY ; D A
ld volatile? ORDER? SCOPE? SPACE? CACHE? nc? -HINT? -HINT2? L2::cache_hint -AHEAD? unified? VECTOR? MEMORY ; D A n ; 7.4 sm_80
ldu SPACE? VEC? MEMORY ; D A ; 2.0 sm_20
lg2 approx? ftz? f32 ; d a
lop3 b32 ; d a a a k ; 4.3 sm_50
lop3 bool:and|or b32 ; e a a a k q ; 8.2 sm_70
mad wide u16|s16|u32|s32 ; w a a c
mad lo|hi INT ; d a a a
mad lo|hi cc INT32 ; d a a a ; 3.0 sm_20
mad hi sat s32 ; d a a a
mad ROUND? ftz? sat? f32 ; d a a a
mad ROUND? f64 ; d a a a
mad24 lo|hi sat? u32|s32 ; d a a a
madc lo|hi cc? INT32 ; d a a a ; 3.0 sm_20
match mode:any sync b32|b64 ; x a i ; 6.0 sm_70
match mode:all sync b32|b64 ; X a i ; 6.0 sm_70
max INT|u16x2|s16x2 ; d a a
max relu s32|s16x2 ; d a a ; 8.0 sm_90
max ftz? NaN? xorsign? abs? f32 ; d a a
max f64 ; d a a
max ftz? NaN? xorsign? abs? HALF ; d a a ; 7.0 sm_80
membar mode:cta|gl|sys ;; 1.4
min INT|u16x2|s16x2 ; d a a
min relu s32|s16x2 ; d a a ; 8.0 sm_90
min ftz? NaN? xorsign? abs? f32 ; d a a
min f64 ; d a a
min ftz? NaN? xorsign? abs? HALF ; d a a ; 7.0 sm_80
mov VECTOR? pred|b128|f16|f16x2|SCALAR ; m M
mul wide u16|s16|u32|s32 ; w a a
mul lo|hi INT ; d a a
mul ROUND? ftz? sat? f32 ; d a a
mul ROUND? f64 ; d a a
mul rn? ftz? sat? HALF ; d a a ; 4.2 sm_53
mul24 lo|hi u32|s32 ; d a a
nanosleep u32 ; i ; 6.3 sm_70
neg s16|s32|s64 ; d a
neg ftz? f32|HALF ; d a
neg f64 ; d a
not pred|BITS ; d a
or pred|BITS ; d a a
pmevent mask? ; k ; 1.4
popc b32|b64 ; x a ; 2.0 sm_20
prefetch SPACE? mode:L1|L2 ; A ; 2.0 sm_20
prefetchu mode:L1 ; A ; 2.0 sm_20
prmt b32 mode:f4e|b4e|rc8|ecl|ecr|rc16? ; d a a i ; 2.0 sm_20
rcp approx ftz? f32|f64 ; d a
rcp ROUND? ftz? f32 ; d a
rcp ROUND? f64 ; d a
red ORDER? SCOPE? SPACE? atom:and|or|xor b32|b64 ; A a ; 1.2 sm_11
red ORDER? SCOPE? SPACE? atom:add u32|s32|u64|s64|f32|f64 ; A a ; 1.2 sm_11
red ORDER? SCOPE? SPACE? atom:add noftz? HALF ; A a ; 6.2 sm_60
red ORDER? SCOPE? SPACE? atom:inc|dec u32 ; A a ; 1.2 sm_11
red ORDER? SCOPE? SPACE? atom:min|max u32|s32|u64|s64 ; A a ; 1.2 sm_11
redux sync atom:add|min|max u32|s32 ; d a i ; 7.0 sm_80
redux sync atom:and|or|xor b32 ; d a i ; 7.0 sm_80
rem INT ; d a a
ret uni?
rsqrt approx? ftz? f32|f64 ; d a
sad INT ; d a a a
selp SCALAR ; d a a q
set CMP BOOL? ftz? u32|s32|f32|u16|s16|HALF SCALAR|HALF ; d f f ?q
setp CMP BOOL? ftz? SCALAR|HALF ; P a a ?q
setmaxnreg -inc|dec =sync =aligned u32 ; k ; 8.0 sm_90
shf l|r clamp|wrap b32 ; d a a i ; 3.1 sm_32
shfl mode:up|down|bfly|idx b32 ; e a i i ; 3.0 sm_30
shfl sync mode:up|down|bfly|idx b32 ; e a i i i ; 6.0 sm_30
shl BITS ; d a i
shr BITS|INT ; d a i
sin approx? ftz? f32 ; d a
slct ftz? SCALAR s32|f32 ; d a a f
sqrt approx ftz? f32 ; d a
sqrt ROUND? ftz? f32 ; d a
sqrt ROUND? f64 ; d a
st volatile? ORDER? SCOPE? SPACE? CACHE? -HINT? -HINT2? VECTOR? MEMORY ; A S
st volatile? ORDER? SCOPE? SPACE? CACHE? -HINT? -HINT2? L2::cache_hint VECTOR? MEMORY ; A S n ; 7.4 sm_80
stackrestore u32|u64 ; a ; 7.3 sm_52
stacksave u32|u64 ; d ; 7.3 sm_52
sub INT ; d a a
sub sat s32 ; d a a
sub cc INT32 ; d a a ; 1.2
sub ROUND? ftz? sat? f32 ; d a a
sub ROUND? f64 ; d a a
sub rn? ftz? sat? HALF ; d a a ; 4.2 sm_53
sub ROUND? sat? f32 f16|bf16 ; d f a ; 8.6 sm_100
subc cc? INT32 ; d a a ; 1.2
suld =b SURF CACHE? VEC? b8|b16|b32|b64 EDGE? ; D t v ; 1.5
suld p SURF CACHE? VEC? b32|u32|s32|f32 EDGE? ; D t v ; 1.5
suq QUERY b32|u32|s32 ; d t ; 1.5
sured =b atom:add|min|max|and|or SURF u32|s32|b32|u64|s64|b64 EDGE? ; t v a ; 2.0 sm_20
sured p atom:add|min|max|and|or SURF b32 EDGE? ; t v a ; 2.0 sm_20
sust =b SURF CACHE? VEC? b8|b16|b32|b64 EDGE? ; t v S ; 1.5
sust p SURF CACHE? VEC? b32|u32|s32|f32 EDGE? ; t v S ; 1.5
szext clamp|wrap u32|s32 ; d a i ; 7.6 sm_70
tanh approx f32|HALF ; d a ; 7.0 sm_75
testp mode:finite|infinite|number|notanumber|normal|subnormal f32|f64 ; p a ; 2.0 sm_20
tex mode:base|level|grad? GEOM VEC? f32|s32|u32|f16|f16x2 f32|s32|u32 ; D t ?s v ?o ?o ?o ?o
tld4 mode:r|g|b|a GEOM VEC? f32|s32|u32 f32 ; D t ?s v ?o ?o ; 3.1 sm_20
trap
txq QUERY b32|u32|s32 ; d t ?i ; 1.5
vabsdiff WORD WORD WORD sat? ; r l l ?a ; 2.0 sm_20
vabsdiff WORD WORD WORD sat? EXTRA ; d l l a ; 2.0 sm_20
vabsdiff2 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vabsdiff2 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
vabsdiff4 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vabsdiff4 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
vadd WORD WORD WORD sat? ; r l l ?a ; 2.0 sm_20
vadd WORD WORD WORD sat? EXTRA ; d l l a ; 2.0 sm_20
vadd2 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vadd2 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
vadd4 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vadd4 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
vavrg2 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vavrg2 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
vavrg4 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vavrg4 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
vmad WORD WORD WORD po? sat? shr7|shr15? ; d l l a ; 2.0 sm_20
vmax WORD WORD WORD sat? ; r l l ?a ; 2.0 sm_20
vmax WORD WORD WORD sat? EXTRA ; d l l a ; 2.0 sm_20
vmax2 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vmax2 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
vmax4 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vmax4 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
vmin WORD WORD WORD sat? ; r l l ?a ; 2.0 sm_20
vmin WORD WORD WORD sat? EXTRA ; d l l a ; 2.0 sm_20
vmin2 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vmin2 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
vmin4 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vmin4 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
vote mode:all|any|uni pred ; p q ; 1.2 sm_12
vote mode:ballot b32 ; d q ; 2.0 sm_20
vote sync mode:all|any|uni pred ; p q i ; 6.0 sm_30
vote sync mode:ballot b32 ; d q i ; 6.0 sm_30
vset WORD WORD ORDERED ; r l l ?a ; 2.0 sm_20
vset WORD WORD ORDERED EXTRA ; d l l a ; 2.0 sm_20
vset2 WORD WORD ORDERED atom:add? ; r l l a ; 3.0 sm_30
vset4 WORD WORD ORDERED atom:add? ; r l l a ; 3.0 sm_30
vshl WORD WORD u32 sat? clamp|wrap ; r l l ?a ; 2.0 sm_20
vshl WORD WORD u32 sat? clamp|wrap EXTRA ; d l l a ; 2.0 sm_20
vshr WORD WORD u32 sat? clamp|wrap ; r l l ?a ; 2.0 sm_20
vshr WORD WORD u32 sat? clamp|wrap EXTRA ; d l l a ; 2.0 sm_20
vsub WORD WORD WORD sat? ; r l l ?a ; 2.0 sm_20
vsub WORD WORD WORD sat? EXTRA ; d l l a ; 2.0 sm_20
vsub2 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vsub2 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
vsub4 WORD WORD WORD sat? ; r l l a ; 3.0 sm_30
vsub4 WORD WORD WORD atom:add ; r l l a ; 3.0 sm_30
xor pred|BITS ; d a a
`

// macros are names for alternatives.
var macros = map[string]string{
	"INT":     "u16|s16|u32|s32|u64|s64",
	"INT32":   "u32|s32|u64|s64",
	"WORD":    "u32|s32",
	"BITS":    "b16|b32|b64",
	"SCALAR":  "b16|b32|b64|u16|s16|u32|s32|u64|s64|f32|f64",
	"MEMORY":  "b8|b16|b32|b64|b128|u8|s8|u16|s16|u32|s32|u64|s64|f32|f64",
	"CONVERT": "u8|s8|u16|s16|u32|s32|u64|s64|f16|f32|f64",
	"HALF":    "f16|f16x2|bf16|bf16x2",
	"ROUND":   "rn|rz|rm|rp",
	"ANYRND":  "rn|rz|rm|rp|rni|rzi|rmi|rpi|rna",
	"CMP": "cmp:eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|" +
		"num|nan",
	"ORDERED": "cmp:eq|ne|lt|le|gt|ge",
	"BOOL":    "bool:and|or|xor",
	"EXTRA":   "atom:add|min|max",
	"SPACE":   "const|global|local|param|shared|param::entry|param::func|shared::cta",
	"ORDER":   "order:weak|relaxed|acquire|release|acq_rel|sc|mmio",
	"SCOPE":   "scope:cta|cluster|gpu|sys",
	"CACHE":   "cache:ca|cg|cs|lu|cv|wb|wt",
	"HINT": "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|" +
		"L1::no_allocate",
	"HINT2":  "L2::evict_normal|L2::evict_first|L2::evict_last",
	"POLICY": "L2::evict_normal|L2::evict_unchanged|L2::evict_first|L2::evict_last",
	"AHEAD":  "L2::64B|L2::128B|L2::256B",
	"VEC":    "v2|v4",
	"VECTOR": "v2|v4|v8",
	"GEOM":   "geom:1d|2d|3d|a1d|a2d|cube|acube|2dms|a2dms",
	"SURF":   "geom:1d|2d|3d|a1d|a2d",
	"EDGE":   "trap|clamp|zero",
	"QUERY": "mode:width|height|depth|channel_data_type|channel_order|" +
		"normalized_coords|force_unnormalized_coords|filter_mode|addr_mode_0|" +
		"addr_mode_1|addr_mode_2|array_size|num_mipmap_levels|num_samples|memory_layout",
}
