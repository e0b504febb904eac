#include "agent/mcp/call_filter.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <initializer_list>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace postrider::agent::mcp {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t own_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t own_architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t own_architecture = 0; // everything is refused
#endif

// What interpreters need to calculate, to read files and to wait. They see no other process with it, and
// Landlock decides on the files.
constexpr std::array allowed_calls {
    SYS_read, SYS_readv, SYS_pread64, SYS_preadv, SYS_preadv2, SYS_write, SYS_writev, SYS_close,
        SYS_close_range, SYS_lseek, SYS_dup, SYS_dup3, SYS_pipe2, SYS_fstat, SYS_newfstatat,
        SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_faccessat2, SYS_readlinkat,
        SYS_getdents64, SYS_getcwd, SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl,
        SYS_epoll_pwait, SYS_epoll_pwait2, SYS_eventfd2, SYS_timerfd_create, SYS_timerfd_settime,
        SYS_timerfd_gettime, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk,
        SYS_membarrier, SYS_futex, SYS_set_robust_list, SYS_set_tid_address, SYS_rseq,
        SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigtimedwait,
        SYS_rt_sigsuspend, SYS_rt_sigpending, SYS_sigaltstack, SYS_restart_syscall, SYS_nanosleep,
        SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_times,
        SYS_getitimer, SYS_setitimer, SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getparam,
        SYS_sched_getscheduler, SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_getcpu,
        SYS_getpid, SYS_getppid, SYS_gettid, SYS_getpgid, SYS_getsid, SYS_getuid, SYS_geteuid,
        SYS_getgid, SYS_getegid, SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_capget,
        SYS_getrandom, SYS_getrlimit, SYS_getrusage, SYS_sysinfo, SYS_uname, SYS_umask, SYS_wait4,
        SYS_waitid, SYS_execve, SYS_exit, SYS_exit_group,
#if defined(__x86_64__)
        SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_dup2, SYS_pipe, SYS_poll,
        SYS_select, SYS_epoll_create, SYS_epoll_wait, SYS_eventfd, SYS_time, SYS_alarm, SYS_pause,
        SYS_getpgrp, SYS_arch_prctl,
#endif
};

// Reading only: Landlock before its third version lets a file that it does not let be written be emptied.
constexpr std::uint32_t writing_flags = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

// Private memory alone counts against the limit of data; a mapping that grows down counts as a stack.
constexpr std::uint32_t usual_mappings =
    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_NORESERVE | MAP_STACK |
    MAP_DENYWRITE | MAP_EXECUTABLE | MAP_POPULATE | MAP_NONBLOCK;

// A process and its threads share all of these.
constexpr std::uint32_t new_namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                         CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

// Not among them: what names a process that a descriptor's events signal, and the size of a pipe.
constexpr std::array<std::uint32_t, 6> descriptor_commands{
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL};
constexpr std::array<std::uint32_t, 6> device_commands{
    FIONBIO, FIOCLEX, FIONCLEX, FIONREAD, TCGETS, TIOCGWINSZ};
constexpr std::array<std::uint32_t, 3> own_settings{PR_SET_NAME, PR_GET_NAME, PR_SET_VMA};

// Later calls are not in the list above, however they are numbered; so are those of the other ABI of x86-64.
constexpr std::uint32_t first_unknown_call = 449;

constexpr std::uint32_t refuse_with(int number) {
    return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(number) & SECCOMP_RET_DATA);
}

