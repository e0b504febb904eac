#include "server/cli/job_watch.hpp"

#include "server/views/shared_looks.hpp"
#include "storage/transact.hpp"

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

struct look {
    queue::job_feed after;
    std::vector<queue::job_event> events;
};

base::awaitable<base::result<void>> follow(
    storage::database& db, std::shared_ptr<queue::job_feed> feed, heard_events const& hear
) {
    bool has_begun = false;
    for (int failures = 0;;) {
        // It may be run again: each try has the feed as it was before.
        auto work = [before = *feed](storage::transaction& tx) {
            look next{before, {}};
            next.events = next.after.poll(tx);
            return next;
        };
        auto next_look = co_await storage::transact(db, "tail", std::move(work), watch_patience);
        if (!next_look) {
            bool const is_over = !has_begun || !server::may_pass(next_look.error());
            if (is_over || ++failures == most_failures) co_return next_look.error();
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
