#include "server/api/reply_waiters.hpp"

#include "storage/transact.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <map>
#include <memory>

namespace postrider::api {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr auto look_deadline = 5s;
constexpr base::duration first_reply_pause = 20ms;
constexpr base::duration longest_reply_pause = 400ms;

using reply_query = std::pair<storage::statement const*, job_id>;
using reply_rows = std::vector<std::optional<storage::row>>;

reply_rows read_rows(storage::transaction& tx, std::vector<reply_query> const& queries) {
    std::map<storage::statement const*, json::array> jobs;
    for (std::size_t at = 0; at < queries.size(); ++at)
        jobs[queries[at].first].push_back({{"i", at}, {"job_id", base::raw(queries[at].second)}});
    reply_rows replies(queries.size());
    for (auto const& [statement, of] : jobs)
        for (auto const& row : tx.query(*statement, {json::serialize(of)}))
            replies.at(static_cast<std::size_t>(row.int64(0))) = row;
    return replies;
}

base::awaitable<base::result<reply_rows>> look_for_all(
    storage::database& db, std::vector<reply_query> queries
) {
    auto read = [queries = std::move(queries)](storage::transaction& tx) {
        return read_rows(tx, queries);
    };
    co_return co_await storage::transact(db, "reply.look", std::move(read), look_deadline);
}

} // namespace

reply_waiters::reply_waiters(storage::database& db, int most)
    : looks_(
          base::system_clock(),
          [&db](std::vector<query> queries) { return look_for_all(db, std::move(queries)); }
      ),
      most_(most) {}

base::awaitable<std::optional<net::http_response>> reply_waiters::wait(
    storage::statement const& look,
    job_id job,
    std::function<std::optional<net::http_response>(storage::row const&)> read,
    base::duration patience
) {
    if (waiting_ >= most_) co_return std::nullopt;
    ++waiting_;
    auto const leave = [this](void*) { --waiting_; };
    std::unique_ptr<void, decltype(leave)> const until_here(this, leave);

    auto const& clock = base::system_clock();
    auto const until = clock.steady() + patience;
    auto const wakes = std::make_shared<base::waker>(co_await base::asio::this_coro::executor);
    auto const place = std::make_shared<looks::place>(wakes);
    looks_.join(place);
    base::duration pause{0};
    for (auto looked = clock.steady(); !closed_;) {
        looks_.expect(*place, query(&look, job), looked + pause / 2, looked + pause);
        auto const left = until - clock.steady();
        if (left <= base::duration::zero()) break;
        co_await looks_.wait(*place, left);
        auto const answer = place->take();
        if (!answer) continue;
        // A database that is away for a moment is no reason to stop waiting.
        if (*answer && **answer && (**answer)->has_value())
            if (auto reply = read((**answer)->value())) co_return reply;
        looked = clock.steady();
        pause = std::clamp(pause * 2, first_reply_pause, longest_reply_pause);
    }
    co_return std::nullopt;
}

} // namespace postrider::api
