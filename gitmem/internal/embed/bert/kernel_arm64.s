#include "textflag.h"

// Instructions that the assembler does not know, by the numbers of their registers: the
// operands and the result. SDOT adds to each of 4 sums 4 weights of n times the 4 values of m
// that start at 4i; FMINV and FMAXV are the least and the largest of the 4 numbers of n; FCVTZU
// cuts 4 numbers to whole ones, at least 0.
#define SDOT(m, i, n, d) WORD $(0x4F80E000 | (i&1)<<21 | m<<16 | (i>>1)<<11 | n<<5 | (d))
#define FMUL(m, n, d) WORD $(0x6E20DC00 | m<<16 | n<<5 | d)
#define FADD(m, n, d) WORD $(0x4E20D400 | m<<16 | n<<5 | d)
#define FMIN(m, n, d) WORD $(0x4EA0F400 | m<<16 | n<<5 | d)
#define FMAX(m, n, d) WORD $(0x4E20F400 | m<<16 | n<<5 | d)
#define FMINV(n, d) WORD $(0x6EB0F800 | n<<5 | d)
#define FMAXV(n, d) WORD $(0x6E30F800 | n<<5 | d)
#define FCVTZU(n, d) WORD $(0x6EA1B800 | n<<5 | d)

// ROW is four inputs of one row times 16 columns, whose sums are the registers from d on.
#define ROW(m, i, d) SDOT(m, i, 4, d); SDOT(m, i, 5, d+1); SDOT(m, i, 6, d+2); SDOT(m, i, 7, d+3)

// STEP is four inputs of four rows: the i-th four of those that V0 to V3 hold.
#define STEP(i) \
	VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16] \
	ROW(0, i, 16) \
	ROW(1, i, 20) \
	ROW(2, i, 24) \
	ROW(3, i, 28)

// LOAD reads 16 values of a row and makes them signed: it takes 128 from each.
#define LOAD(from, v) VLD1.P 16(from), [v]; VEOR V8.B16, v, v

// START puts 128 times the sums of the weights of four columns into the sums of each row.
#define START(a, b, c, d) VSHL $7, a.S4, a.S4; VMOV a.B16, b.B16; VMOV a.B16, c.B16; VMOV a.B16, d.B16

// func multiplyNEON(sums *int32, values, weights *byte, sum *int32, in int)
// V16 to V31 are the sums: four rows of four registers, each 4 columns.
TEXT ·multiplyNEON(SB), NOSPLIT, $0-40
	MOVD sums+0(FP), R0
	MOVD values+8(FP), R1
	MOVD weights+16(FP), R2
	MOVD sum+24(FP), R3
	MOVD in+32(FP), R4
	ADD  R4, R1, R5
	ADD  R4, R5, R6
	ADD  R4, R6, R7
	VLD1 (R3), [V16.S4, V17.S4, V18.S4, V19.S4]
	START(V16, V20, V24, V28)
	START(V17, V21, V25, V29)
	START(V18, V22, V26, V30)
	START(V19, V23, V27, V31)
	VMOVI $0x80, V8.B16
inputs:
	LOAD(R1, V0.B16)
	LOAD(R5, V1.B16)
	LOAD(R6, V2.B16)
	LOAD(R7, V3.B16)
	STEP(0)
	STEP(1)
	STEP(2)
	STEP(3)
	SUBS $16, R4
	BNE  inputs
	MOVD $256, R8            // bytes of a row of sums
	VST1.P [V16.S4, V17.S4, V18.S4, V19.S4], (R0)(R8)
	VST1.P [V20.S4, V21.S4, V22.S4, V23.S4], (R0)(R8)
	VST1.P [V24.S4, V25.S4, V26.S4, V27.S4], (R0)(R8)
	VST1 [V28.S4, V29.S4, V30.S4, V31.S4], (R0)
	RET

// func rowTimesNEON(out *float32, columns int, row *float32, rows int, matrix *float32, stride int)
// Products are added without rounding in between, as compiled Go does on arm64.
TEXT ·rowTimesNEON(SB), NOSPLIT, $0-48
	MOVD out+0(FP), R0
	MOVD columns+8(FP), R1
	MOVD row+16(FP), R2
	MOVD rows+24(FP), R3
	MOVD matrix+32(FP), R4
	MOVD stride+40(FP), R5
	LSL  $2, R5
columns16:
	MOVD R2, R6
	MOVD R3, R7
	MOVD R4, R8
	VMOVI $0, V0.B16; VMOVI $0, V1.B16; VMOVI $0, V2.B16; VMOVI $0, V3.B16
rows:
	VLD1R.P 4(R6), [V8.S4]
	VLD1.P (R8)(R5), [V16.S4, V17.S4, V18.S4, V19.S4]
	VFMLA V8.S4, V16.S4, V0.S4
	VFMLA V8.S4, V17.S4, V1.S4
	VFMLA V8.S4, V18.S4, V2.S4
	VFMLA V8.S4, V19.S4, V3.S4
	SUBS $1, R7
	BNE  rows
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0)
	ADD  $64, R4
	SUBS $16, R1
	BNE  columns16
	RET

// func boundsNEON(x *float32, n int) (low, high float32)
TEXT ·boundsNEON(SB), NOSPLIT, $0-24
	MOVD x+0(FP), R0
	MOVD n+8(FP), R1
	VMOVI $0, V0.B16; VMOVI $0, V1.B16
loop:
	VLD1.P 64(R0), [V4.S4, V5.S4, V6.S4, V7.S4]
	FMIN(4, 0, 0); FMIN(5, 0, 0); FMIN(6, 0, 0); FMIN(7, 0, 0)
	FMAX(4, 1, 1); FMAX(5, 1, 1); FMAX(6, 1, 1); FMAX(7, 1, 1)
	SUBS $16, R1
	BNE  loop
	FMINV(0, 0)
	FMAXV(1, 1)
	FMOVS F0, low+16(FP)
	FMOVS F1, high+20(FP)
	RET

// BYTES turns four numbers into whole ones up to 255.
#define BYTES(n) FMUL(0, n, n); FADD(1, n, n); FMIN(2, n, n); FCVTZU(n, n)

// func quantiseNEON(out *byte, x *float32, n int, by, add float32)
TEXT ·quantiseNEON(SB), NOSPLIT, $0-32
	MOVD out+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R2
	FMOVS $255.0, F2
	VDUP V2.S[0], V2.S4
	FMOVS by+24(FP), F0
	VDUP V0.S[0], V0.S4
	FMOVS add+28(FP), F1
	VDUP V1.S[0], V1.S4
loop:
	VLD1.P 64(R1), [V4.S4, V5.S4, V6.S4, V7.S4]
	BYTES(4)
	BYTES(5)
	BYTES(6)
	BYTES(7)
	VUZP1 V5.H8, V4.H8, V4.H8
	VUZP1 V7.H8, V6.H8, V6.H8
	VUZP1 V6.B16, V4.B16, V4.B16
	VST1.P [V4.B16], 16(R0)
	SUBS $16, R2
	BNE  loop
	RET
