/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The variables that a target starts with. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

/* As execve() takes them: ours, or what pmcsim_environment_choose() has made
 * of them.  They last until that is called again. */
char *const *environment_of_target(void);

#endif
