#include "server/start/admin_token.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace postrider::server {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_on(fs::path const& file, int reason) {
    throw std::system_error(reason, std::generic_category(), file.string());
}

std::string without_blanks(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    auto const first = text.find_first_not_of(blank);
    if (first == text.npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(blank) - first + 1));
}

// As the same token in the environment would be: nothing is wrong with it, or what is.
std::optional<std::string> problem_of(std::string const& token) {
    auto const row = std::ranges::find(settings_table(), "server.admin_token", &base::setting::key);
    return base::problem_with(*row, token);
}

// Open and locked, so that of two processes that start at once one writes the token and the other
// reads it.
class token_file {
public:
    explicit token_file(fs::path file) : file_(std::move(file)) {
        fd_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd_ < 0 && (errno == EACCES || errno == EROFS)) {
            not_writable_ = errno;
            fd_ = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
        }
        if (fd_ < 0) fail_on(file_, errno);
        while (::flock(fd_, LOCK_EX) != 0)
            if (errno != EINTR) give_up_closed();
    }
    ~token_file() { ::close(fd_); }
    token_file(token_file const&) = delete;

    // "" = there is none.
    std::string read() {
        std::array<char, 4096> bytes;
        auto const count = ::pread(fd_, bytes.data(), bytes.size(), 0);
        if (count < 0) fail_on(file_, errno);
        return without_blanks({bytes.data(), static_cast<std::size_t>(count)});
    }

    // A crash or a full disk leaves it empty, or with the whole line.
    void write(std::string const& token) {
        if (not_writable_ != 0) fail_on(file_, not_writable_);
        auto const line = token + "\n";
        errno = 0; // a short write sets none
        bool const well =
            ::fchmod(fd_, 0600) == 0 && ::ftruncate(fd_, 0) == 0 &&
            ::pwrite(fd_, line.data(), line.size(), 0) == static_cast<ssize_t>(line.size()) &&
            ::fsync(fd_) == 0;
        if (well) return;
        auto const reason = errno != 0 ? errno : ENOSPC;
        (void)::ftruncate(fd_, 0);
        fail_on(file_, reason);
    }

private:
    [[noreturn]] void give_up_closed() {
        auto const reason = errno;
        ::close(fd_);
        fail_on(file_, reason);
    }

    fs::path file_;
    int fd_ = -1;
    int not_writable_ = 0; // why
};

} // namespace

admin_token find_admin_token(config const& settings, base::random_source& random) {
    if (!settings.admin_token.empty()) return {settings.admin_token, {}, false};
    fs::create_directories(settings.data);
    auto const path = settings.data / "admin_token";
    token_file file(path);
    if (auto kept = file.read(); !kept.empty()) {
        if (auto const problem = problem_of(kept))
            throw std::runtime_error(path.string() + ": " + *problem);
        return {base::secret(kept), path, false};
    }
    auto fresh = base::hex_token(random, 32);
    file.write(fresh);
    return {base::secret(fresh), path, true};
}

base::result<base::secret> known_admin_token(config const& settings) {
    if (!settings.admin_token.empty()) return settings.admin_token;
    auto const path = settings.data / "admin_token";
    std::error_code ec;
    std::ifstream file(path);
    if (!file.is_open() && fs::exists(path, ec))
        return base::error(base::errc::refused, path.string() + " cannot be read by this user");
    std::string const text(std::istreambuf_iterator<char>(file), {});
    auto const token = without_blanks(text);
    if (token.empty())
        return base::error(
            base::errc::not_found,
            "the owner's token is not in " + path.string() +
                ": no server of this configuration has run; POSTRIDER_ADMIN_TOKEN names another's"
        );
    if (auto const problem = problem_of(token))
        return base::error(base::errc::invalid, path.string() + ": " + *problem);
    return base::secret(token);
}

} // namespace postrider::server
