/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that the target wants executed, and the machine for them. */
#ifndef TARGET_FOLLOW_PATH_H
#define TARGET_FOLLOW_PATH_H

#include "target.h"

/* The file that a path of execve means, in which a process that goes on by
 * another engine finds it; takes the path over. */
char *follow_path(char *path);

/* The path that execveat means; takes the path over; NULL: leave it. */
char *follow_path_at(int dirfd, char *path, int flags);

/* The call has returned: nothing was executed. */
void follow_path_after(void);

/* Whether the next program is to inherit the machine's descriptor; ends the
 * process if the machine is gone. */
bool follow_machine(void);

#endif
