/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target's handlers are entered, and left. */
#include "signals_internal.h"

#include "timers.h"
#include "x86_64/vectors.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RED_ZONE 128
#define VECTORS_ALIGN 64
#define CODE_AND_STACK 0x2b000000000033	/* selectors */
#define CONTEXT_FLAGS 7	/* vectors are extended, the stack's selector is there */

/* Vector registers, as XSAVE has them: the kernel's frame has what the
 * processor has; this one, on every host, what x86-64-v3 has. */
#define FEATURES 7u		/* x87, SSE, AVX */
#define MAGIC1 0x46505853u	/* of the kernel, before what is behind FXSAVE's, */
#define MAGIC2 0x46505845u	/* and behind that */
#define LEGACY_BYTES 416	/* of FXSAVE's registers */
#define MXCSR_VALID 0xffffu

struct vectors {
	u8 legacy[24];
	u32 mxcsr;
	u8 registers[LEGACY_BYTES - 28];
	u8 unused[48];
	u32 magic1, bytes;	/* ... with magic2 */
	u64 kernel_features;
	u32 saved_bytes, reserved[7];
	u64 features, compact, zero[6];
	u8 upper[256];
};

struct saved {
	struct vectors v;
	u32 magic2;
};

/* What is behind that in a structure is not the frame's. */
#define SAVED_BYTES (offsetof(struct saved, magic2) + sizeof(u32))

_Static_assert(offsetof(struct vectors, magic1) == 464 &&
		       offsetof(struct vectors, features) == 512 &&
		       sizeof(struct vectors) == 832,
	       "XSAVE's");

/* What a handler finds, from the return address on; vectors are above. */
struct frame {
	u64 back;
	u64 flags, link;
	stack_t stack;
	u64 gregs[NGREG];
	u64 vectors;		/* address of them */
	u64 reserved[8];
	u64 mask;
	siginfo_t info;
};

/* Vector registers beyond what a frame has stay here. */
static void
keep_vectors(u64 frame)
{
	struct signals *now = signals_now;

	now->kept_last = (now->kept_last + 1) % KEPT;
	if (!now->kept[now->kept_last].vectors)
		now->kept[now->kept_last].vectors =
			process_alloc(vectors_bytes());
	now->kept[now->kept_last].frame = frame;
	if (now->kept[now->kept_last].vectors)
		memcpy(now->kept[now->kept_last].vectors,
		       (void *)(uintptr_t)host_state.vectors,
		       vectors_bytes());
}

static void
restore_kept(u64 frame)
{
	struct signals *now = signals_now;

	/* The last one first: handlers that jumped away have left theirs. */
	for (unsigned n = 0; n < KEPT; n++) {
		unsigned i = (now->kept_last + KEPT - n) % KEPT;

		if (now->kept[i].frame == frame && now->kept[i].vectors) {
			memcpy((void *)(uintptr_t)host_state.vectors,
			       now->kept[i].vectors, vectors_bytes());
			now->kept[i].frame = 0;
			break;
		}
	}
}

/* What the handler has left of them, which may be anything: nothing that XRSTOR
 * refuses.  Without the kernel's words, only FXSAVE's. */
static void
restore_vectors(u64 frame, struct saved *from)
{
	struct vectors *to = (struct vectors *)(uintptr_t)host_state.vectors;

	restore_kept(frame);
	from->v.mxcsr &= MXCSR_VALID;
	memcpy(to, from, LEGACY_BYTES);
	if (from->v.magic1 != MAGIC1 || from->magic2 != MAGIC2) {
		to->features |= FEATURES & ~4u;
		return;
	}
	to->features = (to->features & ~(u64)FEATURES) |
		       (from->v.features & FEATURES);
	memcpy(to->upper, from->v.upper, sizeof to->upper);
}

static void
save_vectors(struct saved *to)
{
	vectors_take(host_state.vectors);
	memcpy(&to->v, (void *)(uintptr_t)host_state.vectors, sizeof to->v);
	memset(to->v.unused, 0, sizeof to->v.unused);
	memset(to->v.reserved, 0, sizeof to->v.reserved);
	memset(to->v.zero, 0, sizeof to->v.zero);
	to->v.compact = 0;
	to->v.features &= FEATURES;
	to->v.magic1 = MAGIC1;
	to->v.bytes = SAVED_BYTES;
	to->v.kernel_features = FEATURES;
	to->v.saved_bytes = sizeof to->v;
	to->magic2 = MAGIC2;
}

/* Where vector registers are put, as the kernel places them. */
static u64
place_of_vectors(const struct action *a)
{
	struct signals *now = signals_now;
	u64 sp = host_state.reg[HOST_RSP] - RED_ZONE;

	if (a->flags & SA_ONSTACK && !(now->alternate.ss_flags & SS_DISABLE) &&
	    !signals_on_alternate())
		sp = (u64)(uintptr_t)now->alternate.ss_sp +
		     now->alternate.ss_size;
	return (sp - SAVED_BYTES) & ~(VECTORS_ALIGN - 1ull);
}

