/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads: their start and end, what they wait for, what each has of its own. */
#include "sample.h"

#include <linux/futex.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <threads.h>

#define N 4

static pthread_t thread[N];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static atomic_int number;
static volatile long sum;

static void
start(void *(*run)(void *))
{
	for (long i = 0; i < N; i++)
		pthread_create(&thread[i], NULL, run, (void *)i);
}

static void
join(void)
{
	for (int i = 0; i < N; i++) {
		void *result;

		pthread_join(thread[i], &result);
		SAY("%ld ", (long)result);
	}
	SAY("\n");
}

static void *
squares(void *arg)
{
	return (void *)((long)arg * (long)arg);
}

static void
results(void)
{
	start(squares);
	join();
}

static void *
add_locked(void *arg)
{
	for (int i = 0; i < 10000; i++) {
		pthread_mutex_lock(&mutex);
		sum++;
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

static void
mutexes(void)
{
	start(add_locked);
	join();
	SAY("%ld\n", sum);
}

static void *
add_atomic(void *arg)
{
	for (int i = 0; i < 10000; i++)
		atomic_fetch_add(&number, 1);
	return arg;
}

static void
atomics(void)
{
	start(add_atomic);
	join();
	SAY("%d\n", number);
}

static void *
in_turn(void *arg)
{
	pthread_mutex_lock(&mutex);
	while (number != (int)(long)arg)
		pthread_cond_wait(&condition, &mutex);
	sum = sum * 10 + (long)arg;
	number++;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void
conditions(void)
{
	start(in_turn);
	join();
	SAY("%ld\n", sum);
}

static void *
meet(void *arg)
{
	int serial = 0;

	for (int i = 0; i < 100; i++)
		if (pthread_barrier_wait(&barrier) ==
		    PTHREAD_BARRIER_SERIAL_THREAD)
			serial++;
	atomic_fetch_add(&number, serial);
	return arg;
}

static void
barriers(void)
{
	pthread_barrier_init(&barrier, NULL, N);
	start(meet);
	join();
	SAY("%d\n", number);
}

static __thread int own = 5;

static void *
change_own(void *arg)
{
	own += (int)(long)arg;
	return (void *)(long)own;
}

static void
own_variables(void)
{
	start(change_own);
	join();
	SAY("%d\n", own);
}

static pthread_key_t key;

static void
end_of_value(void *value)
{
	atomic_fetch_add(&number, (int)(long)value);
}

static void *
set_value(void *arg)
{
	pthread_setspecific(key, (void *)((long)arg + 1));
	return arg;
}

static void
values_and_their_end(void)
{
	pthread_key_create(&key, end_of_value);
	start(set_value);
	join();
	SAY("%d\n", number);
}

static void *
wait_to_be_cancelled(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return NULL;
}

static void *
spin_to_be_cancelled(void *arg)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	atomic_fetch_add(&number, 1);
	for (;;)
		;
	return arg;
}

static void
cancelled(void)
{
	void *result;

	pthread_create(&thread[0], NULL, wait_to_be_cancelled, NULL);
	pthread_cancel(thread[0]);
	pthread_join(thread[0], &result);
	SAY("%d\n", result == PTHREAD_CANCELED);
	pthread_create(&thread[0], NULL, spin_to_be_cancelled, NULL);
	while (!number)
		sched_yield();
	pthread_cancel(thread[0]);
	pthread_join(thread[0], &result);
	SAY("%d\n", result == PTHREAD_CANCELED);
}

static void *
detached(void *arg)
{
	sem_post(arg);
	return NULL;
}

static void
detached_threads(void)
{
	pthread_attr_t a;
	sem_t s;

	sem_init(&s, 0, 0);
	pthread_attr_init(&a);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 20; i++) {
		pthread_create(&thread[0], &a, detached, &s);
		sem_wait(&s);
	}
	SAY("done\n");
}

static void
timed_waits(void)
{
	struct timespec t;
	sem_t s;

	sem_init(&s, 0, 0);
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += 2000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	DO(sem_timedwait(&s, &t));
	pthread_mutex_lock(&mutex);
	SAY("%s\n", strerrorname_np(pthread_cond_timedwait(&condition, &mutex,
							   &t)));
	DO(sem_trywait(&s));
	SAY("%s\n", strerrorname_np(pthread_mutex_trylock(&mutex)));
}

static int ends[2];

static void *
wait_for_byte(void *arg)
{
	char c;

	return read(ends[0], &c, 1) == 1 ? arg : NULL;
}

/* Once a wait is over, where it was told what was left of it is the program's. */
static void
times_that_are_gone(void)
{
	static struct {
		struct timeval t;
		char rest[16];
	} place;
	int others = 0;

	DO(pipe(ends));
	pthread_create(&thread[0], NULL, wait_for_byte, NULL);
	for (int k = 0; k < 10; k++) {
		place.t = (struct timeval){0, 100};
		syscall(SYS_select, 0, NULL, NULL, NULL, &place.t);
		memset(&place, 'x', sizeof place);
		for (int i = 0; i < 20000; i++)
			sum++;
		munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0), 4096);
		for (unsigned i = 0; i < sizeof place; i++)
			others += ((char *)&place)[i] != 'x';
	}
	SAY("%d of them were changed\n", others);
	DO(write(ends[1], "x", 1) == 1);
	DO(pthread_join(thread[0], NULL));
}

