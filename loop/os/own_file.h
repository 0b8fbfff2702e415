/* Files that a tool writes for its user: traces, black boxes, records of a schedule. They hold arguments and paths of
 * the program, their names are known beforehand, and the directory may belong to everybody. So a file is its owner's
 * alone (0600), and is a new one, or one of the user's own: a symbolic link is not followed, and a file of another user
 * or with a second name is not written to. Devices and pipes that the user names are written to.
 *
 * This file includes nothing of the library: the command uses it without. */
#ifndef ROTA_OS_OWN_FILE_H
#define ROTA_OS_OWN_FILE_H

/* -> a descriptor for writing, close-on-exec. What was in the file is still there. */
int rota__os_own_file_open(const char *path);

/* Whether that would be refused, as far as it can be seen without making the file: 0, or the error. */
int rota__os_own_file_check(const char *path);

/* What to say of an error of these functions; null: uv_strerror says it. */
const char *rota__os_own_file_fault(int err);

#endif
