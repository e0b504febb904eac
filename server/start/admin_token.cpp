#include "server/start/admin_token.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace postrider::server {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void give_up(fs::path const& file, int why) {
    throw std::system_error(why, std::generic_category(), file.string());
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
        if (fd_ < 0) give_up(file_, errno);
        while (::flock(fd_, LOCK_EX) != 0)
            if (errno != EINTR) give_up_closed();
    }
    ~token_file() { ::close(fd_); }
    token_file(token_file const&) = delete;

    // The first word; "" = there is none.
    std::string read() {
        std::array<char, 4096> bytes;
        auto const count = ::pread(fd_, bytes.data(), bytes.size(), 0);
        if (count < 0) give_up(file_, errno);
        std::string_view text(bytes.data(), static_cast<std::size_t>(count));
        constexpr std::string_view blank = " \t\r\n";
        text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
        return std::string(text.substr(0, text.find_first_of(blank)));
    }

    // A crash or a full disk leaves it empty, or with the whole line.
    void write(std::string const& token) {
        if (not_writable_ != 0) give_up(file_, not_writable_);
        auto const line = token + "\n";
        errno = 0; // a short write sets none
        bool const well =
            ::fchmod(fd_, 0600) == 0 && ::ftruncate(fd_, 0) == 0 &&
            ::pwrite(fd_, line.data(), line.size(), 0) == static_cast<ssize_t>(line.size()) &&
            ::fsync(fd_) == 0;
        if (well) return;
        auto const why = errno != 0 ? errno : ENOSPC;
        (void)::ftruncate(fd_, 0);
        give_up(file_, why);
    }

private:
    [[noreturn]] void give_up_closed() {
        auto const why = errno;
        ::close(fd_);
        give_up(file_, why);
    }

    fs::path file_;
    int fd_ = -1;
    int not_writable_ = 0; // why
};

} // namespace

admin_token find_admin_token(config const& from, base::random_source& random) {
    if (!from.admin_token.empty()) return {from.admin_token, {}, false};
    fs::create_directories(from.data);
    auto const path = from.data / "admin_token";
    token_file file(path);
    if (auto kept = file.read(); !kept.empty()) return {base::secret(kept), path, false};
    auto fresh = base::hex_token(random, 32);
    file.write(fresh);
    return {base::secret(fresh), path, true};
}

} // namespace postrider::server
