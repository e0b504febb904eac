// `jobs tail`: follows jobs until Ctrl-C, or until those that were named are over; ends at once when
// one of them does not exist.
#include "base/json_text.hpp"
#include "queue/store/job_feed.hpp"
#include "server/cli/command.hpp"
#include "server/cli/job_choice.hpp"
#include "server/cli/job_report.hpp"
#include "server/start/local_database.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <ostream>

namespace postrider::cli {

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

constexpr auto pause_between_looks = 500ms;
constexpr auto patience = 10s;

// The work may outlive a wait that is cut off, so it shares what it uses.
struct look {
    queue::job_feed feed;
    std::vector<queue::job_event> events;
};

void print(context const& in, std::vector<queue::job_event> const& events) {
    for (auto const& event : events)
        in.out << (in.args.json ? base::json_text(to_json(event)) : to_text(event)) << '\n';
    in.out.flush();
}

base::awaitable<base::result<void>> follow(
    context const& in, storage::database& db, std::shared_ptr<look> at
) {
    for (;;) {
        auto work = [at](storage::transaction& tx) { at->events = at->feed.poll(tx); };
        auto done = co_await db.run("tail", work, patience);
        if (!done) co_return done.error();
        print(in, at->events);
        if (at->feed.over() || !at->feed.missing().empty()) co_return base::result<void>{};
        co_await base::sleep_for(pause_between_looks);
    }
}

} // namespace

int jobs_tail(context const& in) {
    auto filter = filter_of(in.args.chosen);
    if (!filter) return usage(in, filter.error().detail);
    auto local = server::open_local_database(in.configured.values, "postrider tail");
    if (!local) return fail(in, "open the database", local.error());
    std::vector<job_id> only;
    for (auto job : in.args.jobs) only.push_back(job_id{job});

    asio::io_context context;
    auto db = storage::open_database(context.get_executor(), local->options);
    auto at = std::make_shared<look>(look{queue::job_feed(*filter, only), {}});
    asio::signal_set stop(context, SIGINT, SIGTERM);
    base::result<void> ended;
    std::exception_ptr defect;
    asio::co_spawn(
        context,
        follow(in, *db, at),
        [&](std::exception_ptr e, base::result<void> result) {
            defect = e;
            ended = result;
            context.stop();
        }
    );
    stop.async_wait([&](auto, int) { context.stop(); });
    context.run();
    db->close();
    if (defect) std::rethrow_exception(defect);
    if (!ended) return fail(in, "read the jobs", ended.error());
    auto const missing = at->feed.missing();
    return missing.empty() ? 0 : no_such_job(in, missing.front());
}

} // namespace postrider::cli
