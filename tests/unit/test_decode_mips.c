/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decode_mips(): known answers in both byte orders and both encodings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mips_alpha_text.h"
#include "code/decode/decode.h"

#define PC 0x400100u

struct row {
	u32 word;
	const char *source;	/* for an assembler */
	const char *expected;	/* as insn_text() writes it */
};

struct row16 {
	u32 code;	/* of four bytes: first halfword in the high half */
	unsigned size;
	const char *source;
	const char *expected;
};

static const struct row rows[] = {
	{0x00851021, "addu $2,$4,$5", "alu dst=r2 src=r4,r5"},
	{0x00051021, "addu $2,$0,$5", "alu dst=r2 src=r5"},
	{0x00850021, "addu $0,$4,$5", "nop"},
	{0x27bdffe0, "addiu $29,$29,-32", "alu dst=r29 src=r29"},
	{0x24800001, "addiu $0,$4,1", "nop"},
	{0x21280005, "addi $8,$9,5", "alu dst=r8 src=r9"},
	{0x00851822, "sub $3,$4,$5", "alu dst=r3 src=r4,r5"},
	{0x00841823, "subu $3,$4,$4", "alu dst=r3 src=r4"},
	{0x00851824, "and $3,$4,$5", "alu dst=r3 src=r4,r5"},
	{0x0080f825, "or $31,$4,$0", "alu dst=r31 src=r4"},
	{0x00850025, "or $0,$4,$5", "nop"},
	{0x00851826, "xor $3,$4,$5", "alu dst=r3 src=r4,r5"},
	{0x00801827, "nor $3,$4,$0", "alu dst=r3 src=r4"},
	{0x0085182a, "slt $3,$4,$5", "alu dst=r3 src=r4,r5"},
	{0x0005182b, "sltu $3,$0,$5", "alu dst=r3 src=r5"},
	{0x28830007, "slti $3,$4,7", "alu dst=r3 src=r4"},
	{0x2c830001, "sltiu $3,$4,1", "alu dst=r3 src=r4"},
	{0x308300ff, "andi $3,$4,255", "alu dst=r3 src=r4"},
	{0x340300ff, "ori $3,$0,255", "alu dst=r3"},
	{0x38830001, "xori $3,$4,1", "alu dst=r3 src=r4"},
	{0x3c1c1234, "lui $28,0x1234", "alu dst=r28"},
	{0x3c000001, "lui $0,1", "nop"},
	{0x00000000, "nop", "nop"},
	{0x00000040, "ssnop", "nop"},
	{0x000000c0, "ehb", "nop"},
	{0x00031100, "sll $2,$3,4", "shift dst=r2 src=r3"},
	{0x00031102, "srl $2,$3,4", "shift dst=r2 src=r3"},
	{0x00231102, "rotr $2,$3,4", "shift dst=r2 src=r3"},
	{0x000317c3, "sra $2,$3,31", "shift dst=r2 src=r3"},
	{0x00831004, "sllv $2,$3,$4", "shift dst=r2 src=r3,r4"},
	{0x00831006, "srlv $2,$3,$4", "shift dst=r2 src=r3,r4"},
	{0x00831046, "rotrv $2,$3,$4", "shift dst=r2 src=r3,r4"},
	{0x00830007, "srav $0,$3,$4", "nop"},
	{0x0064100a, "movz $2,$3,$4", "cmov dst=r2 src=r2,r3,r4"},
	{0x0064100b, "movn $2,$3,$4", "cmov dst=r2 src=r2,r3,r4"},
	{0x0064000a, "movz $0,$3,$4", "nop"},
	{0x00601001, "movf $2,$3,$fcc0", "cmov dst=r2 src=r2,r3,flags"},
	{0x00651001, "movt $2,$3,$fcc1", "cmov dst=r2 src=r2,r3,flags"},
	{0x00850018, "mult $4,$5", "mult dst=ac0 src=r4,r5"},
	{0x00850019, "multu $4,$5", "mult dst=ac0 src=r4,r5"},
	{0x00851018, "mult $ac2,$4,$5", "mult dsp dst=ac2 src=r4,r5"},
	{0x70850000, "madd $4,$5", "mult dst=ac0 src=ac0,r4,r5"},
	{0x70850801, "maddu $ac1,$4,$5", "mult dsp dst=ac1 src=ac1,r4,r5"},
	{0x70850004, "msub $4,$5", "mult dst=ac0 src=ac0,r4,r5"},
	{0x70851805, "msubu $ac3,$4,$5", "mult dsp dst=ac3 src=ac3,r4,r5"},
	{0x70851002, "mul $2,$4,$5", "mul dst=r2 src=r4,r5"},
	{0x0085001a, "div $0,$4,$5", "div dst=ac0 src=r4,r5"},
	{0x0085001b, "divu $0,$4,$5", "div dst=ac0 src=r4,r5"},
	{0x00001010, "mfhi $2", "mfhilo dst=r2 src=ac0"},
	{0x00001012, "mflo $2", "mfhilo dst=r2 src=ac0"},
	{0x00201012, "mflo $2,$ac1", "mfhilo dsp dst=r2 src=ac1"},
	{0x00000010, "mfhi $0", "nop"},
	{0x00400011, "mthi $2", "mthilo dst=ac0 src=r2"},
	{0x00401813, "mtlo $2,$ac3", "mthilo dsp dst=ac3 src=r2"},
	{0x70621020, "clz $2,$3", "alu dst=r2 src=r3"},
	{0x70621021, "clo $2,$3", "alu dst=r2 src=r3"},
	{0x7c622100, "ext $2,$3,4,5", "alu dst=r2 src=r3"},
	{0x7c624104, "ins $2,$3,4,5", "alu dst=r2 src=r2,r3"},
	{0x7c031420, "seb $2,$3", "alu dst=r2 src=r3"},
	{0x7c031620, "seh $2,$3", "alu dst=r2 src=r3"},
	{0x7c0310a0, "wsbh $2,$3", "alu dst=r2 src=r3"},
	{0x8c820000, "lw $2,0($4)", "alu L4 dst=r2 loaded addr=r4"},
	{0x8c800000, "lw $0,0($4)", "alu L4 addr=r4"},
	{0x8c020010, "lw $2,16($0)", "alu L4 dst=r2 loaded"},
	{0x87a20002, "lh $2,2($29)", "alu L2 dst=r2 loaded addr=r29"},
	{0x97a20002, "lhu $2,2($29)", "alu L2 dst=r2 loaded addr=r29"},
	{0x80420001, "lb $2,1($2)", "alu L1 dst=r2 loaded addr=r2"},
	{0x90620001, "lbu $2,1($3)", "alu L1 dst=r2 loaded addr=r3"},
	{0x88820003, "lwl $2,3($4)", "alu L? dst=r2 loaded src=r2 addr=r4"},
	{0x98820000, "lwr $2,0($4)", "alu L? dst=r2 loaded src=r2 addr=r4"},
	{0xac820000, "sw $2,0($4)", "alu S4 addr=r4 data=r2"},
	{0xac800000, "sw $0,0($4)", "alu S4 addr=r4"},
	{0xa4820002, "sh $2,2($4)", "alu S2 addr=r4 data=r2"},
	{0xa0820002, "sb $2,2($4)", "alu S1 addr=r4 data=r2"},
	{0xa8820003, "swl $2,3($4)", "alu S? addr=r4 data=r2"},
	{0xb8820000, "swr $2,0($4)", "alu S? addr=r4 data=r2"},
	{0xc0820000, "ll $2,0($4)", "alu ll L4 dst=r2 loaded addr=r4"},
	{0xe0820000, "sc $2,0($4)", "alu sc S? dst=r2 addr=r4 data=r2"},
	{0xcc800020, "pref 0,32($4)", "prefetch addr=r4"},
	{0x049f0000, "synci 0($4)", "sync addr=r4"},
	{0x0000000f, "sync", "sync barrier drains"},
	{0x1043ffff, "beq $2,$3,.", "alu cond src=r2,r3"},
	{0x1000ffff, "beq $0,$0,.", "alu cond"},
	{0x1440ffff, "bne $2,$0,.", "alu cond src=r2"},
	{0x1840ffff, "blez $2,.", "alu cond src=r2"},
	{0x1c40ffff, "bgtz $2,.", "alu cond src=r2"},
	{0x0440ffff, "bltz $2,.", "alu cond src=r2"},
	{0x0441ffff, "bgez $2,.", "alu cond src=r2"},
	{0x5043ffff, "beql $2,$3,.", "alu cond likely src=r2,r3"},
	{0x5443ffff, "bnel $2,$3,.", "alu cond likely src=r2,r3"},
	{0x5840ffff, "blezl $2,.", "alu cond likely src=r2"},
	{0x5c40ffff, "bgtzl $2,.", "alu cond likely src=r2"},
	{0x0442ffff, "bltzl $2,.", "alu cond likely src=r2"},
	{0x0443ffff, "bgezl $2,.", "alu cond likely src=r2"},
	{0x0411ffff, "bal .", "alu call dst=r31"},
	{0x0451ffff, "bgezal $2,.", "alu cond_call dst=r31 src=r2"},
	{0x0450ffff, "bltzal $2,.", "alu cond_call dst=r31 src=r2"},
	{0x0453ffff, "bgezall $2,.", "alu cond_call likely dst=r31 src=r2"},
	{0x0410ffff, "bltzal $0,.", "alu cond_call dst=r31"},
	{0x08000100, "j 0x400", "alu jump"},
	{0x0c000100, "jal 0x400", "alu call dst=r31"},
	{0x74100053, "word 0x74100053", "alu call dst=r31"},
	{0x03e00008, "jr $31", "alu return src=r31"},
	{0x03e00408, "jr.hb $31", "alu return src=r31"},
	{0x03200008, "jr $25", "alu ind_jump src=r25"},
	{0x0320f809, "jalr $25", "alu ind_call dst=r31 src=r25"},
	{0x03201009, "jalr $2,$25", "alu ind_call dst=r2 src=r25"},
	{0x0320fc09, "jalr.hb $25", "alu ind_call dst=r31 src=r25"},
	{0x03200009, "word 0x03200009", "alu ind_jump src=r25"},
	{0x03e00009, "word 0x03e00009", "alu return src=r31"},
	{0x0000000c, "syscall", "syscall"},
	{0x0007000d, "break 7", "syscall"},
	{0x7000003f, "sdbbp", "syscall"},
	{0x004001f4, "teq $2,$0,7", "alu src=r2"},
	{0x00430036, "tne $2,$3", "alu src=r2,r3"},
	{0x04480005, "tgei $2,5", "alu src=r2"},
	{0x7c03e83b, "rdhwr $3,$29", "sysreg dst=r3"},
	{0x40036000, "mfc0 $3,$12", "sysreg dst=r3"},
	{0x40836000, "mtc0 $3,$12", "sysreg src=r3"},
	{0x41606020, "ei", "sysreg"},
	{0x42000018, "eret", "sysreg"},
	{0xbc800000, "cache 0,0($4)", "sysreg addr=r4"},
	{0x7c641008, "fork $2,$3,$4", "alu fork src=r3,r4"},
	{0x7c601009, "yield $2,$3", "alu yield dst=r2 src=r3"},
	{0x7c600009, "yield $3", "alu yield src=r3"},
	{0x46041000, "add.s $f0,$f2,$f4", "fadd fp dst=f0 src=f2,f4"},
	{0x46241000, "add.d $f0,$f2,$f4", "fadd fp dst=f0 src=f2,f4"},
	{0x4634a501, "sub.d $f20,$f20,$f20", "fadd fp dst=f20 src=f20"},
	{0x46031042, "mul.s $f1,$f2,$f3", "fmul fp dst=f1 src=f2,f3"},
	{0x46241002, "mul.d $f0,$f2,$f4", "fmul_d fp dst=f0 src=f2,f4"},
	{0x46041003, "div.s $f0,$f2,$f4", "fdiv fp dst=f0 src=f2,f4"},
	{0x46241003, "div.d $f0,$f2,$f4", "fdiv_d fp dst=f0 src=f2,f4"},
	{0x46001004, "sqrt.s $f0,$f2", "fsqrt fp dst=f0 src=f2"},
	{0x46201004, "sqrt.d $f0,$f2", "fsqrt_d fp dst=f0 src=f2"},
	{0x46001015, "recip.s $f0,$f2", "fdiv fp dst=f0 src=f2"},
	{0x46201016, "rsqrt.d $f0,$f2", "fsqrt_d fp dst=f0 src=f2"},
	{0x46201005, "abs.d $f0,$f2", "fmove fp dst=f0 src=f2"},
	{0x46001006, "mov.s $f0,$f2", "fmove fp dst=f0 src=f2"},
	{0x46201007, "neg.d $f0,$f2", "fmove fp dst=f0 src=f2"},
	{0x46241012, "movz.d $f0,$f2,$4", "fcmov fp dst=f0 src=f0,f2,r4"},
	{0x46011011, "movt.s $f0,$f2,$fcc0", "fcmov fp dst=f0 src=f0,f2,flags"},
	{0x4620100d, "trunc.w.d $f0,$f2", "fcvt fp dst=f0 src=f2"},
	{0x46801021, "cvt.d.w $f0,$f2", "fcvt fp dst=f0 src=f2"},
	{0x46a01020, "cvt.s.l $f0,$f2", "fcvt fp dst=f0 src=f2"},
	{0x46201020, "cvt.s.d $f0,$f2", "fcvt fp dst=f0 src=f2"},
	{0x46001024, "cvt.w.s $f0,$f2", "fcvt fp dst=f0 src=f2"},
	{0x4624103c, "c.lt.d $f2,$f4", "fcmp fp dst=flags src=f2,f4"},
	{0x46041232, "c.eq.s $fcc2,$f2,$f4", "fcmp fp dst=flags src=f2,f4"},
	{0x4501ffff, "bc1t .", "alu cond src=flags"},
	{0x4502ffff, "bc1fl .", "alu cond likely src=flags"},
	{0x44022000, "mfc1 $2,$f4", "ftransfer fp dst=r2 src=f4"},
	{0x44822000, "mtc1 $2,$f4", "ftransfer fp dst=f4 src=r2"},
	{0x44802000, "mtc1 $0,$f4", "ftransfer fp dst=f4"},
	{0x44622000, "mfhc1 $2,$f4", "ftransfer fp dst=r2 src=f4"},
	{0x44e22000, "mthc1 $2,$f4", "ftransfer fp dst=f4 src=f4,r2"},
	{0x4442f800, "cfc1 $2,$31", "ftransfer fp dst=r2 src=flags"},
	{0x44c2f800, "ctc1 $2,$31", "ftransfer fp dst=flags src=r2"},
	{0xc4800000, "lwc1 $f0,0($4)", "alu fp L4 dst=f0 loaded addr=r4"},
	{0xd4800000, "ldc1 $f0,0($4)", "alu fp L8 dst=f0 loaded addr=r4"},
	{0xe4800000, "swc1 $f0,0($4)", "alu fp S4 addr=r4 data=f0"},
	{0xf4800000, "sdc1 $f0,0($4)", "alu fp S8 addr=r4 data=f0"},
	{0x4c850000, "lwxc1 $f0,$5($4)", "alu fp L4 dst=f0 loaded addr=r4,r5"},
	{0x4c850001, "ldxc1 $f0,$5($4)", "alu fp L8 dst=f0 loaded addr=r4,r5"},
	{0x4c850008, "swxc1 $f0,$5($4)", "alu fp S4 addr=r4,r5 data=f0"},
	{0x4c85000d, "suxc1 $f0,$5($4)", "alu fp S8 addr=r4,r5 data=f0"},
	{0x4c85000f, "prefx 0,$5($4)", "prefetch addr=r4,r5"},
	{0x4c462021, "madd.d $f0,$f2,$f4,$f6", "fmadd fp dst=f0 src=f2,f4,f6"},
	{0x4c462038, "nmsub.s $f0,$f2,$f4,$f6", "fmadd fp dst=f0 src=f2,f4,f6"},
	{0x7c85100a, "lwx $2,$5($4)", "alu dsp L4 dst=r2 loaded addr=r4,r5"},
	{0x7c85110a, "lhx $2,$5($4)", "alu dsp L2 dst=r2 loaded addr=r4,r5"},
	{0x7c85118a, "lbux $2,$5($4)", "alu dsp L1 dst=r2 loaded addr=r4,r5"},
	{0x7c641390, "addq_s.ph $2,$3,$4", "simd dsp dst=r2,flags src=r3,r4"},
	{0x7c641450, "addwc $2,$3,$4", "simd dsp dst=r2,flags src=r3,r4,flags"},
	{0x7c641490, "modsub $2,$3,$4", "simd dsp dst=r2 src=r3,r4"},
	{0x7c601510, "raddu.w.qb $2,$3", "simd dsp dst=r2 src=r3"},
	{0x7c600510, "raddu.w.qb $0,$3", "nop dsp"},
	{0x7c640011, "cmpu.eq.qb $3,$4", "simd dsp dst=flags src=r3,r4"},
	{0x7c6410d1, "pick.qb $2,$3,$4", "simd dsp dst=r2 src=r3,r4,flags"},
	{0x7c051092, "repl.qb $2,5", "simd dsp dst=r2"},
	{0x7c831093, "shllv.qb $2,$3,$4", "simd dsp dst=r2,flags src=r3,r4"},
	{0x7c641710, "muleq_s.w.phl $2,$3,$4",
	 "mul dsp dst=r2,flags src=r3,r4"},
	{0x7c6408f0, "dpau.h.qbl $ac1,$3,$4", "mult dsp dst=ac1 src=ac1,r3,r4"},
	{0x7c640130, "dpaq_s.w.ph $ac0,$3,$4",
	 "mult dsp dst=ac0,flags src=ac0,r3,r4"},
	{0x7c641db0, "maq_s.w.phr $ac3,$3,$4",
	 "mult dsp dst=ac3,flags src=ac3,r3,r4"},
	{0x7c620838, "extr.w $2,$ac1,3", "mfhilo dsp dst=r2,flags src=ac1"},
	{0x7c6202f8, "extpdpv $2,$ac0,$3",
	 "mfhilo dsp dst=r2,flags src=ac0,r3,flags"},
	{0x7c300eb8, "shilo $ac1,3", "mthilo dsp dst=ac1 src=ac1"},
	{0x7c600ff8, "mthlip $3,$ac1",
	 "mthilo dsp dst=ac1,flags src=ac1,r3,flags"},
	{0x7c62000c, "insv $2,$3", "simd dsp dst=r2 src=r2,r3,flags"},
	{0x7fff14b8, "rddsp $2", "simd dsp dst=r2 src=flags"},
	{0x7c5ffcf8, "wrdsp $2", "simd dsp dst=flags src=r2"},
	{0x7c0316d2, "bitrev $2,$3", "simd dsp dst=r2 src=r3"},
	{0x041cffff, "bposge32 .", "alu cond dsp src=flags"},
	{0x60000000, "word 0x60000000", "alu unknown"},
	{0x0000003f, "word 0x0000003f", "alu unknown"},
	{0x48000000, "word 0x48000000", "alu unknown"},
};

