#include "storage/cluster/folder.hpp"

#include "base/log.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace postrider::storage::cluster {

namespace {

namespace fs = std::filesystem;

// sun_path holds 107 bytes, and the server appends its file's name.
constexpr std::size_t longest_socket_folder = 100 - sizeof("/.s.PGSQL.5432.lock");

// FNV-1a: a short name that is the same at every start.
std::string hash(fs::path const& path) {
    std::uint64_t value = 0xcbf29ce484222325;
    for (unsigned char c : path.string()) value = (value ^ c) * 0x100000001b3;
    return fmt::format("{:016x}", value);
}

base::error refuse(fs::path const& path, std::string const& reason) {
    return {base::errc::refused, path.string() + " cannot be used for the database: " + reason};
}

bool is_foreign(fs::path const& folder) {
    std::error_code ec;
    if (fs::exists(folder / "start.lock", ec)) return false;
    return fs::directory_iterator(folder, ec) != fs::directory_iterator{};
}

// A folder that only the account can enter.
base::result<void> own(fs::path const& folder, account const& owner) {
    if (mkdir(folder.c_str(), 0700) == 0) return give_to(folder, owner);
    if (errno != EEXIST) return refuse(folder, std::strerror(errno));
    struct stat status {};
    if (lstat(folder.c_str(), &status) != 0) return refuse(folder, std::strerror(errno));
    if (!S_ISDIR(status.st_mode)) return refuse(folder, "it is not a folder");
    if (status.st_uid == 0 && geteuid() == 0) {
        if (auto owned = give_to(folder, owner); !owned) return owned;
    } else if (status.st_uid != owner.user) {
        return refuse(folder, "it belongs to another user");
    }
    if ((status.st_mode & 077) != 0 && chmod(folder.c_str(), 0700) != 0)
        return refuse(folder, std::strerror(errno));
    return {};
}

base::result<void> make_above(fs::path const& folder) {
    std::error_code ec;
    fs::create_directories(folder.parent_path(), ec);
    if (ec) return refuse(folder, ec.message());
    return {};
}

bool fits_a_socket(fs::path const& folder) {
    auto const text = folder.string();
    // The setting is a list: no commas and quotes.
    return text.size() <= longest_socket_folder && text.find_first_of(",\"' ") == text.npos;
}

// Where the user postgres can go.
fs::path substitute_for(fs::path const& folder) {
    return fs::path("/var/lib/postrider") / hash(folder);
}

} // namespace

base::result<place> prepare_folder(fs::path const& path) {
    auto folder = fs::weakly_canonical(fs::absolute(path));
    if (auto prepared = make_above(folder); !prepared) return prepared.error();
    auto owner = account_for(folder / "data");
    if (!owner) return owner.error();
    if (!can_enter(folder.parent_path(), *owner)) {
        auto const reachable = substitute_for(folder);
        base::log::warn(
            "cluster.moved",
            {{"user", owner->name}, {"cannot_enter", folder.string()}, {"used", reachable.string()}}
        );
        folder = reachable;
        if (auto prepared = make_above(folder); !prepared) return prepared.error();
        owner = account_for(folder / "data");
        if (!owner) return owner.error();
    }
    std::error_code ec;
    if (fs::exists(folder, ec) && !fs::is_directory(folder, ec))
        return refuse(folder, "it is not a folder");
    if (is_foreign(folder)) return refuse(folder, "it holds other files");
    if (auto prepared = own(folder, *owner); !prepared) return prepared.error();

    place result{*owner, folder, folder / "data", folder / "postgres.log", folder};
    if (!fits_a_socket(folder)) {
        result.socket = fmt::format("/tmp/postrider-{}-{}", owner->user, hash(folder));
        if (auto prepared = own(result.socket, *owner); !prepared) return prepared.error();
    }
    return result;
}

bool is_prepared(fs::path const& path) {
    std::error_code ec;
    auto const folder = fs::weakly_canonical(fs::absolute(path), ec);
    return fs::exists(folder / "start.lock", ec) ||
           fs::exists(substitute_for(folder) / "start.lock", ec);
}

} // namespace postrider::storage::cluster
