#include "agent/mcp/confinement.hpp"

#include "agent/mcp/call_filter.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace postrider::agent::mcp {

namespace {

// All that the first version of Landlock knows. Later ones add to it: truncating, and devices.
constexpr std::uint64_t all_file_rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
constexpr std::uint64_t refer_right = 1ULL << 13;    // since the second version
constexpr std::uint64_t truncate_right = 1ULL << 14; // since the third
constexpr std::uint64_t device_right = 1ULL << 15;   // since the fifth
constexpr std::uint64_t reading_rights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t rights_of_a_file =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;

constexpr unsigned nobody = 65'534; // user and group that own nothing

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

} // namespace

base::result<confinement> confinement::make(std::vector<std::string> const& readable) {
    auto const version =
        syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1 || !has_call_filter())
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

bool confinement::give_up_rights() noexcept {
    if (geteuid() != 0) return true;
    // The C library's own would signal threads that a child does not have.
    return syscall(SYS_setgroups, 0, nullptr) == 0 &&
           syscall(SYS_setresgid, nobody, nobody, nobody) == 0 &&
           syscall(SYS_setresuid, nobody, nobody, nobody) == 0;
}

bool confinement::close_files() const noexcept {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, ruleset_, 0) == 0;
}

std::vector<std::string> const& system_folders() {
    static std::vector<std::string> const all{
        "/usr/bin",
        "/usr/lib",
        "/usr/lib64",
        "/usr/local/bin",
        "/usr/local/lib",
        "/usr/share/nodejs",
        "/usr/share/poppler",
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
