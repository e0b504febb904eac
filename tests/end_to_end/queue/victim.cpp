// A process that runs durable jobs and is killed while it does. Each step leaves a line in the
// table `ledger` on a connection of its own, as a request to the world outside would: what is done
// twice stands there twice.
//
//     victim DATABASE_URL [FAULTS]     until SIGTERM
#include "base/fault.hpp"
#include "queue/service.hpp"

#include <csignal>
#include <iostream>

namespace {

using namespace std::chrono_literals;
using namespace postrider;
using namespace postrider::queue;
using base::awaitable;
namespace json = boost::json;

storage::database_options ledger_at;

constexpr storage::statement write_line{"ledger.write", "insert into ledger (line) values ($1)"};
constexpr storage::statement count_lines{
    "ledger.count", "select count(*) from ledger where line = $1"};

std::int64_t leave(std::string const& line) {
    std::int64_t count = 0;
    auto done = storage::run_blocking(ledger_at, [&](storage::transaction& tx) {
        tx.query(write_line, {line});
        count = tx.query(count_lines, {line}).at(0).int64(0);
    });
    if (!done) throw std::runtime_error(base::to_string(done.error()));
    return count;
}

awaitable<step_value> act(std::string line) {
    co_return json::value(leave(line));
}

// Fails at its first try, for an hour.
awaitable<step_value> fail_once(std::string line) {
    if (leave(line) > 1) co_return json::value(line);
    base::error later{base::errc::unavailable, "not yet"};
    later.retry_after = 1h;
    co_return later;
}

base::retry_policy patient() {
    base::retry_policy policy;
    policy.limit = 9;
    return policy;
}

awaitable<step_value> refuse() {
    co_return base::error(base::errc::refused, "as it was told to");
}

// Every kind of step and pause. With {"fails": true} the last step fails, and all is undone.
awaitable<outcome> journey(workflow& flow) {
    co_await flow.run("pack", {}, [] { return act("pack"); });
    flow.on_rollback("pack", [] { return act("unpack"); });
    co_await flow.sleep("night", 1h);
    awaited_event const wanted{.type = "ticket", .timeout = 24h};
    auto ticket = co_await flow.wait_for_event("ticket", wanted);
    if (!ticket) co_return outcome::failed(ticket.error());
    co_await flow.run("board", patient(), [] { return fail_once("board"); });
    flow.on_rollback(
        "board", [] { return fail_once("get off"); }, patient()
    );

    commit_with decision;
    decision.effects.push_back({"card", "test.card", effect_class::at_least_once, "hello", true});
    auto wrote = co_await flow.try_step("write", {}, [] { return act("write"); });
    if (!flow.recorded("card")) co_await flow.commit(std::move(decision));
    co_await flow.perform("card", {}, [] { return act("card"); });

    if (!flow.job().input.at("fails").as_bool()) co_return outcome::completed(*wrote);
    auto last = co_await flow.run("arrive", {}, [] { return refuse(); });
    co_return outcome::failed(last.error());
}

awaitable<step_value> think(json::value milliseconds) {
    co_await base::sleep_for(std::chrono::milliseconds{milliseconds.as_int64()});
    co_return json::value("thought");
}

// A turn as the product runs them: a call that takes its time, then one reply.
awaitable<outcome> turn(workflow& flow) {
    auto const line = "reply " + base::to_string(flow.job().id);
    auto const time = flow.job().input.at("thinks");
    auto thought = co_await flow.try_step("model", {}, [&] { return think(time); });
    if (!thought) co_return outcome::failed(thought.error());
    commit_with decision;
    json::value const text(line);
    decision.effects.push_back({"reply", "test.send", effect_class::at_least_once, text, true});
    if (!flow.recorded("reply")) co_await flow.commit(std::move(decision));
    co_await flow.perform("reply", {}, [&] { return act(line); });
    co_return outcome::completed();
}

awaitable<step_value> die(std::string line) {
    leave(line);
    std::raise(SIGKILL);
    co_return json::value(nullptr);
}

// Kills whatever process runs it.
awaitable<outcome> deadly(workflow& flow) {
    co_await flow.run("die", {}, [] { return die("died"); });
    co_return outcome::completed();
}

constexpr storage::statement tell_failure{
    "ledger.tell",
    "insert into ledger (line) select line from json_to_recordset($1::json) as t(i int, line "
    "text)",
    40};

awaitable<std::vector<storage::write>> tell(queue::job, outcome) {
    co_return std::vector<storage::write>{{&tell_failure, R"({"line":"told"})"}};
}

} // namespace

int main(int argc, char** argv) {
    std::string const url = argc > 1 ? argv[1] : "";
    if (argc > 2)
        if (auto armed = base::fault::arm(argv[2]); !armed) {
            std::cerr << base::to_string(armed.error()) << '\n';
            return 2;
        }
    ledger_at.url = url;
    engine_options fast;
    fast.heartbeat = 200ms;
    fast.version = "victim";
    fast.min_node_age = 2s; // nodes live for tenths of a second here
    service engine{{url, fast}};
    engine.add({"journey", journey});
    engine.add({"turn", turn});
    job_kind last{"deadly", deadly};
    last.failed = tell;
    engine.add(last);
    engine.run();
}
