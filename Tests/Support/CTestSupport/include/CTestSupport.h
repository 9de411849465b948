// What tests need of the kernel: another process's pages, a stop before a program's memory goes away, files that fail.
#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

#include <stddef.h>
#include <sys/types.h>

/// How often `needle` stands in the readable memory of a process; -errno when it can't be read.
/// `unreadable` counts mappings that the kernel refuses to show, such as memfd_secret.
long ct_count(pid_t pid, const void *needle, size_t size, long *unreadable);

/// Runs a program with its standard input from `in` and output to `out`, stops it as its first thread exits, and calls
/// `visit` with its pid while all its memory is still there. Its exit code, or -errno.
int ct_run_and_visit(const char *path, char *const argv[], char *const envp[], int in, int out,
                     void (*visit)(pid_t, void *), void *context);

/// Fills the stack from `from` (at least 512) to `to` bytes below the caller with one byte.
void ct_fill_stack(size_t from, size_t to, unsigned char byte);

/// How many runs of eight such bytes lie there still.
size_t ct_count_stack(size_t from, size_t to, unsigned char byte);

/// A file in memory that holds these bytes, takes no others, and can be cut; -errno where there is none.
int ct_sealed_file(const void *bytes, size_t size);

#endif
