#include "agent/mcp/confinement.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace postrider::agent::mcp {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t own_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t own_architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t own_architecture = 0; // everything is refused
#endif

// All that the first version of Landlock knows. Later ones add to it: truncating, and devices.
constexpr std::uint64_t all_file_rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
constexpr std::uint64_t refer_right = 1ULL << 13;    // since the second version
constexpr std::uint64_t truncate_right = 1ULL << 14; // since the third
constexpr std::uint64_t device_right = 1ULL << 15;   // since the fifth
constexpr std::uint64_t reading_rights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t rights_of_a_file =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;

std::uint64_t known_rights(long version) {
    return all_file_rights | (version >= 2 ? refer_right : 0) |
           (version >= 3 ? truncate_right : 0) | (version >= 5 ? device_right : 0);
}

void admit(int ruleset, std::string const& path) {
    int const place = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (place < 0) return;
    struct stat kind {};
    bool const is_folder = fstat(place, &kind) == 0 && S_ISDIR(kind.st_mode);
    landlock_path_beneath_attr rule{};
    rule.allowed_access = is_folder ? reading_rights : rights_of_a_file;
    rule.parent_fd = place;
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(place);
}

// What reaches the network, other processes or the system. A thread may be started, a process may not.
constexpr std::array refused_calls {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept4, SYS_io_uring_setup,
        SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise,
        SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_kill, SYS_tkill,
        SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_setsid, SYS_setpgid, SYS_kcmp,
        SYS_perf_event_open, SYS_bpf, SYS_userfaultfd, SYS_mount, SYS_umount2, SYS_pivot_root,
        SYS_chroot, SYS_unshare, SYS_setns, SYS_open_by_handle_at, SYS_keyctl, SYS_add_key,
        SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
        SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname, SYS_settimeofday, SYS_clock_settime,
        SYS_adjtimex, SYS_clock_adjtime, SYS_setpriority, SYS_ioprio_set, SYS_sched_setscheduler,
        SYS_sched_setparam, SYS_sched_setattr, SYS_sched_setaffinity, SYS_shmget, SYS_shmat,
        SYS_shmctl, SYS_semget, SYS_semctl, SYS_msgget, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
        SYS_memfd_create, // memory that no limit counts
        SYS_fsopen, SYS_move_mount, SYS_quotactl, SYS_acct, SYS_syslog,
#if defined(__x86_64__)
        SYS_fork, SYS_vfork, SYS_iopl, SYS_ioperm, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime,
        SYS_utimes, SYS_futimesat,
#endif
        // What Landlock does not see: modes, owners, times and attributes of files.
        SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr,
        SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
};

constexpr std::uint32_t refuse_with(int number) {
    return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(number) & SECCOMP_RET_DATA);
}

constexpr sock_filter load(std::size_t offset) {
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
constexpr sock_filter end_with(std::uint32_t action) {
    return BPF_STMT(BPF_RET | BPF_K, action);
}
// Goes on with the next instruction where they are equal, else skips so many.
constexpr sock_filter unless_equal(std::uint32_t value, std::uint8_t skipped) {
    return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
}

// Their low halves: both architectures are little endian.
constexpr std::size_t first_argument = offsetof(seccomp_data, args);
constexpr std::size_t fourth_argument = first_argument + 3 * sizeof(std::uint64_t);
constexpr std::size_t fixed_instructions = 24;

constexpr auto make_filter() {
    std::array<sock_filter, fixed_instructions + 2 * refused_calls.size()> filter{};
    std::size_t size = 0;
    auto const add = [&](sock_filter instruction) { filter[size++] = instruction; };
    add(load(offsetof(seccomp_data, arch)));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 1, 0));
    add(end_with(SECCOMP_RET_KILL_PROCESS));
    add(load(offsetof(seccomp_data, nr)));
    // The other ABI of x86-64 has numbers of its own.
    constexpr std::uint32_t x32_bit = 0x40000000;
    add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, x32_bit, 0, 1));
    add(end_with(refuse_with(EPERM)));
    for (auto const number : refused_calls) {
        add(unless_equal(static_cast<std::uint32_t>(number), 1));
        add(end_with(refuse_with(EPERM)));
    }
    // The flags of clone3() cannot be seen: the C library falls back to clone().
    add(unless_equal(SYS_clone3, 1));
    add(end_with(refuse_with(ENOSYS)));
    add(unless_equal(SYS_clone, 4));
    add(load(first_argument));
    add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
    add(end_with(refuse_with(EPERM)));
    add(end_with(SECCOMP_RET_ALLOW));
    // Shared memory is none that a limit counts.
    add(unless_equal(SYS_mmap, 4));
    add(load(fourth_argument));
    add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 0, 1));
    add(end_with(refuse_with(EPERM)));
    add(end_with(SECCOMP_RET_ALLOW));
    // Limits of other processes.
    add(unless_equal(SYS_prlimit64, 4));
    add(load(first_argument));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
    add(end_with(refuse_with(EPERM)));
    add(end_with(SECCOMP_RET_ALLOW));
    add(end_with(SECCOMP_RET_ALLOW));
    return std::pair(filter, size);
}
constexpr auto call_filter = make_filter();

} // namespace

base::result<confinement> confinement::make(std::vector<std::string> const& readable) {
    auto const version =
        syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1 || own_architecture == 0)
        return base::error(
            base::errc::unavailable, "this system cannot confine a process: it has no Landlock"
        );
    landlock_ruleset_attr handled{};
    handled.handled_access_fs = known_rights(version);
    auto const ruleset = static_cast<int>(
        syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0)
    );
    if (ruleset < 0)
        return base::error(base::errc::unavailable, "this system cannot confine a process");
    for (auto const& path : readable) admit(ruleset, path);
    return confinement(ruleset);
}

confinement::confinement(confinement&& other) noexcept
    : ruleset_(std::exchange(other.ruleset_, -1)) {}

confinement::~confinement() {
    if (ruleset_ >= 0) close(ruleset_);
}

bool confinement::close_files() const noexcept {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, ruleset_, 0) == 0;
}

bool confinement::close_calls() noexcept {
    sock_fprog const program{
        .len = static_cast<unsigned short>(call_filter.second),
        .filter = const_cast<sock_filter*>(call_filter.first.data())};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

std::vector<std::string> const& system_folders() {
    static std::vector<std::string> const all{
        "/usr/bin",
        "/usr/lib",
        "/usr/lib64",
        "/usr/local/bin",
        "/usr/local/lib",
        "/usr/share/nodejs",
        "/usr/share/zoneinfo",
        "/bin",
        "/lib",
        "/lib64",
        "/etc/ld.so.cache",
        "/etc/localtime",
        "/etc/ssl/openssl.cnf",
        "/dev/null",
        "/dev/urandom",
    };
    return all;
}

} // namespace postrider::agent::mcp
