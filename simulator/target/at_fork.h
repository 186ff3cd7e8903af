/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is to be done around forks, whether the C library forks the process or an
 * engine does, with what that cannot ask the kernel for.
 */
#ifndef TARGET_AT_FORK_H
#define TARGET_AT_FORK_H

/* As pthread_atfork(); 0 or -errno. */
int at_fork(void (*before)(void), void (*parent)(void), void (*child)(void));

/* Around a fork that the C library does not know of. */
void at_fork_before(void);
void at_fork_parent(void);
void at_fork_child(void);

#endif
