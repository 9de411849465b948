#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cl_epoll_create(void) {
    int fd = epoll_create1(EPOLL_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int control(int epoll, int operation, int fd, uint64_t key, int wanted) {
    struct epoll_event event = {.events = 0, .data.u64 = key};
    if (wanted & CL_READABLE) event.events |= EPOLLIN;
    if (wanted & CL_WRITABLE) event.events |= EPOLLOUT;
    return epoll_ctl(epoll, operation, fd, &event) == 0 ? 0 : -errno;
}

int cl_epoll_add(int epoll, int fd, uint64_t key, int wanted) {
    return control(epoll, EPOLL_CTL_ADD, fd, key, wanted);
}

int cl_epoll_change(int epoll, int fd, uint64_t key, int wanted) {
    return control(epoll, EPOLL_CTL_MOD, fd, key, wanted);
}

int cl_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int cl_epoll_wait(int epoll, struct cl_event *events, int milliseconds) {
    struct epoll_event found[CL_MOST_EVENTS];
    int count = epoll_wait(epoll, found, CL_MOST_EVENTS, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++) {
        events[i].key = found[i].data.u64;
        events[i].ready = 0;
        if (found[i].events & EPOLLIN) events[i].ready |= CL_READABLE;
        if (found[i].events & EPOLLOUT) events[i].ready |= CL_WRITABLE;
        if (found[i].events & (EPOLLHUP | EPOLLERR)) events[i].ready |= CL_BROKEN;
    }
    return count;
}

int cl_counter_create(void) {
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

void cl_counter_raise(int fd) {
    uint64_t one = 1;
    if (write(fd, &one, sizeof one) < 0) { /* Full: it is readable all the same. */
    }
}

void cl_counter_clear(int fd) {
    uint64_t count;
    if (read(fd, &count, sizeof count) < 0) { /* It was clear already. */
    }
}

int cl_waiting_bytes(int fd) {
    int count = 0;
    return ioctl(fd, FIONREAD, &count) == 0 ? count : -errno;
}