class filter_writer {
public:
    constexpr void load(std::size_t offset) {
        add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
    }
    constexpr void end_with(std::uint32_t action) { add(BPF_STMT(BPF_RET | BPF_K, action)); }
    // Skips so many instructions where the value does not compare so.
    constexpr void unless(std::uint16_t comparison, std::uint32_t value, std::size_t skipped) {
        add(BPF_JUMP(
            static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K),
            value,
            0,
            static_cast<std::uint8_t>(skipped)
        ));
    }
    // The low half of an argument: both architectures are little endian, and the kernel reads no more of
    // those that are checked.
    constexpr void load_argument(std::size_t index) {
        load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
    }

    constexpr void allow(long call) {
        unless(BPF_JEQ, static_cast<std::uint32_t>(call), 1);
        end_with(SECCOMP_RET_ALLOW);
    }
    constexpr void allow_without(long call, std::size_t argument, std::uint32_t bits) {
        unless(BPF_JEQ, static_cast<std::uint32_t>(call), 4);
        load_argument(argument);
        unless(BPF_JSET, bits, 1);
        end_with(refuse_with(EPERM));
        end_with(SECCOMP_RET_ALLOW);
    }
    template<std::size_t N>
    constexpr void allow_values(
        long call, std::size_t argument, std::array<std::uint32_t, N> const& values
    ) {
        unless(BPF_JEQ, static_cast<std::uint32_t>(call), 2 * N + 2);
        load_argument(argument);
        for (auto const value : values) {
            unless(BPF_JEQ, value, 1);
            end_with(SECCOMP_RET_ALLOW);
        }
        end_with(refuse_with(EPERM));
    }

    constexpr void add(sock_filter instruction) { instructions[size++] = instruction; }

    std::array<sock_filter, 400> instructions{};
    std::size_t size = 0;
};

constexpr filter_writer make_call_filter() {
    filter_writer filter;
    filter.load(offsetof(seccomp_data, arch));
    filter.add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 1, 0));
    filter.end_with(SECCOMP_RET_KILL_PROCESS);
    filter.load(offsetof(seccomp_data, nr));
    filter.unless(BPF_JGE, first_unknown_call, 1);
    filter.end_with(refuse_with(ENOSYS));
    for (auto const call : allowed_calls) filter.allow(call);
    filter.allow_without(SYS_openat, 2, writing_flags);
#if defined(__x86_64__)
    filter.allow_without(SYS_open, 1, writing_flags);
#endif
    filter.allow_without(SYS_mmap, 3, ~usual_mappings);
    filter.allow_values(SYS_fcntl, 1, descriptor_commands);
    filter.allow_values(SYS_ioctl, 1, device_commands);
    filter.allow_values(SYS_prctl, 0, own_settings);
    // A thread may be started, a process may not.
    filter.unless(BPF_JEQ, SYS_clone, 6);
    filter.load_argument(0);
    filter.unless(BPF_JSET, new_namespaces, 1);
    filter.end_with(refuse_with(EPERM));
    filter.unless(BPF_JSET, CLONE_THREAD, 1);
    filter.end_with(SECCOMP_RET_ALLOW);
    filter.end_with(refuse_with(EPERM));
    // The flags of clone3() cannot be seen: the C library falls back to clone().
    filter.unless(BPF_JEQ, SYS_clone3, 1);
    filter.end_with(refuse_with(ENOSYS));
    // Its own limits, without new ones: a superuser could raise them.
    filter.unless(BPF_JEQ, SYS_prlimit64, 8);
    filter.load_argument(0);
    filter.unless(BPF_JEQ, 0, 5);
    filter.load_argument(2);
    filter.unless(BPF_JEQ, 0, 3);
    filter.load(offsetof(seccomp_data, args[2]) + sizeof(std::uint32_t));
    filter.unless(BPF_JEQ, 0, 1);
    filter.end_with(SECCOMP_RET_ALLOW);
    filter.end_with(refuse_with(EPERM));
    filter.end_with(refuse_with(EPERM));
    return filter;
}
constexpr auto call_filter = make_call_filter();

} // namespace

bool has_call_filter() noexcept {
    return own_architecture != 0;
}

bool close_calls() noexcept {
    sock_fprog const program{
        .len = static_cast<unsigned short>(call_filter.size),
        .filter = const_cast<sock_filter*>(call_filter.instructions.data())};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

} // namespace postrider::agent::mcp
