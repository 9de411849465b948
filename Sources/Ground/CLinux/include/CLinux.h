// The kernel calls that Swift cannot import: macros, variadics and system calls without a libc wrapper.
// Every function returns 0 or a non-negative value on success and -errno on failure, unless it says otherwise.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Memory ------------------------------------------------------------------------------------------

enum cl_memory_kind { CL_MEMORY_SECRET = 1, CL_MEMORY_LOCKED = 2 };

/// Maps `size` bytes that never reach swap or a core dump: memfd_secret(2) where the kernel has it, else mlock(2)
/// with MADV_DONTDUMP and MADV_WIPEONFORK. `*kind` tells which. NULL with errno set on failure: never unlocked memory.
void *cl_map_secret(size_t size, int *kind);
void cl_unmap(void *address, size_t size);

/// Has malloc(3) keep freed blocks of up to 4 MiB for the next one, up to 8 MiB in all, where it would give each back to
/// the system and take its pages anew.
void cl_reuse_large_blocks(void);

/// Gives the kernel what was freed: malloc_trim(3).
void cl_release_freed(void);

/// Gives back what a program holds in memory and does not need while it waits: pages of code, which the kernel maps
/// again when they are run again, and freed blocks of malloc(3).
void cl_release_idle(void);

/// explicit_bzero(3): a wipe that the optimiser may not remove.
void cl_wipe(void *address, size_t size);

/// Overwrites 256 KiB of stack below the caller, where earlier calls have left their locals.
void cl_wipe_stack(void);
/// The same for 64 KiB: for after each short request.
void cl_wipe_stack_shallow(void);

/// Compares in time that depends on `size` alone. 1 when equal, else 0.
int cl_equal(const void *left, const void *right, size_t size);

/// Fills `size` bytes from getrandom(2); aborts when the kernel has no randomness, since no caller could go on.
void cl_random(void *address, size_t size);

// Process -----------------------------------------------------------------------------------------

/// No core dump, not dumpable (no ptrace and no /proc/PID/mem for the same uid), no new privileges, fatal signals to
/// their defaults (the Swift backtracer prints memory). Must run before any secret exists.
int cl_harden(void);
/// How many descriptors this process may have open at once (RLIMIT_NOFILE); -errno where the kernel does not say.
long cl_descriptor_limit(void);

/// Whether other programs of this user may look at this process (PR_SET_DUMPABLE); no core dump comes of it.
int cl_set_visible(int on);

/// The kernel kills this process when the thread that started it ends.
int cl_end_with_parent(void);

/// Denies every file system access, TCP bind and connect, and signals and abstract sockets outside the process.
/// Returns the Landlock ABI used, 0 where the kernel has none.
int cl_landlock_deny_all(void);

/// As above, but leaves reading fonts and what says which there are. Sets PR_SET_NO_NEW_PRIVS. Binds this thread and
/// those it starts from here on.
int cl_landlock_fonts(void);

/// The enclave's allow-list: what a loop over inherited descriptors needs, and memory without PROT_EXEC.
int cl_seccomp_enclave(void);

/// The allow-list of pure computing: inherited descriptors, memory without PROT_EXEC, threads of this process. No file,
/// socket or process can be opened or made behind it. Binds this thread and those it starts from here on.
int cl_seccomp_computing(void);

/// The allow-list of drawing: as of computing, and reading files, which Landlock has to bound. What else is asked for
/// fails. Binds this thread and those it starts from here on.
int cl_seccomp_drawing(void);

/// Limits this process for good: bytes of address space, seconds of CPU (then SIGXCPU), bytes of any file it writes.
int cl_limit(uint64_t address_space, uint64_t cpu_seconds, uint64_t file_size);

/// How many descriptors a process is started with at most: they are parked behind 64 on their way to 3, 4, ….
enum { CL_MOST_DESCRIPTORS = 56 };

/// Starts `path` with `argv0` as its only argument, an empty environment but SWIFT_BACKTRACE=enable=no, and exactly the
/// `count` descriptors of `fds` as 3, 4, …; 0 is /dev/null, 1 and 2 are this process's stderr. The pid, or -errno.
pid_t cl_spawn(const char *path, const char *argv0, const int *fds, int count);

/// Like cl_spawn, but keeps the environment, starts a session of its own, and takes further arguments (NULL-ended)
/// and the descriptors for stdout and stderr.
pid_t cl_spawn_detached(const char *path, char *const argv[], int out);

/// Starts `path` in a session of its own, with the environment and these descriptors as its stdin and stdout; stderr is
/// /dev/null. Unless it lives on, it is sent SIGTERM as soon as the thread that starts it ends.
pid_t cl_spawn_aside(const char *path, char *const argv[], int in, int out, int lives_on);

/// Lets go of children that have ended, but for one that somebody else asks about.
void cl_reap_others(pid_t kept);

/// Starts `path` with the environment and these descriptors as its stdin and stdout; stderr goes to stdout too.
pid_t cl_spawn_filter(const char *path, char *const argv[], int in, int out);

