/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's file and its interpreter's, where QEMU would map them. */
#include "limits.h"
#include "native.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define MAX_HEADERS 128
#define BREAK_ROOM (32ull << 20) /* kept free behind a program that moves */
#define STACK_DEFAULT (8ull << 20)
#define STACK_LARGE (1024ull << 20) /* of one without limit: engine_args.c */

struct file {
	int fd;
	Elf64_Ehdr head;
	Elf64_Phdr part[MAX_HEADERS];
};

static u64
down(u64 at)
{
	return at & ~(NATIVE_PAGE - 1);
}

static int
read_file(struct file *f, const char *path)
{
	size_t bytes;

	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0)
		return -errno;
	if (pread(f->fd, &f->head, sizeof f->head, 0) != sizeof f->head ||
	    memcmp(f->head.e_ident, ELFMAG, SELFMAG) ||
	    f->head.e_machine != EM_X86_64 ||
	    f->head.e_phnum > MAX_HEADERS)
		return -ENOEXEC;
	bytes = f->head.e_phnum * sizeof f->part[0];
	return pread(f->fd, f->part, bytes, (off_t)f->head.e_phoff) ==
	       (ssize_t)bytes ? 0 : -ENOEXEC;
}

/* First and last address of what is to be loaded. */
static void
extent(const struct file *f, u64 *low, u64 *high)
{
	*low = ~0ull;
	*high = 0;
	for (unsigned i = 0; i < f->head.e_phnum; i++) {
		const Elf64_Phdr *p = &f->part[i];

		if (p->p_type != PT_LOAD)
			continue;
		if (down(p->p_vaddr) < *low)
			*low = down(p->p_vaddr);
		if (p->p_vaddr + p->p_memsz > *high)
			*high = p->p_vaddr + p->p_memsz;
	}
}

static int
access_of(u32 flags)
{
	return (flags & PF_R ? PROT_READ : 0) |
	       (flags & PF_W ? PROT_WRITE : 0) |
	       (flags & PF_X ? PROT_EXEC : 0);
}

/* What is behind a segment's part of the file is zero, up to a page's end. */
static int
clear_rest(u64 from, u64 to, int prot)
{
	u64 page = native_pages(from);

	if (from < page && prot & PROT_WRITE)
		memset((void *)(uintptr_t)from, 0, page - from);
	if (to > page &&
	    space_map(page, native_pages(to) - page, prot,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != page)
		return -ENOMEM;
	return 0;
}

static int
map_part(const struct file *f, const Elf64_Phdr *p, u64 bias)
{
	u64 at = p->p_vaddr + bias, skip = at - down(at);
	int prot = access_of(p->p_flags);

	if (p->p_filesz &&
	    space_map(down(at), p->p_filesz + skip, prot,
		      MAP_PRIVATE | MAP_FIXED, f->fd,
		      p->p_offset - skip) != down(at))
		return -ENOMEM;
	if (p->p_memsz <= p->p_filesz)
		return 0;
	return clear_rest(at + p->p_filesz, at + p->p_memsz, prot);
}

/* Keeps the place for all of it; where it is, or 0. */
static u64
take_place(const struct file *f, bool program, u64 low, u64 high)
{
	bool moves = f->head.e_type == ET_DYN && !low;
	u64 room = program && f->head.e_type == ET_DYN ? BREAK_ROOM : 0;
	u64 bytes = native_pages(high - low) + room;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
		    (moves ? 0 : MAP_FIXED_NOREPLACE);
	u64 at = space_map(moves ? 0 : low, bytes, PROT_NONE, flags, -1, 0);

	if (at > (u64)-4096 || (!moves && at != low))
		return 0;
	if (room)
		munmap((void *)(uintptr_t)(at + native_pages(high - low)), room);
	return at;
}

static int
read_interpreter(const struct file *f, struct image *image)
{
	for (unsigned i = 0; i < f->head.e_phnum; i++) {
		const Elf64_Phdr *p = &f->part[i];

		if (p->p_type != PT_INTERP)
			continue;
		if (p->p_filesz >= sizeof image->interpreter ||
		    pread(f->fd, image->interpreter, p->p_filesz,
			  (off_t)p->p_offset) != (ssize_t)p->p_filesz)
			return -ENOEXEC;
	}
	return 0;
}

static int
map_file(const struct file *f, struct image *image, bool program)
{
	u64 low, high, at;
	int error = 0;

	extent(f, &low, &high);
	if (low > high)
		return -ENOEXEC;
	at = take_place(f, program, low, high);
	if (!at)
		return -ENOMEM;
	image->bias = at - low;
	image->entry = f->head.e_entry + image->bias;
	image->header = low + image->bias + f->head.e_phoff;
	image->headers = f->head.e_phnum;
	image->end = high + image->bias;
	for (unsigned i = 0; i < f->head.e_phnum && !error; i++) {
		const Elf64_Phdr *p = &f->part[i];

		if (p->p_type == PT_GNU_STACK)
			image->stack = access_of(p->p_flags) & PROT_EXEC;
		if (p->p_type != PT_LOAD)
			continue;
		error = map_part(f, p, image->bias);
		if (p->p_flags & PF_X && !image->first)
			image->first = p->p_vaddr + image->bias;
	}
	return error;
}

static int
load(const char *path, struct image *image, bool program)
{
	static struct file f;
	int error = read_file(&f, path);

	memset(image, 0, sizeof *image);
	if (!error)
		error = read_interpreter(&f, image);
	if (!error)
		error = map_file(&f, image, program);
	if (f.fd >= 0)
		close(f.fd);
	return error;
}

static u64
stack_bytes(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit))
		return STACK_DEFAULT;
	if (limit.rlim_cur == RLIM_INFINITY)
		return STACK_LARGE;
	return native_pages(limit.rlim_cur > STACK_DEFAULT ? limit.rlim_cur
						 : STACK_DEFAULT);
}

/* A stack that may be accessed so, and below it a page that cannot be; its end, or
 * 0. */
static u64
make_stack(int prot)
{
	u64 bytes = stack_bytes();
	u64 at = space_map(0, bytes + NATIVE_PAGE, prot,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at > (u64)-4096)
		return 0;
	mprotect((void *)(uintptr_t)at, NATIVE_PAGE, PROT_NONE);
	native.stack.prot = prot;
	native.stack.first = at + NATIVE_PAGE;
	native.stack.end = native.stack.first + bytes;
	return native.stack.end;
}

/* QEMU has two tables of the processor's behind all that. */
static void
skip_tables(void)
{
	for (unsigned i = 0; i < 2; i++)
		space_map(0, NATIVE_PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int
loader_run(u64 *start, u64 *pointer)
{
	static struct image program, interpreter;
	int error = load(native.path, &program, true);
	u64 end;

	if (error)
		return error;
	end = make_stack(PROT_READ | PROT_WRITE | program.stack);
	if (!end)
		return -ENOMEM;
	if (program.interpreter[0]) {
		error = load(program.interpreter, &interpreter, false);
		if (error)
			return error;
	}
	skip_tables();
	space_begin_break(program.end);
	native.entry = program.first;
	*pointer = stack_fill(end, &program, interpreter.bias);
	native.stack.pointer = *pointer;
	limits_begin_stack();
	*start = program.interpreter[0] ? interpreter.entry : program.entry;
	return 0;
}
