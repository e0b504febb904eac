#pragma once
// Answers in their chats while models write them, as drafts (talk/draft_screen.hpp). Only words are shown that go out
// as they stand (speakers.hpp). On the executor's one thread.
//
// Whoever sees one can stop it by its number: the answer ends with what has been said (stop_wish.hpp).
//
// Guarantees that nothing is shown more often than `between`, and nothing once the model is silent. A job that runs
// again after a crash writes over the draft that it left.
#include "agent/flow/run/observer.hpp"
#include "agent/flow/stop_wish.hpp"
#include "agent/flow/validate/graph.hpp"
#include "agent/talk/draft_screen.hpp"
#include "base/clock.hpp"
#include "queue/job.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

namespace postrider::agent::flow {

struct draft_times {
    base::duration before_first = std::chrono::seconds{1}; // a quick model is done before that
    base::duration between =
        std::chrono::milliseconds{1200}; // Telegram takes about one a second in a chat
    base::duration lifetime = std::chrono::seconds{20}; // shown again by then, it stays
};

class drafts {
public:
    // All outlive it.
    drafts(
        boost::asio::any_io_executor executor,
        draft_screen& screen,
        base::clock& clock,
        draft_times times = {}
    )
        : executor_(executor),
          screen_(screen),
          clock_(clock),
          times_(times),
          tasks_(std::move(executor)) {}

    // What one run of the job tells; the graph outlives it. Null: people see nothing of it.
    std::unique_ptr<observer> of(queue::job const& job, graph const& flow);
    // False: no such draft grows in this process, which may be over.
    bool stop(address const& chat, std::int64_t number);
    base::awaitable<void> close();

private:
    struct draft;
    using draft_key = std::tuple<bot_id, chat_id, std::int64_t>;
    class writer;
    static base::awaitable<void> keep_shown(std::shared_ptr<draft> shown_draft);

    boost::asio::any_io_executor executor_;
    draft_screen& screen_;
    base::clock& clock_;
    draft_times times_;
    base::task_group tasks_;
    std::map<draft_key, std::shared_ptr<draft>> growing_;
};

} // namespace postrider::agent::flow
