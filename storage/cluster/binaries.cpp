#include "storage/cluster/binaries.hpp"

#include "storage/private_cluster.hpp"

#include <algorithm>
#include <charconv>

namespace postrider::storage {

namespace {

namespace fs = std::filesystem;

int number_in(std::string_view text) {
    auto const first = text.find_first_of("0123456789");
    int number = 0;
    if (first != text.npos) std::from_chars(text.data() + first, text.data() + text.size(), number);
    return number;
}

// Folders like root/15/bin, root/pgsql-15/bin or root/postgresql15, newest first.
void add_versions(std::vector<fs::path>& folders, fs::path const& root, std::string_view prefix) {
    std::vector<std::pair<int, fs::path>> versions;
    std::error_code ec;
    for (auto const& entry : fs::directory_iterator(root, ec)) {
        auto const name = entry.path().filename().string();
        if (name.starts_with(prefix) && number_in(name) > 0)
            versions.emplace_back(number_in(name), entry.path());
    }
    std::ranges::sort(versions, std::greater{});
    for (auto& [version, folder] : versions) {
        folders.push_back(folder / "bin");
        folders.push_back(std::move(folder));
    }
}

} // namespace

std::vector<fs::path> server_folders(std::string_view path) {
    std::vector<fs::path> folders;
    while (!path.empty()) {
        auto const colon = path.find(':');
        if (auto const folder = path.substr(0, colon); folder.starts_with('/'))
            folders.emplace_back(folder);
        path = colon == path.npos ? std::string_view{} : path.substr(colon + 1);
    }
    add_versions(folders, "/usr/lib/postgresql", "");    // Debian, Ubuntu
    add_versions(folders, "/usr", "pgsql-");             // packages of postgresql.org for Red Hat
    add_versions(folders, "/usr/libexec", "postgresql"); // Alpine
    for (auto const* folder : {"/usr/local/pgsql/bin", "/usr/local/bin", "/usr/bin"})
        folders.emplace_back(folder);
    return folders;
}

namespace cluster {

base::result<binaries> find_binaries(
    std::vector<fs::path> const& folders, std::optional<int> required, account const& as
) {
    int too_old = 0;
    for (auto const& folder : folders) {
        std::error_code ec;
        if (!fs::exists(folder / "postgres", ec) || !fs::exists(folder / "initdb", ec) ||
            !fs::exists(folder / "pg_ctl", ec))
            continue;
        // "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"
        auto const answer = run({folder / "postgres", "--version"}, as);
        int const version = answer.status == 0 ? number_in(answer.output) : 0;
        if (version < oldest_supported)
            too_old = std::max(too_old, version);
        else if (!required || *required == version)
            return binaries{folder, version};
    }
    if (required)
        return base::error(
            base::errc::not_found,
            "this cluster belongs to Postgres " + std::to_string(*required) +
                ", which is not installed: install the package postgresql-" +
                std::to_string(*required)
        );
    if (too_old > 0)
        return base::error(
            base::errc::refused,
            "Postgres " + std::to_string(too_old) +
                " is too old: " + std::to_string(oldest_supported) + " or newer is needed"
        );
    return base::error(
        base::errc::not_found,
        "no Postgres server on this machine: install the package postgresql, or set DATABASE_URL"
    );
}

} // namespace cluster

} // namespace postrider::storage