/// Starts `path` with an empty environment but SWIFT_BACKTRACE=enable=no, these descriptors as its stdin and stdout,
/// /dev/null as its stderr, and no other. The pid, or -errno, of which -ENOENT means that there is no such program.
pid_t cl_spawn_between(const char *path, int in, int out);

/// Starts a program with its path as the only argument, this environment, `in` as 0, `out` as 1, /dev/null as 2 and no
/// other descriptor, in a session of its own, in `/`; -errno where that fails.
pid_t cl_spawn_program(const char *path, char *const envp[], int in, int out);

/// Names the process group that ends with this process, 0 for none; cl_spawn_program names the one that it starts.
void cl_guard_group(pid_t group);

/// From now on SIGTERM, and the end of the parent, end the guarded group and this process; -errno where that fails.
/// Where `keeper` becomes its parent by that, it goes on for a minute at most: the parent has left it to the next ward.
int cl_end_guarded_group(pid_t keeper);

/// 1 where a path lies on tmpfs or ramfs, 0 elsewhere; -errno where that cannot be found out.
int cl_is_in_memory(const char *path);

/// A pipe whose ends no program inherits: [0] is read, [1] written; -errno where that fails.
int cl_pipe(int ends[2]);

/// The file that holds this function, as the dynamic loader named it; NULL when it does not know. Not to be freed.
const char *cl_library_path(const void *function);

/// Catches the signals that end a daemon and returns a descriptor that becomes readable when one has arrived.
int cl_signal_fd(void);
/// Gives those signals back to the kernel, right before an exec: one that nobody has read yet ends the process here, and
/// one that comes before the fresh image listens ends that.
void cl_signal_release(void);
/// Lets the descriptor that cl_signal_fd returned tell of one more signal.
int cl_signal_add(int number);
/// Reads one signal number from such a descriptor.
int cl_signal_read(int fd);

/// Resident memory and CPU of a process, from /proc. 0 or -errno.
int cl_process_usage(pid_t pid, uint64_t *resident_bytes, uint64_t *cpu_microseconds, uint64_t *written_bytes);

// Keeper and ward: a process that holds nothing, and the hidden child that it forks for all the work -----------------

/// Bytes of what a ward may leave for the next one.
enum { CL_LONGEST_NOTE = 4096 };

/// Forks the ward of this process, which has to be hidden (cl_harden) and to have one thread. 0 in the ward, its pid and
/// the keeper's end of what they talk over in the keeper; -errno where that fails. SIGTERM, SIGINT, SIGHUP and SIGCHLD
/// are blocked in both from then on, in the ward until cl_signal_fd. The ward is killed when its keeper ends.
pid_t cl_fork_ward(int *end);

/// Waits for the end of a ward and returns its status, as waitpid(2) has it; -errno where that fails. Meanwhile connects
/// for it to the UNIX socket `path` whenever it asks, passes on the signals that end a program, and lets go of
/// processes that a ward has left, of whose end SIGCHLD tells the ward.
int cl_keep_ward(pid_t ward, int end, const char *path);

/// In a ward: a connection that its keeper made, to the path that this was told. -ENOTCONN where there is no keeper.
int cl_connect_by_keeper(void);

/// 1 in a ward, 0 elsewhere.
int cl_has_keeper(void);

/// In a ward: leaves a text for the next one of this keeper.
int cl_leave_note(const char *text);
/// What the ward before this one has left; empty where it left nothing.
const char *cl_left_note(void);

/// _exit(2): no destructor runs, and no memory is written any more.
void cl_end_at_once(int code);

/// /proc/self/status; 0 or -errno.
int cl_read_own_status(char *text, size_t size);

/// A descriptor of a process (pidfd_open(2)); -errno where there is none of this number.
int cl_process_descriptor(pid_t pid);
/// Sends a signal to a process by its descriptor: never to another one of the same number. 0 or -errno.
int cl_signal_process(int fd, int number);

// Clocks ------------------------------------------------------------------------------------------

/// Milliseconds since the machine started, suspend included (CLOCK_BOOTTIME).
uint64_t cl_boot_milliseconds(void);
/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t cl_monotonic_nanoseconds(void);
/// Nanoseconds that processors have worked for this process (CLOCK_PROCESS_CPUTIME_ID).
uint64_t cl_processor_nanoseconds(void);
/// Microseconds since 1970 (CLOCK_REALTIME).
int64_t cl_wall_microseconds(void);

// Files -------------------------------------------------------------------------------------------

// Waits until all that was written to the file system of `fd` is on the disk: syncfs(2).
int cl_sync_file_system(int fd);

int cl_open(const char *path, int flags, unsigned mode);
int cl_openat(int directory, const char *name, int flags, unsigned mode);
int cl_set_nonblocking(int fd, int on);
/// Takes an exclusive lock that dies with the descriptor (an open file description lock). -EAGAIN when held.
int cl_lock_exclusive(int fd);
/// The magic number of the file system that a file lies on (statfs(2)), or a negative errno.
int64_t cl_file_system(int fd);

