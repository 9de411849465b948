#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// What a crash does with a terminal that is drawn on: only async-signal-safe calls (signal-safety(7)).
static volatile sig_atomic_t guarded = -1;
static struct termios found;
static char sequence[256];
static size_t sequence_length;
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGQUIT};

static void give_back(int number) {
    int fd = guarded;
    guarded = -1;
    if (fd >= 0) {
        if (write(fd, sequence, sequence_length) < 0) { /* The terminal is gone. */
        }
        tcsetattr(fd, TCSANOW, &found);
    }
    // The handler was reset when it was called: this ends the process as the signal would have.
    raise(number);
}

int cl_screen_guard(int fd, const char *text) {
    size_t length = strlen(text);
    if (length > sizeof sequence) return -E2BIG;
    if (tcgetattr(fd, &found) != 0) return -errno;
    memcpy(sequence, text, length);
    sequence_length = length;
    guarded = fd;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = give_back;
    action.sa_flags = (int)SA_RESETHAND | SA_NODEFER;
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        if (sigaction(crashes[i], &action, NULL) != 0) return -errno;
    }
    return 0;
}

void cl_screen_release(void) {
    if (guarded < 0) return;
    guarded = -1;
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
}