static const struct row16 rows16[] = {
	{0x0204, 2, "addiu $2,$29,16", "alu mips16 dst=r2 src=r29"},
	{0x0a29, 2, "la $2,1f", "alu mips16 dst=r2"},
	{0x17ff, 2, "b .", "alu cond mips16"},
	{0xf03f100e, 4, "b .-4000", "alu cond mips16"},
	{0x24ff, 2, "beqz $4,.", "alu cond mips16 src=r4"},
	{0x29ff, 2, "bnez $17,.", "alu cond mips16 src=r17"},
	{0x60ff, 2, "bteqz .", "alu cond mips16 src=r24"},
	{0xf61f610a, 4, "btnez .-1000", "alu cond mips16 src=r24"},
	{0x18000100, 4, "jal 0x400", "alu call mips16 dst=r31"},
	{0x1c000100, 4, "jalx 0x400", "alu call mips16 dst=r31"},
	{0x3270, 2, "sll $2,$3,4", "shift mips16 dst=r2 src=r3"},
	{0xf5003262, 4, "srl $2,$3,20", "shift mips16 dst=r2 src=r3"},
	{0x302f, 2, "sra $16,$17,3", "shift mips16 dst=r16 src=r17"},
	{0x4344, 2, "addiu $2,$3,4", "alu mips16 dst=r2 src=r3"},
	{0xf3824348, 4, "addiu $2,$3,5000", "alu mips16 dst=r2 src=r3"},
	{0x4d07, 2, "addiu $5,7", "alu mips16 dst=r5 src=r5"},
	{0x63f8, 2, "addiu $29,-64", "alu mips16 dst=r29 src=r29"},
	{0x5409, 2, "slti $4,9", "alu mips16 dst=r24 src=r4"},
	{0xf3245c08, 4, "sltiu $4,9000", "alu mips16 dst=r24 src=r4"},
	{0x7409, 2, "cmpi $4,9", "alu mips16 dst=r24 src=r4"},
	{0x684d, 2, "li $16,77", "alu mips16 dst=r16"},
	{0xf52e6a10, 4, "li $2,30000", "alu mips16 dst=r2"},
	{0x9201, 2, "lw $2,4($29)", "alu mips16 L4 dst=r2 loaded addr=r29"},
	{0xb21a, 2, "lw $2,1f", "alu mips16 L4 dst=r2 loaded"},
	{0x9821, 2, "lw $17,4($16)", "alu mips16 L4 dst=r17 loaded addr=r16"},
	{0xf7a19840, 4, "lw $2,4000($16)",
	 "alu mips16 L4 dst=r2 loaded addr=r16"},
	{0x8341, 2, "lb $2,1($3)", "alu mips16 L1 dst=r2 loaded addr=r3"},
	{0xa341, 2, "lbu $2,1($3)", "alu mips16 L1 dst=r2 loaded addr=r3"},
	{0x8b41, 2, "lh $2,2($3)", "alu mips16 L2 dst=r2 loaded addr=r3"},
	{0xab41, 2, "lhu $2,2($3)", "alu mips16 L2 dst=r2 loaded addr=r3"},
	{0xd201, 2, "sw $2,4($29)", "alu mips16 S4 addr=r29 data=r2"},
	{0x6201, 2, "sw $31,4($29)", "alu mips16 S4 addr=r29 data=r31"},
	{0xdb41, 2, "sw $2,4($3)", "alu mips16 S4 addr=r3 data=r2"},
	{0xc344, 2, "sb $2,4($3)", "alu mips16 S1 addr=r3 data=r2"},
	{0xcb42, 2, "sh $2,4($3)", "alu mips16 S2 addr=r3 data=r2"},
	{0x675f, 2, "move $2,$31", "alu mips16 dst=r2 src=r31"},
	{0x653c, 2, "move $25,$4", "alu mips16 dst=r25 src=r4"},
	{0x6500, 2, "nop", "nop mips16"},
	{0xe389, 2, "addu $2,$3,$4", "alu mips16 dst=r2 src=r3,r4"},
	{0xe30b, 2, "subu $2,$3,$16", "alu mips16 dst=r2 src=r3,r16"},
	{0xea62, 2, "slt $2,$3", "alu mips16 dst=r24 src=r2,r3"},
	{0xea6a, 2, "cmp $2,$3", "alu mips16 dst=r24 src=r2,r3"},
	{0xeb44, 2, "sllv $2,$3", "shift mips16 dst=r2 src=r2,r3"},
	{0xea6b, 2, "neg $2,$3", "alu mips16 dst=r2 src=r3"},
	{0xea6c, 2, "and $2,$3", "alu mips16 dst=r2 src=r2,r3"},
	{0xea6e, 2, "xor $2,$3", "alu mips16 dst=r2 src=r2,r3"},
	{0xea6f, 2, "not $2,$3", "alu mips16 dst=r2 src=r3"},
	{0xea10, 2, "mfhi $2", "mfhilo mips16 dst=r2 src=ac0"},
	{0xea12, 2, "mflo $2", "mfhilo mips16 dst=r2 src=ac0"},
	{0xea78, 2, "mult $2,$3", "mult mips16 dst=ac0 src=r2,r3"},
	{0xea7b, 2, "divu $0,$2,$3", "div mips16 dst=ac0 src=r2,r3"},
	{0xea11, 2, "zeb $2", "alu mips16 dst=r2 src=r2"},
	{0xe8b1, 2, "seh $16", "alu mips16 dst=r16 src=r16"},
	{0xe820, 2, "jr $31", "alu return mips16 src=r31"},
	{0xe8a0, 2, "jrc $31", "alu return mips16 src=r31"},
	{0xea00, 2, "jr $2", "alu ind_jump mips16 src=r2"},
	{0xea80, 2, "jrc $2", "alu ind_jump mips16 src=r2"},
	{0xea40, 2, "jalr $31,$2", "alu ind_call mips16 dst=r31 src=r2"},
	{0xeac0, 2, "jalrc $31,$2", "alu ind_call mips16 dst=r31 src=r2"},
	{0xe805, 2, "break 0", "syscall mips16"},
	{0xe801, 2, "sdbbp", "syscall mips16"},
	{0x64c4, 2, "save 32,$31", "alu mips16 S4 dst=r29 addr=r29 data=r31"},
	{0x64f8, 2, "save 64,$31,$16,$17",
	 "alu mips16 S4*3 dst=r29 src=r17,r16 addr=r29 data=r31"},
	{0x6478, 2, "restore 64,$31,$16,$17",
	 "alu mips16 L4*3 dst=r31,r17,r16,r29 loaded addr=r29"},
	{0xf00864f8, 4, "save $4-$5,64,$31,$16,$17",
	 "alu mips16 S4*5 dst=r29 src=r5,r31,r17,r16 addr=r29 data=r4"},
	{0xf10064c8, 4, "save 64,$31,$18",
	 "alu mips16 S4*2 dst=r29 src=r18 addr=r29 data=r31"},
	{0xf7106470, 4, "restore 128,$31,$16,$17,$18-$23,$30",
	 "alu mips16 L4*10 dst=r31,r30,r23,r29 loaded addr=r29"},
	{0x6408, 2, "restore 64", "alu mips16 dst=r29 addr=r29"},
	{0xf8006500, 4, "i64", "alu mips16 unknown"},
};

