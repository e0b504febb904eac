#include "server/hooks/start_once.hpp"

#include "agent/flow/enqueue_execution.hpp"

namespace postrider::hooks {

namespace {

constexpr base::duration deadline = std::chrono::seconds{10};

started_execution start(storage::transaction& tx, wanted_execution const& what) {
    if (what.key) {
        auto const before = storage::claim_key(tx, *what.key);
        if (before) return {before->job, false, !before->same_request};
    }
    auto const made = agent::flow::enqueue_execution(
        tx, agent::flow::flow_kind, what.input, what.how, what.lane_key
    );
    if (what.key) storage::answer_key(tx, *what.key, made.id);
    return {made.id, true, false};
}

} // namespace

base::awaitable<base::result<started_execution>> start_once(
    storage::database& db, wanted_execution what
) {
    auto made = std::make_shared<started_execution>();
    auto work = [made, what = std::move(what)](storage::transaction& tx) {
        *made = start(tx, what);
    };
    auto done = co_await db.run("hooks.start", std::move(work), deadline);
    if (!done) co_return done.error();
    co_return *made;
}

} // namespace postrider::hooks
