#include "agent/flow/nodes/redis_memory.hpp"

#include "agent/flow/nodes/memories.hpp"
#include "agent/flow/nodes/memory_entries.hpp"
#include "agent/flow/nodes/named_server.hpp"
#include "agent/flow/parts/services.hpp"
#include "base/json/json.hpp"
#include "net/redis_client.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;
using base::errc;
using base::error;

namespace {

constexpr std::chrono::seconds redis_patience{2}; // of a turn
constexpr std::chrono::seconds longest_redis_write{20};

// How long a cleared session is known to be: longer than a job tries to write to it.
constexpr std::string_view cleared_for_seconds = "604800";
constexpr base::retry_policy later_writes{
    .limit = 400, .timeout = std::chrono::seconds{30}, .total = std::chrono::hours{24}};

// Which session, of which server: as a node's parameters and a job's input say it.
struct redis_place {
    std::string host;
    std::string port;
    int database = 0;
    bool tls = false;
    std::string credential; // its name; "" = none
    std::string key;
    int most = 0; // entries that are kept
    int ttl = 0;  // seconds; 0 = for ever
};

json::object to_json(redis_place const& place) {
    return {
        {"host", place.host},
        {"port", place.port},
        {"database", place.database},
        {"tls", place.tls},
        {"credential", place.credential},
        {"key", place.key},
        {"most", place.most},
        {"ttl", place.ttl}};
}

base::result<redis_place> place_from(base::json_reader const& input) {
    redis_place place;
    place.host = input["host"].string();
    place.port = input["port"].string();
    place.database = static_cast<int>(input["database"].int64());
    place.tls = input["tls"].boolean();
    place.credential = input["credential"].string_or("");
    place.key = input["key"].string();
    place.most = static_cast<int>(input["most"].int64());
    place.ttl = static_cast<int>(input["ttl"].int64());
    if (input.failed()) return input.failure();
    return place;
}

// redis://host:port/database, as the parameter's pattern has it; with rediss:// by TLS.
void read_url(redis_place& place, std::string_view url) {
    place.tls = url.starts_with("rediss:");
    url.remove_prefix(url.find("//") + 2);
    auto const slash = std::min(url.find('/'), url.size());
    auto const server = url.substr(0, slash);
    auto const database = url.substr(std::min(slash + 1, url.size()));
    auto const colon = std::min(server.find(':'), server.size());
    place.host = server.substr(0, colon);
    if (colon < server.size()) place.port = server.substr(colon + 1);
    place.database = database.empty() ? 0 : std::stoi(std::string(database));
}

base::result<redis_place> place_of(part_run const& run) {
    json::value const root(run.parameters);
    base::json_reader const parameters{root};
    redis_place place;
    place.host = parameters["host"].string_or("");
    place.port = std::to_string(parameters["port"].int64_or(0));
    place.database = static_cast<int>(parameters["database"].int64_or(0));
    place.tls = parameters["tls"].boolean_or(false);
    if (auto const url = parameters["url"].string_or(""); !url.empty()) read_url(place, url);
    if (place.host.empty()) return error(errc::invalid, "neither 'host' nor 'url' names a Redis");
    place.credential = parameters["credential"].string_or("");
    auto const session = parameters["session_id"].string_or("");
    if (session.empty()) return error(errc::invalid, "the session's name is empty");
    place.key = "postrider:" + run.conversation.flow() + ":" + session;
    place.most = static_cast<int>(parameters["max_messages"].int64_or(1)) * entries_of_a_message;
    place.ttl = static_cast<int>(parameters["ttl"].int64_or(0));
    return place;
}

base::result<net::redis_server> server_of(node_services const& services, redis_place const& place) {
    constexpr net::credential_kind passwords[]{
        net::credential_kind::basic, net::credential_kind::bearer};
    auto const credential =
        credential_for(services, place.credential, place.host, place.port, passwords);
    if (!credential) return credential.error();
    net::redis_server server;
    server.host = place.host;
    server.port = place.port;
    server.database = place.database;
    server.tls = place.tls;
    if (*credential) {
        server.user = (*credential)->user;
        server.password = (*credential)->value;
    }
    server.may_be_private = may_be_in_network(services, *credential, place.host, place.port);
    if (!place.tls && !(server.may_be_private && net::is_of_this_network(place.host)))
        return error(errc::refused, "messages leave this network with TLS only");
    return server;
}

std::string mark_of_clearing(redis_place const& place) {
    return "postrider-cleared" + place.key.substr(place.key.find(':'));
}

class redis_session final : public outside_session {
public:
    redis_session(
        node_services const& services,
        redis_place place,
        net::redis_server server,
        user_id speaker = {}, // 0 = nobody's message began the execution
        base::duration limit = redis_patience
    )
        : client_(*services.redis),
          place_(std::move(place)),
          server_(std::move(server)),
          speaker_(speaker),
          limit_(limit) {}

