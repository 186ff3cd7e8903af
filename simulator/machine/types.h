/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short names of fixed-width integers and the few compiler hints used. */
#ifndef SIM_TYPES_H
#define SIM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#define SIM_LIKELY(x) __builtin_expect(!!(x), 1)
#define SIM_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define SIM_NOINLINE __attribute__((noinline))
#define SIM_INLINE static inline __attribute__((always_inline))
#define SIM_COUNT(a) (sizeof(a) / sizeof *(a))

/* Of two cycles. */
SIM_INLINE u64
later(u64 a, u64 b)
{
	return a > b ? a : b;
}

#endif