static void
put_halfword(u8 *at, unsigned value, bool big_endian)
{
	at[!big_endian] = (u8)(value >> 8);
	at[big_endian] = (u8)value;
}

/* A word has its high half first in memory if the target is big-endian. */
static void
put_word(u8 *at, u32 word, bool big_endian)
{
	put_halfword(at, big_endian ? word >> 16 : word & 0xffff, big_endian);
	put_halfword(at + 2, big_endian ? word & 0xffff : word >> 16,
		     big_endian);
}

/* Returns whether it is as expected; says what is not. */
static bool
check(const struct insn *in, unsigned size, const char *source,
      const char *expected)
{
	char text[INSN_TEXT_MAX];

	insn_text(in, text);
	if (!strcmp(text, expected) && in->pc == PC && in->size == size)
		return true;
	print_error("%s: got \"%s\", expected \"%s\"\n", source, text,
		    expected);
	return false;
}

static unsigned
check_words(bool big_endian)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < SIM_COUNT(rows); i++) {
		struct insn in;
		u8 bytes[4];

		put_word(bytes, rows[i].word, big_endian);
		decode_mips(&in, PC, bytes, 4, big_endian, false);
		wrong += !check(&in, 4, rows[i].source, rows[i].expected);
	}
	return wrong;
}