    base::awaitable<base::result<std::vector<std::string>>> read() override {
        std::vector<net::redis_command> commands{
            {"ZRANGE", place_.key, std::to_string(-place_.most), "-1"}};
        auto replies = co_await client_.ask(server_, std::move(commands), limit_);
        if (!replies) co_return replies.error();
        std::vector<std::string> entries;
        for (auto& reply : replies->front().items) entries.push_back(std::move(reply.text));
        co_return entries;
    }

    base::awaitable<base::result<void>> add(std::vector<std::string> entries) override {
        if (entries.empty()) co_return base::result<void>{};
        net::redis_command added{"ZADD", place_.key};
        for (auto& entry : entries) {
            added.push_back("0");
            added.push_back(std::move(entry));
        }
        net::redis_command lasts{"PERSIST", place_.key};
        if (place_.ttl > 0) lasts = {"EXPIRE", place_.key, std::to_string(place_.ttl)};
        std::vector<net::redis_command> commands;
        commands.push_back(std::move(added));
        commands.push_back({"ZREMRANGEBYRANK", place_.key, "0", std::to_string(-place_.most - 1)});
        commands.push_back(std::move(lasts));
        co_return co_await do_all(std::move(commands));
    }

    base::awaitable<base::result<void>> clear(std::string up_to) override {
        std::vector<net::redis_command> commands{
            {"DEL", place_.key},
            {"SET",
             mark_of_clearing(place_),
             std::move(up_to),
             "EX",
             std::string(cleared_for_seconds)}};
        co_return co_await do_all(std::move(commands));
    }

    // A session that was cleared meanwhile does not get back what it had.
    base::awaitable<base::result<void>> add_late(std::vector<std::string> entries) {
        std::vector<net::redis_command> commands{{"GET", mark_of_clearing(place_)}};
        auto replies = co_await client_.ask(server_, std::move(commands), limit_);
        if (!replies) co_return replies.error();
        auto const& cleared = replies->front().text;
        std::erase_if(entries, [&](auto const& entry) { return place_of_entry(entry) <= cleared; });
        co_return co_await add(std::move(entries));
    }

    // What these jobs have put there, each of them, calls and results among it.
    base::awaitable<base::result<void>> erase(std::vector<std::string> jobs) {
        std::vector<net::redis_command> commands{{"ZRANGE", place_.key, "0", "-1"}};
        auto replies = co_await client_.ask(server_, std::move(commands), limit_);
        if (!replies) co_return replies.error();
        net::redis_command removed{"ZREM", place_.key};
        for (auto& entry : replies->front().items) {
            auto const is_theirs = [&entry](auto const& job) {
                return entry.text.starts_with(job);
            };
            if (std::ranges::any_of(jobs, is_theirs)) removed.push_back(std::move(entry.text));
        }
        constexpr std::size_t words_of_the_command = 2;
        if (removed.size() == words_of_the_command) co_return base::result<void>{};
        std::vector<net::redis_command> removal;
        removal.push_back(std::move(removed));
        co_return co_await do_all(std::move(removal));
    }

    json::value place() const override { return to_json(place_); }

