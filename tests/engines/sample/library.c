/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the C library does below the surface, and instructions of rare kinds. */
#include "sample.h"

#include <cpuid.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fenv.h>
#include <glob.h>
#include <iconv.h>
#include <immintrin.h>
#include <link.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <ucontext.h>
#include <wchar.h>

static ucontext_t here, there;
static volatile int step;

static void
other_context(int a, int b)
{
	SAY("in it %d %d\n", a, b);
	step = 1;
	swapcontext(&there, &here);
	SAY("again\n");
	step = 2;
}

static void
contexts(void)
{
	static char stack[65536];

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof stack;
	there.uc_link = &here;
	makecontext(&there, (void (*)(void))other_context, 2, 11, 22);
	swapcontext(&here, &there);
	SAY("%d\n", step);
	swapcontext(&here, &there);
	SAY("%d\n", step);
}

static jmp_buf jump;

static int
deep(int n)
{
	if (!n)
		longjmp(jump, 42);
	return deep(n - 1) + 1;
}

static void
long_jumps(void)
{
	int sum = 0;

	for (volatile int i = 0; i < 100; i++) {
		int got = setjmp(jump);

		if (!got)
			deep(i);
		SAY("%s", got == 42 ? "." : "?");
	}
	SAY("%d\n", sum);
}

static int
frames(int n)
{
	void *at[64];

	return n ? frames(n - 1) + (n & 0) : backtrace(at, 64);
}

static void
backtraces(void)
{
	SAY("%d\n", frames(10) - frames(5));
}

static int
say_object(struct dl_phdr_info *info, size_t size, void *n)
{
	(void)size;
	++*(int *)n;
	return info->dlpi_phnum ? 0 : 1;
}

static void
loads_libraries(void)
{
	void *m = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
	double (*f)(double) = (double (*)(double))dlsym(m, "cbrt");
	int n = 0;

	SAY("%.6f\n", f ? f(27) : 0);
	SAY("%d\n", dlsym(m, "no_such_function") == NULL);
	SAY("%d\n", dlopen("no-such-library.so", RTLD_NOW) == NULL);
	SAY("%d %d\n", dl_iterate_phdr(say_object, &n), n > 2);
	SAY("%d\n", dlclose(m));
}

static void
rounding(void)
{
	static const int mode[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
				   FE_TOWARDZERO};
	volatile double third, one = 1, three = 3;

	for (int i = 0; i < 4; i++) {
		fesetround(mode[i]);
		third = one / three;
		SAY("%a %a %.0f\n", third, (double)-third * 7, rint(2.5));
	}
}

static void
exceptions_of_numbers(void)
{
	volatile double zero = 0, big = 1e308, r;

	feclearexcept(FE_ALL_EXCEPT);
	r = 1 / zero;
	SAY("%x %f\n", fetestexcept(FE_ALL_EXCEPT), r);
	feclearexcept(FE_ALL_EXCEPT);
	r = big * 10;
	SAY("%x %f\n", fetestexcept(FE_ALL_EXCEPT), r);
	feclearexcept(FE_ALL_EXCEPT);
	r = zero / zero;
	SAY("%x %d\n", fetestexcept(FE_ALL_EXCEPT), isnan(r));
}

static void
trap_divides(void)
{
	volatile double zero = 0, r;

	feenableexcept(FE_DIVBYZERO);
	r = 1 / zero;
	SAY("not reached %f\n", r);
}

static void
traps_of_numbers(void)
{
	in_child(trap_divides);
}

static void
long_doubles(void)
{
	volatile long double x = 1;

	for (int i = 1; i < 30; i++)
		x = sqrtl(x * i) + sinl(x) / i;
	SAY("%.18Lf %La\n", x, x);
}

static void
mathematics(void)
{
	double s = 0;

	for (int i = 1; i < 1000; i++)
		s += sin(i) * exp(-i / 100.0) + pow(i, 0.3) + atan2(i, 3) +
		     fma(i, 1.1, log(i)) + fmod(i, 7.3) + tgamma(i % 20 + 1);
	SAY("%.15g\n", s);
}

