#include "tests/support/postgres.hpp"

#include "storage/cluster/file_lock.hpp"
#include "storage/migrations.hpp"
#include "storage/pg/connection.hpp"
#include "storage/private_cluster.hpp"
#include "tests/support/paths.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <thread>
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

// FNV-1a over all files of sql/ and their number: another schema is another template.
std::string template_name() {
    auto const& schema = storage::embedded_schema();
    std::uint64_t value = 0xcbf29ce484222325 ^ static_cast<std::uint64_t>(schema.number);
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

// Written once, when the cluster is new. Many tests share it; nothing in it outlives a run, so it waits for
// no disk. What durability is tested on is a cluster of the test's own. ctest runs three programs for each
// processor; a program has some ten connections, and up to 16 more while it drops databases.
std::vector<std::string> settings() {
    return {
        fmt::format("max_connections = {}", 100 * (1 + std::thread::hardware_concurrency())),
        "fsync = off",
        "full_page_writes = off",
        "autovacuum = off",
    };
}

std::unique_ptr<storage::private_cluster> join_configured_cluster() {
    auto cluster = join_cluster();
    if (ask(cluster->url(), "show fsync").at(0).text(0) == "off") return cluster;
    for (auto const& setting : settings())
        run_script(cluster->url(), fmt::format("alter system set {}", setting));
    cluster->stop();
    return join_cluster();
}

// "t_<pid>_<n>"
bool left_behind(std::string const& database) {
    return kill(std::atoi(database.c_str() + 2), 0) != 0 && errno == ESRCH;
}

// Dropped side by side, a batch at a time and at the end of the process: each drop waits for a checkpoint,
// and those that wait together share one.
class unwanted_databases {
public:
    ~unwanted_databases() { drop(); }
    void add(std::string name) {
        std::scoped_lock const lock(mutex_);
        names_.push_back(std::move(name));
        if (names_.size() >= batch) drop();
    }

private:
    static constexpr std::size_t batch = 16;

    void drop() {
        std::vector<std::jthread> droppers;
        for (auto const& name : names_) droppers.emplace_back(drop_one, name);
        droppers.clear();
        names_.clear();
    }
    static void drop_one(std::string const& name) {
        try {
            run_script(test_server(), "drop database " + name + " with (force)");
        } catch (std::exception const&) {
            // The next start of the cluster drops it.
        }
    }

    std::mutex mutex_;
    std::vector<std::string> names_;
};

} // namespace

// In memory, where there is room when it is made.
fs::path test_cluster_folder() {
    auto const build = built("");
    auto const name =
        fmt::format("postrider-tests-{}-{}", getuid(), std::hash<std::string>{}(build));
    auto const memory = fs::path("/dev/shm") / name / "postgres";
    std::error_code ec;
    if (fs::exists(memory, ec)) return memory;
    auto const space = fs::space("/dev/shm", ec);
    if (!ec && space.available > 2'000'000'000) return memory;
    return fs::path(build) / "test-postgres";
}

std::vector<fs::path> quick_programs() {
    auto const real = real_programs();
    fs::path const folder = built("test-programs");
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
    static auto* const cluster = join_configured_cluster().release();
    return cluster->url();
}

void start_test_cluster() {
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
    static unwanted_databases unwanted;
    unwanted.add(name_);
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
