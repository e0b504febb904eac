#include "server/admin_token.hpp"

#include <fcntl.h>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace postrider::server {

namespace {

[[noreturn]] void give_up(std::filesystem::path const& file) {
    throw std::system_error(errno, std::generic_category(), file.string());
}

// Never overwrites: of two processes that start at once one wins, and the other reads.
bool write_new(std::filesystem::path const& file, std::string const& text) {
    int const out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out < 0 && errno == EEXIST) return false;
    if (out < 0) give_up(file);
    auto const line = text + "\n";
    auto const written = ::write(out, line.data(), line.size());
    bool const well = written == static_cast<ssize_t>(line.size()) && ::fsync(out) == 0;
    ::close(out);
    if (!well) give_up(file);
    return true;
}

} // namespace

admin_token find_admin_token(config const& from, base::random_source& random) {
    if (!from.admin_token.empty()) return {from.admin_token, {}, false};
    std::filesystem::create_directories(from.data);
    auto const file = from.data / "admin_token";
    auto fresh = base::hex_token(random, 32);
    if (write_new(file, fresh)) return {base::secret(fresh), file, true};
    std::ifstream in(file);
    std::string kept;
    if (!(in >> kept)) give_up(file);
    return {base::secret(kept), file, false};
}

} // namespace postrider::server