static void
numbers_as_text(void)
{
	char *end;

	SAY("%g %e %a %.30f\n", 0.1, 12345.678, 3.14, 1e-10);
	SAY("%.17g\n", strtod("1.7976931348623157e308x", &end));
	SAY("%s\n", end);
	SAY("%.17g %.17g\n", strtod("4.9e-324", NULL), strtod("0x1.8p3", NULL));
	SAY("%lld %s\n", strtoll("99999999999999999999", NULL, 10),
	    strerrorname_np(errno));
}

static int
compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void
sorts(void)
{
	static int v[5000];
	unsigned x = 1, sum = 0;

	for (int i = 0; i < 5000; i++)
		v[i] = (int)((x = x * 1103515245 + 12345) >> 8 & 0xffff);
	qsort(v, 5000, sizeof *v, compare);
	for (int i = 0; i < 5000; i++)
		sum = sum * 31 + (unsigned)v[i];
	SAY("%x\n", sum);
}

static void
strings(void)
{
	static char a[5000], b[5000];
	unsigned sum = 0;

	for (int n = 0; n < 300; n++)
		for (int at = 0; at < 20; at += 7) {
			memset(a, 'x', sizeof a);
			a[at + n] = '\0';
			sum = sum * 7 + (unsigned)strlen(a + at);
			memcpy(b + at / 2, a + at, (size_t)n + 1);
			sum += (unsigned)strcmp(a + at, b + at / 2);
			memmove(b + 5, b, (size_t)n + 20);
			sum += (unsigned)(uintptr_t)memchr(b, 0, 4000) & 0xfff;
			sum += (unsigned)strspn(a + at, "xyz");
			sum += strchr(a + at, 'q') != NULL;
			sum += (unsigned)memcmp(a, b, (size_t)n) & 1;
		}
	SAY("%d\n", sum != 0);
	SAY("%s\n", strstr("find the needle in here", "needle"));
	SAY("%s\n", strcasestr("Find The Needle", "needle"));
	SAY("%zu\n", strcspn("hello, world", ", "));
}

static void
expressions(void)
{
	regmatch_t m[3];
	regex_t r;

	SAY("%d\n", regcomp(&r, "([a-z]+)-([0-9]+)", REG_EXTENDED));
	SAY("%d\n", regexec(&r, "some text-123 here", 3, m, 0));
	SAY("%d %d %d\n", (int)m[0].rm_so, (int)m[1].rm_eo, (int)m[2].rm_eo);
	SAY("%d\n", regcomp(&r, "(", REG_EXTENDED));
}

static void
patterns_of_files(void)
{
	glob_t g;

	SAY("%d\n", glob("/etc/pass[w]d", 0, NULL, &g));
	SAY("%zu %s\n", g.gl_pathc, g.gl_pathv[0]);
	SAY("%d\n", glob("/no/*", 0, NULL, &g));
}

static void
characters(void)
{
	char in[] = "gr\xc3\xbc\xc3\x9f", out[32] = "", *i = in, *o = out;
	size_t n = sizeof in, left = sizeof out;
	iconv_t c = iconv_open("ISO-8859-1", "UTF-8");
	wchar_t wide[16];

	SAY("%zd\n", iconv(c, &i, &n, &o, &left));
	for (int k = 0; k < 4; k++)
		SAY("%02x ", (unsigned char)out[k]);
	SAY("%s\n", setlocale(LC_ALL, "C.UTF-8") ? "set" : "none");
	n = mbstowcs(wide, in, 16);
	SAY("%zu %x\n", n, (unsigned)wide[2]);
}

static void
allocates(void)
{
	void *p[200];
	uintptr_t or = 0;

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 200; i++) {
			p[i] = malloc((size_t)i * i * 10 + 1);
			memset(p[i], i, (size_t)i * i * 10 + 1);
		}
		for (int i = 0; i < 200; i++)
			p[i] = realloc(p[i], (size_t)(200 - i) * 50 + 1);
		for (int i = 0; i < 200; i++)
			free(p[i]);
	}
	for (int i = 0; i < 10; i++)
		or |= (uintptr_t)aligned_alloc(4096, 8192);
	SAY("%lx %d\n", or & 4095, malloc_trim(0) >= 0);
}

static void
tells_processor(void)
{
	unsigned a, b, c, d;

	SAY("%d\n", __get_cpuid(1, &a, &b, &c, &d));
	SAY("%d %d\n", d >> 26 & 1, c >> 23 & 1);
	SAY("%d\n", __get_cpuid(0x70000000, &a, &b, &c, &d));
	SAY("%d\n", !!__builtin_cpu_supports("sse2"));
	a = __rdtsc() < __rdtsc();
	SAY("%d\n", a);
}