/* MIPS16e is a stream of halfwords: the first one comes first. */
static unsigned
check_mips16(bool big_endian)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < SIM_COUNT(rows16); i++) {
		const struct row16 *r = &rows16[i];
		unsigned first = r->size == 4 ? r->code >> 16 : r->code;
		struct insn in;
		u8 bytes[4];

		put_halfword(bytes, first & 0xffff, big_endian);
		put_halfword(bytes + 2, r->code & 0xffff, big_endian);
		decode_mips(&in, PC, bytes, r->size, big_endian, true);
		wrong += !check(&in, r->size, r->source, r->expected);
	}
	return wrong;
}

static void
test_little_endian(void **state)
{
	(void)state;
	assert_int_equal(check_words(false), 0);
}

static void
test_big_endian(void **state)
{
	(void)state;
	assert_int_equal(check_words(true), 0);
}

static void
test_mips16_little_endian(void **state)
{
	(void)state;
	assert_int_equal(check_mips16(false), 0);
}

static void
test_mips16_big_endian(void **state)
{
	(void)state;
	assert_int_equal(check_mips16(true), 0);
}

/* The 16-bit mode is the caller's word, the size alone does not tell. */
static void
test_halfword_of_32_bit_code(void **state)
{
	const u8 bytes[2] = {0, 0};
	struct insn in;

	(void)state;
	decode_mips(&in, PC, bytes, 2, false, false);
	assert_true(in.flags & INSN_UNKNOWN);
	assert_int_equal(in.cls, CLASS_ALU);
}

