#include <cstdio>

enum Color { red, green = 5, blue = -2 };
enum class Kind : unsigned char { none, some = 200 };
struct Point { short x, y; };
struct Bits { unsigned low : 3; int high : 5; };
struct Node : Point { float weight[2]; Node *next; Bits bits; };
union Word { int i; float f; };

__constant__ int table[3] = {7, 8, 9};
__device__ double scale = 0.125;

// Each variable is printed as the debugger shows it.
__global__ void types(int t, Node given)
{
	bool yes = t == 3;
	char letter = 'A' + t;
	signed char small = -t;
	unsigned char byte = 250 + t;
	short half = -1000 * t;
	unsigned short uhalf = 60000 + t;
	int word = -100000 * t;
	unsigned uword = 4000000000u + t;
	long long wide = -(5000000000ll + t);
	unsigned long long uwide = 18000000000000000000ull + t;
	float real = 1.5f * t;
	double fine = scale * t;
	Color color = t == 3 ? green : red;
	Kind kind = t == 3 ? Kind::some : Kind::none;
	int grid[2][3] = {{1, 2, t}, {4, 5, 6}};
	Word both;
	both.f = 2.0f;
	const Node &ref = given;
	int *place = &grid[1][0];
	char text[8] = {'h', 'i', 0};
	printf("yes=%s\nletter=%d '%c'\nbyte=%d '\\xfd'\n", yes ? "true" : "false", letter, letter, byte);
	printf("small=%d '\\xfd'\n", small);
	printf("half=%d\nuhalf=%d\nword=%d\nuword=%u\n", half, uhalf, word, uword);
	printf("wide=%lld\nuwide=%llu\nreal=%g\nfine=%g\n", wide, uwide, real, fine);
	printf("color=%s\nkind=%s\n", color == green ? "green" : "?", kind == Kind::some ? "some" : "?");
	printf("grid={{%d, %d, %d}, {%d, %d, %d}}\n", grid[0][0], grid[0][1], grid[0][2], place[0], place[1], place[2]);
	printf("both={i = %d, f = %g}\n", both.i, both.f);
	printf("ref.x=%d\nref.weight[1]=%g\nref.bits={low = %d, high = %d}\n", ref.x, ref.weight[1], ref.bits.low, ref.bits.high);
	printf("*place=%d\nplace[2]=%d\ntable[1]=%d\nscale=%g\ntext=\"%c%c\"\n", *place, place[2], table[1], scale, text[0], text[1]);
	given.x = word; // here
}

int main()
{
	Node n;
	n.x = -4, n.y = 9, n.weight[0] = 0.5f, n.weight[1] = 2.25f, n.next = 0, n.bits.low = 6, n.bits.high = -3;
	types<<<1, 1>>>(3, n);
	return cudaThreadSynchronize() != cudaSuccess;
}
