#include "server/cli/job_watch.hpp"

#include "server/views/shared_looks.hpp"

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
constexpr int most_failures = 15; // in a row: a minute

// The work may be run again, and outlive a wait that is cut off: each has the feed as it was before.
struct look {
    queue::job_feed const before;
    queue::job_feed after;
    std::vector<queue::job_event> events;
};

base::awaitable<base::result<void>> follow(
    storage::database& db, std::shared_ptr<queue::job_feed> feed, heard_events const& hear
) {
    bool has_begun = false;
    for (int failures = 0;;) {
        auto const next_look = std::make_shared<look>(look{*feed, *feed, {}});
        std::function<void(storage::transaction&)> work = [next_look](storage::transaction& tx) {
            next_look->after = next_look->before;
            next_look->events = next_look->after.poll(tx);
        };
        auto const done = co_await db.run("tail", std::move(work), watch_patience);
        if (!done) {
            bool const is_over = !has_begun || !server::may_pass(done.error());
            if (is_over || ++failures == most_failures) co_return done.error();
            co_await base::sleep_for(server::pause_after_failures(failures));
            continue;
        }
        has_begun = true;
        failures = 0;
        *feed = std::move(next_look->after);
        bool const goes_on = hear(next_look->events);
        if (!goes_on || feed->over() || !feed->missing().empty()) co_return base::result<void>{};
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
    auto const feed = std::make_shared<queue::job_feed>(std::move(filter), std::move(only));
    asio::signal_set stop(context, SIGINT, SIGTERM);
    base::result<void> watched;
    std::exception_ptr defect;
    watch_end end;
    asio::co_spawn(
        context,
        follow(*database, feed, hear),
        [&](std::exception_ptr e, base::result<void> result) {
            defect = std::move(e);
            watched = std::move(result);
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
    if (!watched) return watched.error();
    end.missing = feed->missing();
    return end;
}

} // namespace postrider::cli