static int word;

static void *
wake(void *arg)
{
	(void)arg;
	usleep(1000);
	__atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return NULL;
}

static void
futexes(void)
{
	struct timespec t = {0, 1000000};

	DO(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 5, NULL, NULL, 0));
	DO(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0));
	DO(syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0));
	DO(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 5, NULL, NULL, 0));
	DO(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 0));
	DO(syscall(SYS_futex, 1, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0));
	DO(syscall(SYS_futex, &word, 77, 1, NULL, NULL, 0));
	DO(syscall(SYS_futex, &word, FUTEX_WAKE_OP, 1, 1, &sum,
		   FUTEX_OP(FUTEX_OP_ADD, 3, FUTEX_OP_CMP_EQ, 0)));
	SAY("%ld\n", sum);
	pthread_create(&thread[0], NULL, wake, NULL);
	while (!__atomic_load_n(&word, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL,
			0);
	pthread_join(thread[0], NULL);
	SAY("%d\n", word);
}

static void *
die_with_it(void *m)
{
	pthread_mutex_lock(m);
	return NULL;
}

static void
robust_mutexes(void)
{
	pthread_mutexattr_t a;
	pthread_mutex_t m;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&m, &a);
	pthread_create(&thread[0], NULL, die_with_it, &m);
	pthread_join(thread[0], NULL);
	SAY("%s\n", strerrorname_np(pthread_mutex_lock(&m)));
	SAY("%d\n", pthread_mutex_consistent(&m));
	SAY("%d\n", pthread_mutex_unlock(&m));
}

static void *
use_stack(void *arg)
{
	volatile char big[700000];

	big[0] = big[sizeof big - 1] = 1;
	return (void *)(long)(big[0] + big[sizeof big - 1] + (long)arg);
}

static void
sizes_of_stacks(void)
{
	pthread_attr_t a;
	void *result, *at;
	size_t size;

	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 1 << 20);
	pthread_create(&thread[0], &a, use_stack, NULL);
	pthread_join(thread[0], &result);
	SAY("%ld\n", (long)result);
	pthread_getattr_np(pthread_self(), &a);
	pthread_attr_getstack(&a, &at, &size);
	SAY("%d %d\n", (uintptr_t)&a >= (uintptr_t)at &&
		       (uintptr_t)&a < (uintptr_t)at + size,
	    size > 7 << 20 && size < 9 << 20);
}

static void *
come_and_go(void *arg)
{
	pthread_t t;
	long depth = (long)arg;

	atomic_fetch_add(&number, 1);
	if (depth && !pthread_create(&t, NULL, come_and_go,
				     (void *)(depth - 1)))
		pthread_join(t, NULL);
	return arg;
}

static void
chains_of_threads(void)
{
	for (int i = 0; i < 20; i++) {
		pthread_create(&thread[0], NULL, come_and_go, (void *)5l);
		pthread_join(thread[0], NULL);
	}
	SAY("%d\n", number);
}

static once_flag flag = ONCE_FLAG_INIT;

static void
first(void)
{
	SAY("first\n");
}

static int
c11_thread(void *arg)
{
	call_once(&flag, first);
	return (int)(long)arg;
}

static void
threads_of_c11(void)
{
	int result;
	thrd_t t;

	for (long i = 0; i < 3; i++) {
		thrd_create(&t, c11_thread, (void *)i);
		thrd_join(t, &result);
		SAY("%d\n", result);
	}
}

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void *
read_and_write(void *arg)
{
	long seen = 0;

	for (int i = 0; i < 1000; i++)
		if (i % 10 == 0) {
			pthread_rwlock_wrlock(&rwlock);
			sum++;
			pthread_rwlock_unlock(&rwlock);
		} else {
			pthread_rwlock_rdlock(&rwlock);
			seen += sum >= 0;
			pthread_rwlock_unlock(&rwlock);
		}
	(void)arg;
	return (void *)seen;
}

static void
locks_of_readers(void)
{
	start(read_and_write);
	join();
	SAY("%ld\n", sum);
}

static const struct sample samples[] = {
	SAMPLE(results), SAMPLE(mutexes), SAMPLE(atomics), SAMPLE(conditions),
	SAMPLE(barriers), SAMPLE(own_variables), SAMPLE(values_and_their_end),
	SAMPLE(cancelled), SAMPLE(detached_threads), SAMPLE(timed_waits),
	SAMPLE(times_that_are_gone),
	SAMPLE(futexes), SAMPLE(robust_mutexes), SAMPLE(sizes_of_stacks),
	SAMPLE(chains_of_threads), SAMPLE(threads_of_c11),
	SAMPLE(locks_of_readers),
};

SAMPLES(samples)
