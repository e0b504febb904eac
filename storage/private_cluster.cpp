#include "storage/private_cluster.hpp"

#include "base/log.hpp"
#include "storage/cluster/binaries.hpp"
#include "storage/cluster/file_lock.hpp"
#include "storage/cluster/folder.hpp"
#include "storage/cluster/guard.hpp"
#include "storage/cluster/postmaster.hpp"
#include "storage/pg/connection.hpp"

#include <charconv>
#include <fstream>
#include <locale.h>
#include <sstream>
#include <thread>

namespace postrider::storage {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto patience = 60s;
constexpr auto shortly = 5s; // what a stop may have to wait for
constexpr auto silence = 5s; // of a server that hangs; libpq counts whole seconds of it

constexpr statement find_database{
    "cluster.find_database", "select 1 from pg_database where datname = 'postrider'"};

std::string read_file(fs::path const& file, std::uintmax_t from = 0) {
    std::ifstream in{file};
    in.seekg(static_cast<std::streamoff>(from));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::uintmax_t size_of(fs::path const& file) {
    std::error_code ec;
    auto const size = fs::file_size(file, ec);
    return ec ? 0 : size;
}

std::string end_of(std::string text) {
    constexpr std::size_t enough = 1'500;
    if (text.size() > enough) text.erase(0, text.size() - enough);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

// One cluster's programs, folders and account.
class server {
public:
    server(cluster::place place, cluster::binaries programs)
        : place_(std::move(place)),
          programs_(std::move(programs)) {}

    cluster::place const& place() const { return place_; }
    // A server whose process cannot be seen from here, in a container for one, answers all the same.
    bool is_alive() const { return cluster::postmaster_lives(place_.data) || answers(); }

    std::string url(std::string_view database) const {
        return "host='" + place_.socket.string() +
               "' port=5432 user=postrider dbname=" + std::string(database);
    }

    // initdb into another folder first: a half-made cluster is never mistaken for one.
    base::result<void> make() {
        auto const fresh = place_.folder / "data.new";
        std::error_code ec;
        fs::remove_all(fresh, ec);
        auto const locale = newlocale(LC_ALL_MASK, "C.UTF-8", nullptr);
        if (locale) freelocale(locale);
        auto const initdb =
            run("initdb",
                {"--pgdata=" + fresh.string(),
                 "--username=postrider",
                 "--encoding=UTF8",
                 locale ? "--locale=C.UTF-8" : "--locale=C",
                 "--auth-local=trust", // the folder lets nobody else in
                 "--auth-host=reject",
                 "--data-checksums"});
        if (initdb.status != 0)
            return base::error(base::errc::unavailable, "initdb failed: " + end_of(initdb.output));
        std::ofstream{fresh / "postgresql.conf", std::ios::app} << "include 'postrider.conf'\n";
        fs::rename(fresh, place_.data);
        base::log::info("cluster.made", {{"folder", place_.folder.string()}});
        return {};
    }

    // Written at every start: the folder may have been moved.
    base::result<void> configure() {
        auto const file = place_.data / "postrider.conf";
        std::ofstream out{file};
        out << "# Written by postrider at every start. Settings of your own: alter system set ...\n"
               "listen_addresses = ''\n"
               "port = 5432\n"
               "unix_socket_directories = '"
            << place_.socket.string()
            << "'\n"
               "unix_socket_permissions = 0700\n"
               "max_connections = 60\n"
               "shared_buffers = 128MB\n"
               "logging_collector = off\n"
               "log_line_prefix = '%m [%p] %a '\n";
        out.close();
        if (!out) return base::error(base::errc::refused, file.string() + " cannot be written");
        return cluster::give_to(file, place_.owner);
    }

    // Gives up soon after it was asked to stop; `limit` is for one try of pg_ctl.
    base::result<void> start(std::stop_token const& stop, std::chrono::seconds limit) {
        auto const running = joined(stop);
        if (!running) return running.error();
        if (*running) {
            base::log::info("cluster.rejoined", {{"folder", place_.folder.string()}});
            return {};
        }
        if (stop.stop_requested()) return base::error(base::errc::unavailable, "it is to stop");
        cluster::forget_stale_pid(place_.data);
        if (auto done = configure(); !done) return done;
        // Only what this try wrote is shown: what stands before it may quote rows.
        auto const written = size_of(place_.log);
        auto const started =
            run("pg_ctl",
                {"start",
                 "--wait",
                 "--timeout=" + std::to_string(limit.count()),
                 "--silent",
                 "--log=" + place_.log.string(),
                 data()});
        if (started.status != 0)
            return base::error(
                base::errc::unavailable,
                "Postgres does not start: " +
                    end_of(read_file(place_.log, written) + started.output)
            );
        base::log::info(
            "cluster.started", {{"folder", place_.folder.string()}, {"version", programs_.version}}
        );
        return {};
    }

    void make_database() {
        auto db = pg::connect({.url = url("postgres")}, pg::purpose::general);
        if (db->query(find_database, {}).empty()) db->script("create database postrider");
    }

    void stop() {
        if (!is_alive()) return;
        auto const stopped =
            run("pg_ctl", {"stop", "--wait", "--mode=fast", "--timeout=60", "--silent", data()});
        if (stopped.status == 0)
            base::log::info("cluster.stopped", {{"folder", place_.folder.string()}});
        else
            base::log::error("cluster.not_stopped", {{"error", end_of(stopped.output)}});
    }

private:
    cluster::finished run(std::string_view program, std::vector<std::string> words) {
        words.insert(words.begin(), programs_.folder / program);
        return cluster::run(words, place_.owner);
    }
    std::string data() const { return "--pgdata=" + place_.data.string(); }

    bool answers() const {
        try {
            pg::connect({.url = url("postgres"), .connect_timeout = silence}, pg::purpose::general);
            return true;
        } catch (pg::failure const&) {
            return false;
        }
    }

    // Waits for a server that is just starting, recovering or stopping; not for one that hangs. Such
    // a server keeps its folder: nothing can be started beside it.
    base::result<bool> joined(std::stop_token const& stop) const {
        auto const deadline = base::system_clock().steady() + patience;
        while (is_alive() && !stop.stop_requested()) {
            auto const asked = base::system_clock().steady();
            if (answers()) return true;
            auto const now = base::system_clock().steady();
            if (now - asked >= silence - 1s) return does_not_answer("does not answer");
            if (now >= deadline) return does_not_answer("takes no connections");
            std::this_thread::sleep_for(50ms);
        }
        return false;
    }

    base::error does_not_answer(std::string_view complaint) const {
        auto const number = cluster::postmaster_number(place_.data);
        return {
            base::errc::unavailable,
            "Postgres runs, but it " + std::string(complaint) +
                (number > 0 ? " (process " + std::to_string(number) + ")" : "") + "; its log is " +
                place_.log.string()};
    }

    cluster::place place_;
    cluster::binaries programs_;
};

// An open lock file that belongs to the cluster's account, so that it can start it without root
// too.
base::result<cluster::file_lock> lock_file(cluster::place const& place, std::string_view name) {
    auto lock = cluster::file_lock::open(place.folder / name);
    if (!lock) return lock.error();
    if (auto owned = cluster::give_to(place.folder / name, place.owner); !owned)
        return owned.error();
    return lock;
}

base::error busy(cluster::place const& place) {
    return {
        base::errc::unavailable,
        "another process is starting or stopping the database in " + place.folder.string()};
}

class running_cluster final : public private_cluster {
public:
    running_cluster(server on, cluster::file_lock in_use, fs::path folder)
        : server_(std::move(on)),
          in_use_(std::move(in_use)),
          folder_(std::move(folder)) {}
    ~running_cluster() override { stop(); }

    std::string url() const override { return server_.url("postrider"); }
    fs::path folder() const override { return folder_; }

    void keep_running() override {
        guard_.emplace(
            [this] { return server_.is_alive(); },
            [this](std::stop_token const& stop) { return start_again(stop); }
        );
    }

    void stop() override {
        guard_.reset();
        if (!in_use_) return;
        if (in_use_->own_now()) server_.stop();
        in_use_.reset();
    }

    void leave() override {
        guard_.reset();
        in_use_.reset();
    }

private:
    // Nobody stops it meanwhile: this process holds its use.
    base::result<void> start_again(std::stop_token const& stop) {
        auto starting = lock_file(server_.place(), "start.lock");
        if (!starting) return starting.error();
        // The next look finds what others have started meanwhile.
        if (!starting->own(shortly)) return busy(server_.place());
        return server_.start(stop, shortly);
    }

    server server_;
    std::optional<cluster::file_lock> in_use_;
    fs::path folder_;
    std::optional<cluster::guard> guard_;
};

std::optional<int> version_of(fs::path const& data) {
    auto const text = read_file(data / "PG_VERSION");
    int version = 0;
    std::from_chars(text.data(), text.data() + text.size(), version);
    return version > 0 ? std::optional(version) : std::nullopt;
}

} // namespace

bool has_private_cluster(fs::path const& folder) {
    return cluster::is_prepared(folder);
}

base::result<std::unique_ptr<private_cluster>> start_private_cluster(
    fs::path const& folder, std::vector<fs::path> const& where
) {
    auto place = cluster::prepare_folder(folder);
    if (!place) return place.error();
    auto programs = cluster::find_binaries(where, version_of(place->data), place->owner);
    if (!programs) return programs.error();

    auto starting = lock_file(*place, "start.lock");
    if (!starting) return starting.error();
    auto in_use = lock_file(*place, "use.lock");
    if (!in_use) return in_use.error();
    if (!starting->own(patience) || !in_use->share(patience)) return busy(*place);

    server cluster{*place, *programs};
    if (!version_of(place->data))
        if (auto done = cluster.make(); !done) return done.error();
    if (auto done = cluster.start({}, patience); !done) return done.error();
    try {
        cluster.make_database();
    } catch (pg::failure const& f) {
        return f.error;
    }
    std::error_code ec;
    bool const is_moved = !fs::equivalent(folder, place->folder, ec);
    return std::make_unique<running_cluster>(
        std::move(cluster), std::move(*in_use), is_moved ? place->folder : folder
    );
}

} // namespace postrider::storage