static bool
registers_valid(const u8 *list, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (list[i] != REG_NONE &&
		    (list[i] == 0 || list[i] > REG_HILO + 3))
			return false;
	return true;
}

/* What holds for every word: no $0, no register or class out of range. */
static void
check_any(const struct insn *in)
{
	assert_true(registers_valid(in->dst, INSN_DST));
	assert_true(registers_valid(in->src, INSN_SRC));
	assert_true(registers_valid(in->addr, INSN_ADDR));
	assert_true(registers_valid(&in->data, 1));
	assert_in_range(in->cls, 0, CLASS_N - 1);
	assert_true(in->n_load + in->n_store <= 15);
	if (in->dst_loaded)
		assert_true(in->flags & INSN_LOADS &&
			    in->dst[0] != REG_NONE);
	if (in->flags & INSN_UNKNOWN)
		assert_false(in->flags & INSN_MEM_KNOWN);
}

static void
test_any_word(void **state)
{
	u32 random = 0x2545f491;

	(void)state;
	for (unsigned i = 0; i < 400000; i++) {
		struct insn in;
		u8 bytes[4];

		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		put_word(bytes, random, false);
		decode_mips(&in, PC, bytes, 4, false, false);
		check_any(&in);
		decode_mips(&in, PC, bytes, i % 2 ? 2 : 4, false, true);
		check_any(&in);
		put_halfword(bytes, 0xf000 | (random & 0x7ff), false);
		decode_mips(&in, PC, bytes, 4, false, true);
		check_any(&in);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_little_endian),
		cmocka_unit_test(test_big_endian),
		cmocka_unit_test(test_mips16_little_endian),
		cmocka_unit_test(test_mips16_big_endian),
		cmocka_unit_test(test_halfword_of_32_bit_code),
		cmocka_unit_test(test_any_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
