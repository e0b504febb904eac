// The load driver: one measurement per run, its figures on stdout as name=value.
#include "base/log.hpp"
#include "bench/burst.hpp"
#include "bench/door_load.hpp"
#include "bench/latency.hpp"
#include "bench/mcp_load.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <iostream>

namespace {

using namespace postrider;

struct options {
    bench::target to;
    std::int64_t first_user = 1;
    std::int64_t first_update = 1;
    int chats = 1000;
    int patience = 120; // seconds, for everything
    double seconds = 0; // of the burst; 0 = by count
    bench::burst_plan burst;
    bench::latency_plan latency;
    bench::door_plan door;
    bench::mcp_plan mcp;
    enum class kind { burst, latency, door, mcp } measured = kind::burst;
};

void declare(CLI::App& app, options& all) {
    app.require_subcommand(1);
    app.add_option("--secret", all.to.secret, "of the webhook");
    app.add_option("--path", all.to.path, "of the webhook");
    app.add_option("--first-user", all.first_user, "the first chat's id; the others follow");
    app.add_option("--first-update", all.first_update, "must be greater than in earlier runs");
    app.add_option("--chats", all.chats)->check(CLI::PositiveNumber);
    app.add_option("--patience", all.patience, "seconds until the run counts as failed");

    auto* burst = app.add_subcommand("burst", "as fast as accepted, then until idle");
    burst->add_option("server", all.burst.server, "host:port")->required();
    burst->add_option("--connections", all.burst.connections);
    burst->add_option("--count", all.burst.updates, "updates at most");
    burst->add_option("--seconds", all.seconds, "of accepting at most; 0 = by count alone");

    auto* latency = app.add_subcommand("latency", "one message at a time");
    latency->add_option("server", all.latency.server, "host:port")->required();
    latency->add_option("--stub", all.latency.stub, "where to play Telegram")->required();
    latency->add_option("--count", all.latency.messages, "messages");
    latency->add_flag(
        "!--other", all.latency.metrics, "the server is another program, without our metrics"
    );
    latency->callback([&all] { all.measured = options::kind::latency; });

    auto* door = app.add_subcommand("door", "as fast as one door accepts");
    door->add_option("server", all.door.server, "host:port")->required();
    std::map<std::string, bench::door> const doors{
        {"telegram", bench::door::telegram},
        {"webhook", bench::door::webhook},
        {"chat", bench::door::chat}};
    door->add_option("--of", all.door.of)->transform(CLI::CheckedTransformer(doors));
    door->add_option("--token", all.door.token, "bearer of webhook and chat API");
    door->add_option("--hook", all.door.path, "the webhook's path");
    door->add_option("--connections", all.door.connections);
    door->add_option("--count", all.door.requests, "requests");
    door->callback([&all] { all.measured = options::kind::door; });
}

void declare_mcp(CLI::App& app, options& all) {
    auto* mcp = app.add_subcommand("mcp", "calls of todo tools, as fast as they are answered");
    mcp->add_option("server", all.mcp.server, "host:port")->required();
    mcp->add_option("--token", all.mcp.tokens, "a person's bearer; may be repeated");
    std::map<std::string, bench::mcp_calls> const calls{
        {"create", bench::mcp_calls::create},
        {"create-once", bench::mcp_calls::create_once},
        {"round", bench::mcp_calls::round}};
    mcp->add_option("--calls", all.mcp.calls)->transform(CLI::CheckedTransformer(calls));
    mcp->add_flag("--sessions", all.mcp.sessions, "by a revision with a handshake");
    mcp->add_option("--run", all.mcp.run, "must differ from earlier runs of calls made once");
    mcp->add_option("--connections", all.mcp.connections);
    mcp->add_option("--count", all.mcp.requests, "calls");
    mcp->callback([&all] { all.measured = options::kind::mcp; });
}

base::awaitable<void> work(options all) {
    bench::update_source source{
        all.to, user_id{all.first_user}, all.chats, update_id{all.first_update}};
    if (all.seconds > 0)
        all.burst.time =
            std::chrono::duration_cast<base::duration>(std::chrono::duration<double>(all.seconds));
    switch (all.measured) {
    case options::kind::latency:
        co_await bench::run_latency(std::move(all.latency), std::move(source));
        break;
    case options::kind::door:
        all.door.conversations = all.chats;
        co_await bench::run_door(std::move(all.door), std::move(source));
        break;
    case options::kind::mcp:
        co_await bench::run_mcp(std::move(all.mcp));
        break;
    case options::kind::burst:
        co_await bench::run_burst(std::move(all.burst), std::move(source));
    }
}

[[noreturn]] void give_up(std::string_view reason) {
    std::cerr << "postrider_bench_load: " << reason << std::endl;
    std::quick_exit(1); // connections are in mid-air: nothing is worth unwinding
}

} // namespace

int main(int count, char** values) {
    options all;
    CLI::App app{"Loads a running postrider."};
    declare(app, all);
    declare_mcp(app, all);
    CLI11_PARSE(app, count, values);

    base::log::configure(base::log::level::warn, base::log::format::logfmt);
    boost::asio::io_context context{1};
    bool done = false;
    boost::asio::co_spawn(context, work(all), [&](std::exception_ptr failure) {
        try {
            if (failure) std::rethrow_exception(failure);
        } catch (std::exception const& e) {
            give_up(e.what());
        }
        done = true;
        context.stop();
    });
    context.run_for(std::chrono::seconds{all.patience});
    if (!done) give_up("the product did not finish in time");
    std::cout.flush();
    return 0;
}