// Extended attributes of an open file (xattr(7)) ---------------------------------------------------

/// The length of the value, which is at most `size`; -ENODATA where there is none, -ERANGE where it is longer.
ssize_t cl_attribute_get(int fd, const char *name, void *value, size_t size);
int cl_attribute_set(int fd, const char *name, const void *value, size_t size);
int cl_attribute_remove(int fd, const char *name);

// Sockets -----------------------------------------------------------------------------------------

int cl_listen_unix(const char *path, int backlog);
/// What is amiss with a listening socket that this process was started with.
enum {
    CL_LISTENER_NO_SOCKET = 1,
    CL_LISTENER_OTHER_KIND = 2,
    CL_LISTENER_NOT_LISTENING = 3,
    CL_LISTENER_ELSEWHERE = 4,
    CL_LISTENER_OF_ANOTHER = 5
};
/// Takes over a UNIX stream socket of this user that listens at `path`, as somebody else has opened it: no program
/// inherits it, it does not block, and whoever connects from now on finds this process at the other end. 0, what is
/// amiss with it, or -errno.
int cl_take_listener(int fd, const char *path, int backlog);
/// Sends one datagram to a UNIX socket, whose name may be abstract (`@…`): sd_notify(3). 0 or -errno.
int cl_notify(const char *address, const char *text);
int cl_connect_unix(const char *path);
int cl_socketpair(int fds[2]);
int cl_accept(int listener);
/// Makes reads that wait longer fail with EAGAIN.
int cl_receive_timeout(int fd, int seconds);
/// write(2) that never raises SIGPIPE where `fd` is a socket.
ssize_t cl_write(int fd, const void *bytes, size_t size);
/// What the kernel vouches for about the other end, as it was at connect(2).
int cl_peer(int fd, pid_t *pid, uid_t *uid, gid_t *gid);
/// The user whose the other end of a TCP connection within this machine is; -errno where the kernel does not say.
int cl_tcp_peer_user(int fd, uid_t *user);
/// A descriptor of the process that connected, which names it and no later one of the same number: SO_PEERPIDFD (Linux
/// 6.5). Before that pidfd_open(2) on `pid`, which may be another's by then if the process has ended meanwhile.
int cl_peer_pidfd(int fd, pid_t pid);
/// Connects, and waits at most this long for room in the server's queue; -EAGAIN where there was none.
int cl_connect_unix_within(const char *path, int milliseconds);
/// Limits how long a read or a write of this socket waits; then it fails with EAGAIN.
int cl_socket_timeout(int fd, int milliseconds);
/// How many bytes wait to be read from a socket (FIONREAD).
int cl_waiting_bytes(int fd);

// Waiting for many descriptors (epoll(7), eventfd(2)) ------------------------------------------------

/// What is ready of a descriptor, and what of it is waited for.
enum { CL_READABLE = 1, CL_WRITABLE = 2, CL_BROKEN = 4 };
/// How many are told of at one wait at most; the others are told of at the next.
enum { CL_MOST_EVENTS = 512 };

/// What epoll tells: the number that its descriptor was added with, and what of it is ready.
struct cl_event {
    uint64_t key;
    int ready;
};

int cl_epoll_create(void);
/// Level-triggered. That the other end is gone (CL_BROKEN) is told whatever is waited for.
int cl_epoll_add(int epoll, int fd, uint64_t key, int wanted);
/// -ENOENT where it was not added, or was closed and opened anew since.
int cl_epoll_change(int epoll, int fd, uint64_t key, int wanted);
int cl_epoll_remove(int epoll, int fd);
/// How many were written to `events`, which has room for CL_MOST_EVENTS; negative milliseconds wait for ever. A signal
/// ends the wait with 0.
int cl_epoll_wait(int epoll, struct cl_event *events, int milliseconds);

/// An eventfd that never blocks.
int cl_counter_create(void);
/// Makes it readable.
void cl_counter_raise(int fd);
/// Makes it readable no more.
void cl_counter_clear(int fd);

// A terminal that is drawn on ----------------------------------------------------------------------

/// Remembers how a terminal is set now: a crash sets it so again and writes this text to it, at most 256 bytes, before
/// the process ends as it would have.
int cl_screen_guard(int fd, const char *text);
/// Forgets it: crashes are as they were.
void cl_screen_release(void);

// Processes by descriptor (pidfd_open(2)) -----------------------------------------------------------

/// A descriptor that names the process which has this number now, and no later one.
int cl_pidfd_open(pid_t pid);
/// Sends a signal to the process that a descriptor names: -ESRCH where it has ended, whoever has its number by then.
int cl_pidfd_signal(int pidfd, int signal);
/// Whether another descriptor holds an open file description lock on the whole file: 1, 0, or -errno.
int cl_is_locked(int fd);

#endif