    std::vector<storage::write> add_later(std::vector<std::string> const& entries) const override {
        json::object input;
        input["entries"] = json::array(entries.begin(), entries.end());
        return later(std::move(input));
    }
    std::vector<storage::write> clear_later(std::string const& up_to) const override {
        json::object input;
        input["up_to"] = up_to;
        return later(std::move(input));
    }

private:
    base::awaitable<base::result<void>> do_all(std::vector<net::redis_command> commands) {
        auto const replies = co_await client_.ask(server_, std::move(commands), limit_);
        if (!replies) co_return replies.error();
        co_return base::result<void>{};
    }

    // In the session's own lane, so that what is written late is written in order. `user` is a name that
    // postrider erase looks for.
    std::vector<storage::write> later(json::object input) const {
        input["session"] = to_json(place_);
        if (speaker_ != user_id{}) input["user"] = base::raw(speaker_);
        queue::later_job job;
        job.lane_key = "memory:" + place_.key;
        job.kind = std::string(memory_write_kind);
        job.input = std::move(input);
        return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
    }

    net::redis_client& client_;
    redis_place place_;
    net::redis_server server_;
    user_id speaker_;
    base::duration limit_;
};

base::awaitable<queue::step_value> write_late(
    node_services const& services, json::value const& input
) {
    base::json_reader const from_job{input};
    auto place = place_from(from_job["session"]);
    if (!place) co_return place.error();
    auto server = server_of(services, *place);
    if (!server) co_return server.error();
    redis_session session(services, std::move(*place), std::move(*server), {}, longest_redis_write);
    base::result<void> written;
    if (from_job["erase"]) {
        std::vector<std::string> jobs;
        for (auto const& job : from_job["erase"].items_or_none())
            jobs.push_back(entries_of(job_id{job.int64()}));
        if (from_job.failed()) co_return from_job.failure();
        written = co_await session.erase(std::move(jobs));
    } else if (from_job["up_to"]) {
        written = co_await session.clear(from_job["up_to"].string());
    } else {
        std::vector<std::string> entries;
        for (auto const& entry : from_job["entries"].items_or_none())
            entries.push_back(entry.string());
        written = co_await session.add_late(std::move(entries));
    }
    if (!written) co_return written.error();
    co_return json::value(true);
}

base::awaitable<queue::outcome> run_write(node_services const& services, queue::workflow& steps) {
    auto const& input = steps.job().input;
    auto const work = [&services, &input] { return write_late(services, input); };
    auto const written = co_await steps.run("write", later_writes, work);
    if (!written) co_return queue::outcome::failed(written.error());
    co_return queue::outcome::completed();
}

} // namespace

base::awaitable<base::result<memory_part>> make_redis_memory(part_run& run) {
    auto place = place_of(run);
    if (!place) co_return place.error();
    if (!run.services.redis) co_return error(errc::refused, "this process reaches no Redis");
    auto server = server_of(run.services, *place);
    if (!server) co_return server.error();
    window_size size{place->most / entries_of_a_message};
    size.characters = most_memory_characters;
    auto const& heard = run.conversation.heard();
    auto session = std::make_unique<redis_session>(
        run.services, std::move(*place), std::move(*server), heard ? heard->user : user_id{}
    );
    co_return outside_memory(std::move(session), visible_window(size), run.conversation);
}

void erase_from_session(
    storage::transaction& tx, json::value const& session, json::value const& jobs
) {
    queue::later_job job;
    auto const key = std::string(session.at("key").as_string());
    job.lane = storage::find_or_add_lane(tx, "memory:" + key, {});
    job.kind = std::string(memory_write_kind);
    job.input = json::object{{"session", session}, {"erase", jobs}};
    queue::enqueue_later(tx, job);
}

queue::job_kind make_memory_writes(node_services const& services) {
    auto run = [&services](queue::workflow& steps) { return run_write(services, steps); };
    return {.name = std::string(memory_write_kind), .run = run};
}

} // namespace postrider::agent::flow
