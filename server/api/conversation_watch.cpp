#include "server/api/conversation_watch.hpp"

#include "agent/flow/run/flow_choice.hpp"
#include "agent/flow/watch/speakers.hpp"
#include "base/json/row.hpp"
#include "server/api/database_bounds.hpp"
#include "storage/query.hpp"

#include <algorithm>
#include <tuple>

namespace postrider::api {

namespace flow = agent::flow;
using namespace std::chrono_literals;

namespace {

// Between two looks at the database: for a while after something happened, and else.
constexpr base::duration shortest_pause = 100ms;
constexpr base::duration longest_pause = 500ms;
// A step's commit is seen a moment after the step itself.
constexpr base::duration busy_for = 1s;
// Then the client comes again with its token, which may have been revoked meanwhile.
constexpr base::duration longest_conversation_watch = 10min;

constexpr storage::statement draft_of_turn{
    "conversation.draft",
    R"(
select w.i, j.document::text
from json_to_recordset($1::json) as w(i int, job_id bigint)
cross join lateral (select j.input -> 'document' as document from postrider.job j
                    where j.job_id = w.job_id offset 0) j
where j.document is not null
)",
    10};

// A run of a draft is of no version; the job has what it runs.
base::awaitable<flow::flow_choice> choice_of(
    storage::batcher& reads, storage::running_turn const& turn
) {
    flow::flow_choice choice{turn.flow, turn.version};
    if (turn.version != 0) co_return choice;
    storage::write look{&draft_of_turn, base::json_row{{"job_id", base::raw(turn.job)}}.text()};
    auto const changes = co_await storage::query(reads, std::move(look), database_waits.read);
    if (changes && !changes->empty()) choice.document = changes->front().json(1);
    co_return choice;
}

} // namespace

conversation_watch::conversation_watch(
    conversation_watch_services services,
    storage::api_conversation conversation,
    std::optional<conversation_position> position,
    base::asio::any_io_executor executor
)
    : services_(services),
      of_(std::move(conversation)),
      events_(std::move(position)),
      heard_(std::make_shared<flow::live_queue>(std::move(executor))),
      listener_(std::make_shared<conversation_listener>(conversation_listener{heard_})),
      place_(std::make_shared<conversation_looks::place>(heard_->news())) {
    services_.listeners.add(of_.id, listener_);
    services_.looks.join(place_);
    if (of_.id.empty()) services_.live.watch_lane(of_.lane, heard_);
}

base::awaitable<base::result<void>> conversation_watch::look() {
    auto looked = co_await services_.looks.look(*place_, query());
    co_return co_await understand(std::move(looked));
}

base::awaitable<base::result<void>> conversation_watch::understand(conversation_looks::answer answer
) {
    if (!answer) co_return answer.error();
    auto const findings = *answer;
    if (!of_.id.empty() && !findings->changes.exists) {
        if (findings->end) events_.add_end(*findings->end);
        co_return base::error(base::errc::not_found);
    }
    if (findings->changes.foreign) co_return base::error(base::errc::invalid);
    // What was heard before may be the words of the turn before, else those of the first one.
    if (!events_.turn()) co_await attend(findings->changes.turn);
    events_.add(findings->changes, heard_->take(), speakers_);
    if (findings->end) {
        events_.add_end(*findings->end);
        followed_ = findings->end->answered_by.value_or(*followed_);
    }
    co_await attend(events_.turn());
    listener_->is_idle = !events_.turn();
    co_return base::result<void>{};
}

void conversation_watch::follow(job_id turn, std::optional<conversation_position> position) {
    bool const is_next = !events_.turn();
    events_ = conversation_events(std::move(position).value_or(events_.position()), turn);
    followed_ = turn;
    if (is_next) services_.live.watch(turn, heard_);
}

// Listens to the present turn. What its flow's agents say is only told where it can be known whose
// words are heard.
base::awaitable<void> conversation_watch::attend(std::optional<storage::running_turn> turn) {
    auto const key = [](storage::running_turn const& of) {
        return std::tie(of.job, of.flow, of.version);
    };
    if (!turn || (attended_ && key(*attended_) == key(*turn))) co_return;
    attended_ = turn;
    speakers_.clear();
    services_.live.watch(turn->job, heard_);
    auto choice = co_await choice_of(services_.nodes.reads, *turn);
    auto graph = co_await flow::find_chosen(services_.nodes, std::move(choice));
    if (graph) speakers_ = flow::speakers_of(**graph);
}

base::awaitable<void> conversation_watch::tell(event_writer& writer) {
    auto const& clock = services_.nodes.clock;
    auto const end = clock.steady() + longest_conversation_watch;
    auto looked = clock.steady();
    auto busy_until = looked;
    auto due = looked + longest_pause;
    for (;;) {
        bool const written = co_await write(writer);
        bool const is_over = followed_ && events_.end_of(*followed_);
        auto const now = clock.steady();
        if (!written || is_over || now >= end) co_return;
        auto const pause = now < busy_until ? shortest_pause : longest_pause;
        due = std::min(due, looked + pause);
        // A round that has begun may not see what the listener was notified of.
        if (!place_->is_read() && std::exchange(listener_->is_notified, false)) due = now;
        services_.looks.expect(*place_, query(), due - pause / 2, due);
        co_await services_.looks.wait(*place_);
        if (heard_->take_progress()) busy_until = clock.steady() + busy_for;
        auto answer = place_->take();
        if (!answer) {
            events_.hear(heard_->take(), speakers_);
            continue;
        }
        auto const done = co_await understand(std::move(*answer));
        if (!done) {
            co_await write(writer); // how the turn ended with a conversation that is gone
            co_return;
        }
        looked = clock.steady();
        due = looked + longest_pause;
    }
}

base::awaitable<bool> conversation_watch::write(event_writer& writer) {
    auto events = events_.take();
    co_return co_await writer.write(std::move(events));
}

} // namespace postrider::api