__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,fma,aes,pclmul,sse4.2")))
static void
extensions(void)
{
	static const int table[] = {5, 6, 7, 8};
	__m256i v = _mm256_set1_epi32(3), w;
	__m128i k = _mm_set_epi32(1, 2, 3, 4);
	int out[8];
	uint64_t x = 0x123456789abcdef0;

	w = _mm256_mullo_epi32(v, _mm256_set_epi32(8, 7, 6, 5, 4, 3, 2, 1));
	w = _mm256_permutevar8x32_epi32(w, _mm256_set1_epi32(5));
	w = _mm256_i32gather_epi32(table, _mm256_set_epi32(0, 1, 2, 3, 3, 2, 1,
							   0), 4);
	_mm256_storeu_si256((__m256i *)out, w);
	for (int i = 0; i < 8; i++)
		SAY("%d ", out[i]);
	SAY("\n%llx %llx %llx\n", (long long)_pdep_u64(x, 0xff00ff00ff00ff),
	    (long long)_pext_u64(x, 0xf0f0f0f0f0f0f0f0),
	    (long long)_bzhi_u64(x, 17));
	SAY("%llu %llu %d %x\n", (long long)_lzcnt_u64(x),
	    (long long)_tzcnt_u64(x), (int)_mm_popcnt_u64(x),
	    _mm_crc32_u32(7, 99));
	k = _mm_aesenc_si128(k, _mm_set1_epi32(77));
	k = _mm_clmulepi64_si128(k, k, 1);
	SAY("%x %x\n", _mm_extract_epi32(k, 0), _mm_extract_epi32(k, 3));
	SAY("%a\n", _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(1.1), _mm_set_sd(3),
					       _mm_set_sd(0.7))));
}

static void
flags(void)
{
	unsigned long f, g;

	__asm__ volatile("std; pushf; pop %0; cld" : "=r"(f) : : "cc");
	__asm__ volatile("stc; lahf; mov %%rax, %0" : "=r"(g) : : "rax", "cc");
	SAY("%lx %lx\n", f & 0x400, g >> 8 & 1);
	__asm__ volatile("pushf; orq $0x40000, (%%rsp); popf; pushf; pop %0; "
			 "pushf; andq $~0x40000, (%%rsp); popf"
			 : "=&r"(f) : : "cc");
	SAY("%d\n", (int)(f >> 18 & 1));
}

static void
strings_of_instructions(void)
{
	char from[64] = "a string that is moved backwards", to[64] = "";
	unsigned long n = 33, left;
	char *s = from + 32, *d = to + 32;

	__asm__ volatile("std; rep movsb; cld"
			 : "+S"(s), "+D"(d), "+c"(n) : : "memory", "cc");
	SAY("%s %ld\n", to, (long)(d - to));
	d = to;
	left = 64;
	__asm__ volatile("repne scasb"
			 : "+D"(d), "+c"(left) : "a"('t') : "memory", "cc");
	SAY("%ld %lu\n", (long)(d - to), left);
}

static void
wide_exchange(void)
{
	static unsigned __int128 word __attribute__((aligned(16))) = 5;
	bool done;

	__asm__ volatile("lock cmpxchg16b %0; setz %1"
			 : "+m"(word), "=q"(done)
			 : "d"(0l), "a"(5l), "c"(1l), "b"(7l) : "cc");
	SAY("%d %llx %llx\n", done, (long long)(word >> 64), (long long)word);
}

static const struct sample samples[] = {
	SAMPLE(contexts), SAMPLE(long_jumps), SAMPLE(backtraces),
	SAMPLE(loads_libraries), SAMPLE(rounding),
	SAMPLE(exceptions_of_numbers), SAMPLE(traps_of_numbers),
	SAMPLE(long_doubles), SAMPLE(mathematics), SAMPLE(numbers_as_text),
	SAMPLE(sorts), SAMPLE(strings), SAMPLE(expressions),
	SAMPLE(patterns_of_files), SAMPLE(characters), SAMPLE(allocates),
	SAMPLE(tells_processor), SAMPLE(extensions), SAMPLE(flags),
	SAMPLE(strings_of_instructions), SAMPLE(wide_exchange),
};

SAMPLES(samples)