/* The registers, and what of them the fault tells, if it is one. */
static void
fill_context(struct frame *f, u64 pc, const u64 fault[3])
{
	for (unsigned r = 0; r < HOST_REGS; r++)
		f->gregs[signals_place[r]] = host_state.reg[r];
	f->flags = CONTEXT_FLAGS;
	f->gregs[REG_RIP] = pc;
	f->gregs[REG_EFL] = host_state.flags;
	f->gregs[REG_CSGSFS] = CODE_AND_STACK;
	f->gregs[REG_TRAPNO] = fault[0];
	f->gregs[REG_ERR] = fault[1];
	f->gregs[REG_CR2] = fault[2];
}

static u64
enter_handler(const siginfo_t *info, u64 pc, const u64 fault[3])
{
	int sig = info->si_signo;
	struct action *a = &signals_of[sig];
	u64 vectors = place_of_vectors(a), block = a->mask;
	u64 at = ((vectors - sizeof(struct frame)) & ~15ull) - 8;
	u64 handler = a->handler;
	struct frame f = {.back = a->restorer, .stack = signals_now->alternate,
			  .info = *info, .vectors = vectors};
	struct saved saved;

	fill_context(&f, pc, fault);
	save_vectors(&saved);
	if (!(a->flags & SA_NODEFER))
		block |= 1ull << (sig - 1);
	host_kernel(SYS_rt_sigprocmask, SIG_BLOCK, (u64)(uintptr_t)&block,
		    (u64)(uintptr_t)&f.mask, MASK_BYTES);
	f.gregs[REG_OLDMASK] = f.mask;
	if (guest_write(vectors, &saved, SAVED_BYTES) ||
	    guest_write(at, &f, sizeof f))
		signals_die(SIGSEGV);
	keep_vectors(at);
	if (a->flags & SA_RESETHAND) {
		a->handler = 0;
		signals_set((u64)sig, a);
	}
	host_state.reg[HOST_RDI] = (u64)sig;
	host_state.reg[HOST_RSI] = at + offsetof(struct frame, info);
	host_state.reg[HOST_RDX] = at + offsetof(struct frame, flags);
	host_state.reg[HOST_RAX] = 0;
	host_state.reg[HOST_RSP] = at;
	host_state.flags &= ~0x500ull;
	return handler;
}

static bool
is_handled(int sig)
{
	return signals_of[sig].handler > (u64)(uintptr_t)SIG_IGN;
}

/* One that the target has no handler for any more has its usual effect. */
static u64
deliver(const siginfo_t *info, u64 pc)
{
	static const u64 no_fault[3];
	int sig = info->si_signo;

	if (is_handled(sig))
		return enter_handler(info, pc, no_fault);
	if (!signals_of[sig].handler)
		signals_die(sig);
	return pc;
}

/* A fault that is ignored ends the process, too: its instruction cannot be done. */
static u64
deliver_fault(const struct fault *fault, u64 pc)
{
	if (is_handled(fault->info.si_signo))
		return enter_handler(&fault->info, pc, fault->tells);
	signals_die(fault->info.si_signo);
	return pc;
}

u64
signals_deliver(u64 pc)
{
	struct signals *now = signals_now;

	if (now->fault.is) {
		now->fault.is = false;
		pc = deliver_fault(&now->fault, pc);
	}
	while (now->queue.n) {
		u64 all = ~0ull, before;
		siginfo_t info;

		host_kernel(SYS_rt_sigprocmask, SIG_BLOCK,
			    (u64)(uintptr_t)&all, (u64)(uintptr_t)&before,
			    MASK_BYTES);
		info = now->queue.info[now->queue.first];
		now->queue.first = (now->queue.first + 1) % QUEUE;
		now->queue.n--;
		now->stop = now->queue.n;
		host_kernel(SYS_rt_sigprocmask, SIG_SETMASK,
			    (u64)(uintptr_t)&before, 0, MASK_BYTES);
		timers_tell(&info);
		pc = deliver(&info, pc);
	}
	return pc;
}

s64
signals_return(const u64 arg[6])
{
	u64 at = host_state.reg[HOST_RSP] - 8;
	struct saved saved;
	struct frame f;

	(void)arg;
	if (guest_read(&f, at, sizeof f) ||
	    guest_read(&saved, f.vectors, SAVED_BYTES)) {
		signals_die(SIGSEGV);
		return -EFAULT;
	}
	for (unsigned r = 0; r < HOST_REGS; r++)
		host_state.reg[r] = f.gregs[signals_place[r]];
	host_state.flags = (f.gregs[REG_EFL] & 0xcd5) | 0x202;
	host_state.target = f.gregs[REG_RIP];
	restore_vectors(at, &saved);
	vectors_give(host_state.vectors);
	host_kernel(SYS_rt_sigprocmask, SIG_SETMASK, (u64)(uintptr_t)&f.mask, 0,
		    MASK_BYTES);
	return (s64)host_state.reg[HOST_RAX];
}
