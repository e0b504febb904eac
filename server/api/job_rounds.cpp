#include "server/api/job_rounds.hpp"

#include "server/api/database_bounds.hpp"
#include "storage/transact.hpp"

#include <memory>

namespace postrider::api {

namespace {

using namespace std::chrono_literals;

// A client that comes again within it goes on where it was.
constexpr base::duration longest_silence_of_jobs = 2min;

std::string new_log_name(base::random_source& random) {
    return base::hex_token(random, 4);
}

} // namespace

job_rounds::job_rounds(
    storage::database& db,
    base::clock const& clock,
    base::random_source& random,
    std::size_t most_logged
)
    : db_(db),
      clock_(clock),
      random_(random),
      most_logged_(most_logged),
      log_(new_log_name(random), most_logged),
      looks_(clock, [this](std::vector<job_query> queries) { return read(queries.size()); }) {}

base::awaitable<base::result<std::vector<job_round>>> job_rounds::read(std::size_t watchers) {
    auto const began = clock_.steady();
    if (looked_ && began - *looked_ > longest_silence_of_jobs) begin_anew();
    auto read_jobs = [query = tracker_.next()](storage::transaction& tx) {
        return queue::look_at_jobs(tx, query);
    };
    auto look =
        co_await storage::transact(db_, "jobs.look", std::move(read_jobs), database_waits.read);
    if (!look) co_return look.error();
    auto const ended = clock_.steady();
    looked_ = ended;
    pace_.looked(ended - began);
    log_.add(tracker_.add(std::move(*look), ended));
    co_return std::vector<job_round>(watchers);
}

void job_rounds::begin_anew() {
    tracker_ = {};
    log_ = job_log(new_log_name(random_), most_logged_);
}

} // namespace postrider::api
