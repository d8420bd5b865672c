#include "textflag.h"

// A step of multiplyVNNI: four inputs of one row times 64 columns.
#define ROW(values, a, b, c, d) \
	VPBROADCASTD values, Z20 \
	VPDPBUSD Z16, Z20, a \
	VPDPBUSD Z17, Z20, b \
	VPDPBUSD Z18, Z20, c \
	VPDPBUSD Z19, Z20, d

#define STORE(at, a, b, c, d) \
	VMOVDQU32 a, (at+0)(DI) \
	VMOVDQU32 b, (at+64)(DI) \
	VMOVDQU32 c, (at+128)(DI) \
	VMOVDQU32 d, (at+192)(DI)

#define ZERO4(a, b, c, d) \
	VPXORQ a, a, a \
	VPXORQ b, b, b \
	VPXORQ c, c, c \
	VPXORQ d, d, d

// func multiplyVNNI(sums *tile, values, weights *byte, in int)
// Z0 to Z15 are the sums: four rows of four registers, each 16 columns.
TEXT ·multiplyVNNI(SB), NOSPLIT, $0-32
	MOVQ sums+0(FP), DI
	MOVQ values+8(FP), SI
	MOVQ weights+16(FP), DX
	MOVQ in+24(FP), CX
	LEAQ (SI)(CX*1), R8
	LEAQ (SI)(CX*2), R9
	LEAQ (R8)(CX*2), R10
	MOVQ CX, AX
	SHLQ $4, AX              // bytes of a block of columns
	LEAQ (DX)(AX*1), R11
	LEAQ (DX)(AX*2), R12
	LEAQ (R11)(AX*2), R13
	ZERO4(Z0, Z1, Z2, Z3)
	ZERO4(Z4, Z5, Z6, Z7)
	ZERO4(Z8, Z9, Z10, Z11)
	ZERO4(Z12, Z13, Z14, Z15)
	XORQ BX, BX              // inputs done; their weights are 16 times as far
	XORQ AX, AX
loop:
	VMOVDQU32 (DX)(AX*1), Z16
	VMOVDQU32 (R11)(AX*1), Z17
	VMOVDQU32 (R12)(AX*1), Z18
	VMOVDQU32 (R13)(AX*1), Z19
	ROW((SI)(BX*1), Z0, Z1, Z2, Z3)
	ROW((R8)(BX*1), Z4, Z5, Z6, Z7)
	ROW((R9)(BX*1), Z8, Z9, Z10, Z11)
	ROW((R10)(BX*1), Z12, Z13, Z14, Z15)
	ADDQ $64, AX
	ADDQ $4, BX
	CMPQ BX, CX
	JLT  loop
	STORE(0, Z0, Z1, Z2, Z3)
	STORE(256, Z4, Z5, Z6, Z7)
	STORE(512, Z8, Z9, Z10, Z11)
	STORE(768, Z12, Z13, Z14, Z15)
	VZEROUPPER
	RET

// A step of dotAVX2: four inputs of two rows times four columns, each in two partial sums.
#define COLUMNS(at, a, b) \
	VPMOVSXBW at(DX), Y10 \
	VPMADDWD Y10, Y8, Y11 \
	VPADDD Y11, a, a \
	VPMADDWD Y10, Y9, Y12 \
	VPADDD Y12, b, b

// JOIN adds the partial sums of eight columns and stores them.
#define JOIN(a, b, at) \
	VPHADDD b, a, a \
	VPERMQ $0xD8, a, a \
	VMOVDQU a, at(DI)

// func dotAVX2(sums *int32, values *int16, weights *byte, in int)
TEXT ·dotAVX2(SB), NOSPLIT, $0-32
	MOVQ sums+0(FP), DI
	MOVQ values+8(FP), SI
	MOVQ weights+16(FP), DX
	MOVQ in+24(FP), CX
	LEAQ (SI)(CX*2), R8
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORQ BX, BX
loop:
	VPBROADCASTQ (SI)(BX*2), Y8
	VPBROADCASTQ (R8)(BX*2), Y9
	COLUMNS(0, Y0, Y4)
	COLUMNS(16, Y1, Y5)
	COLUMNS(32, Y2, Y6)
	COLUMNS(48, Y3, Y7)
	ADDQ $64, DX
	ADDQ $4, BX
	CMPQ BX, CX
	JLT  loop
	JOIN(Y0, Y1, 0)
	JOIN(Y2, Y3, 32)
	JOIN(Y4, Y5, 256)
	JOIN(Y6, Y7, 288)
	VZEROUPPER
	RET

