#include "server/cli/job_watch.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <memory>

namespace postrider::cli {

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

constexpr auto pause_between_looks = 500ms;
constexpr auto watch_patience = 10s;

// The work may outlive a wait that is cut off, so it shares what it uses.
struct look {
    queue::job_feed feed;
    std::vector<queue::job_event> events;
};

base::awaitable<base::result<void>> follow(
    storage::database& db, std::shared_ptr<look> at, heard_events const& hear
) {
    for (;;) {
        auto work = [at](storage::transaction& tx) { at->events = at->feed.poll(tx); };
        auto done = co_await db.run("tail", work, watch_patience);
        if (!done) co_return done.error();
        bool const goes_on = hear(at->events);
        if (!goes_on || at->feed.over() || !at->feed.missing().empty())
            co_return base::result<void>{};
        co_await base::sleep_for(pause_between_looks);
    }
}

} // namespace

base::result<watch_end> watch_jobs(
    server::local_database const& db,
    queue::job_filter filter,
    std::vector<job_id> only,
    heard_events const& hear
) {
    asio::io_context context;
    auto const database = storage::open_database(context.get_executor(), db.options);
    auto at = std::make_shared<look>(look{queue::job_feed(std::move(filter), std::move(only)), {}});
    asio::signal_set stop(context, SIGINT, SIGTERM);
    base::result<void> ended;
    std::exception_ptr defect;
    watch_end end;
    asio::co_spawn(
        context,
        follow(*database, at, hear),
        [&](std::exception_ptr e, base::result<void> result) {
            defect = std::move(e);
            ended = std::move(result);
            context.stop();
        }
    );
    stop.async_wait([&](auto, int) {
        end.interrupted = true;
        context.stop();
    });
    context.run();
    database->close();
    if (defect) std::rethrow_exception(defect);
    if (!ended) return ended.error();
    end.missing = at->feed.missing();
    return end;
}

} // namespace postrider::cli
