#include "tests/support/postgres.hpp"

#include "storage/cluster/file_lock.hpp"
#include "storage/migrations.hpp"
#include "storage/pg/connection.hpp"
#include "storage/private_cluster.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <unistd.h>

namespace postrider::tests {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

template<class T>
T or_throw(base::result<T> from) {
    if (!from) throw std::runtime_error("test cluster: " + base::to_string(from.error()));
    if constexpr (!std::is_void_v<T>) return std::move(*from);
}

std::unique_ptr<storage::private_cluster> join_cluster() {
    return or_throw(storage::start_private_cluster(test_cluster_folder(), quick_programs()));
}

fs::path real_programs() {
    for (auto const& folder : storage::server_folders())
        if (fs::exists(folder / "initdb") && fs::exists(folder / "postgres")) return folder;
    throw std::runtime_error("no Postgres server on this machine");
}

std::string url_of(std::string_view database) {
    auto const& server = test_server();
    return server.substr(0, server.rfind("dbname=")) + "dbname=" + std::string(database);
}

storage::rows ask(std::string const& url, std::string_view sql) {
    storage::database_options options;
    options.url = url;
    auto db = storage::pg::connect(options, storage::pg::purpose::general);
    return db->query({"test", sql}, {});
}

// FNV-1a over all files of sql/: another schema is another template.
std::string template_name() {
    std::uint64_t value = 0xcbf29ce484222325;
    auto const& schema = storage::embedded_schema();
    for (auto const& files : {schema.tables, schema.functions, schema.views})
        for (auto const& file : files)
            for (unsigned char c : file.sql) value = (value ^ c) * 0x100000001b3;
    return fmt::format("template_{:016x}", value);
}

bool exists(std::string const& database) {
    return !ask(test_server(), "select 1 from pg_database where datname = '" + database + "'")
                .empty();
}

// Made under another name and renamed, so that it is complete when it is there.
std::string template_database() {
    auto const name = template_name();
    if (exists(name)) return name;
    auto lock =
        or_throw(storage::cluster::file_lock::open(test_cluster_folder() / "template.lock"));
    if (!lock.own(60s)) throw std::runtime_error("the template database is not ready in time");
    if (exists(name)) return name;
    auto const half = name + "_half";
    run_script(test_server(), "drop database if exists " + half + " with (force)");
    run_script(test_server(), "create database " + half);
    storage::database_options options;
    options.url = url_of(half);
    or_throw(storage::migrate(options));
    run_script(test_server(), "alter database " + half + " rename to " + name);
    return name;
}

// Tests that run side by side share it. A server takes the number only when it starts.
void allow_many_connections() {
    constexpr auto most = "300";
    auto cluster = join_cluster();
    auto const shown = ask(cluster->url(), "show max_connections");
    if (shown.at(0).text(0) == most) return cluster->leave();
    run_script(cluster->url(), fmt::format("alter system set max_connections = {}", most));
    cluster->stop();
}

// "t_<pid>_<n>"
bool left_behind(std::string const& database) {
    return kill(std::atoi(database.c_str() + 2), 0) != 0 && errno == ESRCH;
}

} // namespace

fs::path test_cluster_folder() {
    return fs::read_symlink("/proc/self/exe").parent_path() / "test-postgres";
}

std::vector<fs::path> quick_programs() {
    auto const real = real_programs();
    auto const folder = test_cluster_folder().parent_path() / "test-programs";
    // Other test processes may be doing the same: each file appears complete.
    auto const own = fs::path(folder) += "-" + std::to_string(getpid());
    fs::create_directories(folder);
    fs::create_directories(own);
    for (auto const* name : {"postgres", "pg_ctl"}) fs::create_symlink(real / name, own / name);
    std::ofstream{own / "initdb"} << "#!/bin/sh\nexec " << real.string()
                                  << "/initdb --no-sync \"$@\"\n";
    fs::permissions(own / "initdb", fs::perms{0755});
    for (auto const* name : {"postgres", "pg_ctl", "initdb"}) fs::rename(own / name, folder / name);
    fs::remove_all(own);
    return {folder};
}

void run_script(std::string const& url, std::string_view sql) {
    storage::database_options options;
    options.url = url;
    storage::pg::connect(options, storage::pg::purpose::general)->script(sql);
}

std::string test_server() {
    // Never destroyed: the lock on the cluster is held until the process ends, however it ends.
    static auto const* url = [] {
        static auto* cluster = join_cluster().release();
        auto address = cluster->url();
        auto const* fsync = std::getenv("POSTRIDER_TEST_FSYNC") ? "on" : "off";
        run_script(address, fmt::format("alter system set fsync = {}", fsync));
        run_script(address, "select pg_reload_conf()");
        return new std::string(std::move(address));
    }();
    return *url;
}

void start_test_cluster() {
    allow_many_connections();
    for (auto const& line :
         ask(test_server(), "select datname from pg_database where datname ~ '^t_[0-9]+_'"))
        if (left_behind(line.text(0)))
            run_script(test_server(), "drop database if exists " + line.text(0) + " with (force)");
    template_database();
}

void stop_test_cluster() {
    join_cluster()->stop();
}

test_database::test_database(content with) {
    static std::atomic<int> count{0};
    name_ = fmt::format("t_{}_{}", getpid(), ++count);
    auto from = with == content::migrated ? template_database() : std::string("template1");
    run_script(test_server(), "create database " + name_ + " template " + from);
    url_ = url_of(name_);
}

test_database::~test_database() {
    try {
        run_script(test_server(), "drop database " + name_ + " with (force)");
    } catch (std::exception const&) {
        // The next start of the cluster drops it.
    }
}

storage::database_options test_database::options() const {
    storage::database_options options;
    options.url = url_;
    return options;
}

std::string test_database::value(std::string_view sql) const {
    auto const found = ask(url_, sql);
    if (found.empty() || found.front().size() == 0) return "";
    return found.front().optional_text(0).value_or("");
}

} // namespace postrider::tests