// Products are rounded before they are added, as plain Go does, so that both agree to the last bit.
#define ADDPRODUCT(numbers, sum) \
	VMULPS numbers, Y4, Y5 \
	VADDPS Y5, sum, sum

// func rowTimesAVX2(out *float32, columns int, row *float32, rows int, matrix *float32, stride int)
TEXT ·rowTimesAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ columns+8(FP), DX
	MOVQ row+16(FP), SI
	MOVQ rows+24(FP), CX
	MOVQ matrix+32(FP), R8
	MOVQ stride+40(FP), R9
	SHLQ $2, R9
columns32:
	CMPQ DX, $32
	JLT  columns16
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	MOVQ R8, R10
	XORQ BX, BX
rows32:
	VBROADCASTSS (SI)(BX*4), Y4
	ADDPRODUCT((R10), Y0)
	ADDPRODUCT(32(R10), Y1)
	ADDPRODUCT(64(R10), Y2)
	ADDPRODUCT(96(R10), Y3)
	ADDQ R9, R10
	INCQ BX
	CMPQ BX, CX
	JLT  rows32
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	ADDQ $128, DI
	ADDQ $128, R8
	SUBQ $32, DX
	JMP  columns32
columns16:
	TESTQ DX, DX
	JZ   done
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	XORQ BX, BX
rows16:
	VBROADCASTSS (SI)(BX*4), Y4
	ADDPRODUCT((R8), Y0)
	ADDPRODUCT(32(R8), Y1)
	ADDQ R9, R8
	INCQ BX
	CMPQ BX, CX
	JLT  rows16
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
done:
	VZEROUPPER
	RET

// func boundsAVX2(x *float32, n int) (low, high float32)
TEXT ·boundsAVX2(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	LEAQ (SI)(CX*4), DX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
loop:
	VMOVUPS (SI), Y4
	VMOVUPS 32(SI), Y5
	VMINPS Y4, Y0, Y0
	VMAXPS Y4, Y1, Y1
	VMINPS Y5, Y2, Y2
	VMAXPS Y5, Y3, Y3
	ADDQ $64, SI
	CMPQ SI, DX
	JLT  loop
	VMINPS Y2, Y0, Y0
	VMAXPS Y3, Y1, Y1
	VEXTRACTF128 $1, Y0, X2
	VEXTRACTF128 $1, Y1, X3
	VMINPS X2, X0, X0
	VMAXPS X3, X1, X1
	VPERMILPS $0x4E, X0, X2
	VPERMILPS $0x4E, X1, X3
	VMINPS X2, X0, X0
	VMAXPS X3, X1, X1
	VPERMILPS $0xB1, X0, X2
	VPERMILPS $0xB1, X1, X3
	VMINPS X2, X0, X0
	VMAXPS X3, X1, X1
	VMOVSS X0, low+16(FP)
	VMOVSS X1, high+20(FP)
	VZEROUPPER
	RET

#define NUMBERS(at, y) \
	VMULPS at(SI), Y0, y \
	VADDPS Y1, y, y \
	VCVTTPS2DQ y, y

DATA order<>+0(SB)/8, $0x0000000400000000
DATA order<>+8(SB)/8, $0x0000000500000001
DATA order<>+16(SB)/8, $0x0000000600000002
DATA order<>+24(SB)/8, $0x0000000700000003
GLOBL order<>(SB), RODATA|NOPTR, $32

// func quantiseAVX2(out *byte, x *float32, n int, by, add float32)
TEXT ·quantiseAVX2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSS by+24(FP), Y0
	VBROADCASTSS add+28(FP), Y1
	VMOVDQU order<>(SB), Y6
	ADDQ DI, CX
loop:
	NUMBERS(0, Y2)
	NUMBERS(32, Y3)
	NUMBERS(64, Y4)
	NUMBERS(96, Y5)
	VPACKUSDW Y3, Y2, Y2
	VPACKUSDW Y5, Y4, Y4
	VPACKUSWB Y4, Y2, Y2
	VPERMD Y2, Y6, Y2
	VMOVDQU Y2, (DI)
	ADDQ $128, SI
	ADDQ $32, DI
	CMPQ DI, CX
	JLT  loop
	VZEROUPPER
	RET
