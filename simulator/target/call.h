/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls that concern us, whatever numbers the target has. */
#ifndef QEMU_CALL_H
#define QEMU_CALL_H

#include "machine/types.h"

enum call {
	CALL_OTHER,
	CALL_ACCESS,	 /* path, mode */
	CALL_BRK,	 /* address */
	CALL_CHANNEL,	 /* lookup_dcookie, which QEMU does not implement */
	CALL_CLONE,	 /* flags */
	CALL_CLOSE,	 /* fd */
	CALL_CLOSE_RANGE, /* first, last, flags */
	CALL_COPY_FILE_RANGE, /* in, offset, out, offset, length, flags */
	CALL_CREAT,	 /* path, mode */
	CALL_DUP2,	 /* old, new */
	CALL_DUP3,	 /* old, new, flags */
	CALL_EXECVE,	 /* path, argv, env */
	CALL_EXECVEAT,	 /* dirfd, path, argv, env, flags */
	CALL_FACCESSAT,	 /* dirfd, path, mode, flags */
	CALL_FSTAT,	 /* fd, buffer */
	CALL_FSTAT64,	 /* the same, of larger inodes; where there is one */
	CALL_FSTATAT,	 /* dirfd, path, buffer, flags */
	CALL_GETRANDOM,	 /* buffer, length, flags */
	CALL_IOCTL,	 /* fd, request, argument */
	CALL_IPC,	 /* what: of System V's calls; where there is one */
	CALL_LSTAT,	 /* path, buffer */
	CALL_LSTAT64,
	CALL_MADVISE,	 /* address, length, advice */
	CALL_MMAP,	 /* address, length, protection, flags, fd, offset; of
			    i386: where these are */
	CALL_MMAP2,	 /* the same, the offset in pages; where there is one */
	CALL_MOVE,	 /* of others that move data and say how much */
	CALL_MPROTECT,	 /* address, length, protection */
	CALL_MREMAP,	 /* address, length, new length, flags, new address */
	CALL_MUNMAP,	 /* address, length */
	CALL_OPEN,	 /* path, flags, mode */
	CALL_OPENAT,	 /* dirfd, path, flags, mode */
	CALL_PATH,	 /* of others that look up a path */
	CALL_POLL,	 /* of four calls that wait for descriptors */
	CALL_PREAD,	 /* fd, buffer, length, offset */
	CALL_PREADV,	 /* fd, vector, n, offset */
	CALL_PWRITE,	 /* fd, buffer, length, offset */
	CALL_PWRITEV,	 /* fd, vector, n, offset */
	CALL_PRCTL,	 /* what, value */
	CALL_READ,	 /* fd, buffer, length */
	CALL_READV,	 /* fd, vector, n */
	CALL_RIGHTS,	 /* of others that change the user, groups, rights */
	CALL_SENDFILE,	 /* out, in, offset, length */
	CALL_SETAFFINITY, /* pid, length, mask */
	CALL_SHMAT,	 /* id, address, flags */
	CALL_SIGRETURN,	 /* a signal's handler is over */
	CALL_SPLICE,	 /* in, offset, out, offset, length, flags */
	CALL_STAT,	 /* path, buffer */
	CALL_STAT64,
	CALL_STATX,	 /* dirfd, path, flags, mask, buffer */
	CALL_VFORK,
	CALL_WAIT,	 /* of three calls that wait for children */
	CALL_WRITE,	 /* fd, buffer, length */
	CALL_WRITEV,	 /* fd, vector, n */
	CALL_XATTR,	 /* path: of four calls that ask for attributes */
	CALL_N
};

/* What system call a number of the running target is. */
enum call call_of(s64 number);

#endif
