#include "server/api/conversation_watch.hpp"

#include "agent/flow/watch/speakers.hpp"
#include "server/api/database_bounds.hpp"
#include "server/api/look_pace.hpp"

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

// Of a turn whose conversation is gone: its own or that of the one that took its message in, if it
// is not a reply, which went with the conversation.
std::optional<storage::ended_turn> find_end(
    storage::transaction& tx, job_id turn, storage::conversation_changes const& changes
) {
    auto end = storage::find_ended_turn(tx, turn, changes.until);
    if (changes.exists) return end;
    while (end && end->answered_by)
        end = storage::find_ended_turn(tx, *end->answered_by, changes.until);
    if (end && end->state == "completed") return std::nullopt;
    return end;
}

} // namespace

// The work on the storage thread may outlive a look that is cut off.
struct conversation_watch::reading {
    storage::conversation_changes changes;
    std::optional<storage::ended_turn> end;
};

conversation_watch::conversation_watch(
    conversation_watch_services services,
    storage::api_conversation of,
    std::optional<conversation_position> from,
    base::asio::any_io_executor executor
)
    : services_(services),
      of_(std::move(of)),
      events_(std::move(from)),
      heard_(std::make_shared<flow::live_queue>(std::move(executor))),
      listener_(std::make_shared<conversation_listener>(conversation_listener{heard_})) {
    services_.listeners.add(of_.id, listener_);
}

base::awaitable<base::result<void>> conversation_watch::look() {
    auto const found = std::make_shared<reading>();
    std::function<void(storage::transaction&)> read =
        [found, wish = events_.wish(of_.lane), turn = followed_](storage::transaction& tx) {
            found->changes = storage::read_changes(tx, wish);
            if (turn) found->end = find_end(tx, *turn, found->changes);
        };
    auto done =
        co_await services_.db.run("conversation.look", std::move(read), database_waits.read);
    if (!done) co_return done.error();
    if (!found->changes.exists) {
        if (found->end) events_.add_end(*found->end);
        co_return base::error(base::errc::not_found);
    }
    if (found->changes.foreign) co_return base::error(base::errc::invalid);
    // What was heard before may be the words of the turn before, else those of the first one.
    if (!events_.turn()) co_await attend(found->changes.turn);
    events_.add(found->changes, heard_->take(), speakers_);
    if (found->end) {
        events_.add_end(*found->end);
        followed_ = found->end->answered_by.value_or(*followed_);
    }
    co_await attend(events_.turn());
    listener_->is_idle = !events_.turn();
    co_return base::result<void>{};
}

void conversation_watch::follow(job_id turn, std::optional<conversation_position> from) {
    bool const is_next = !events_.turn();
    events_ = conversation_events(std::move(from).value_or(events_.position()), turn);
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
    auto graph = co_await services_.nodes.find_flow(turn->flow, turn->version);
    if (graph) speakers_ = flow::speakers_of(**graph);
}

base::awaitable<void> conversation_watch::tell(net::body_writer& to) {
    auto const& clock = services_.nodes.clock;
    auto const end = clock.steady() + longest_conversation_watch;
    auto looked = clock.steady();
    auto busy_until = looked;
    for (;;) {
        bool const written = co_await write(to);
        bool const is_over = followed_ && events_.end_of(*followed_);
        if (!written || is_over || clock.steady() >= end) co_return;
        auto const pause = clock.steady() < busy_until ? shortest_pause : longest_pause;
        co_await heard_->wait_for(looked + pause - clock.steady());
        auto const now = clock.steady();
        if (heard_->take_progress()) busy_until = now + busy_for;
        bool const is_notified = std::exchange(listener_->is_notified, false);
        if (is_notified || now >= looked + (now < busy_until ? shortest_pause : longest_pause)) {
            auto const done = co_await look();
            if (!done && !look_pace::may_pass(done.error())) {
                co_await write(to); // how the turn ended with a conversation that is gone
                co_return;
            }
            looked = clock.steady();
            // The database answers again, or the watch is over in time.
            if (!done) looked += look_pace::after_failure;
        } else {
            events_.hear(heard_->take(), speakers_);
        }
    }
}

base::awaitable<bool> conversation_watch::write(net::body_writer& to) {
    std::string text;
    for (auto const& event : events_.take()) text += net::to_text(event);
    if (text.empty()) co_return true;
    co_return co_await to.write(text);
}

} // namespace postrider::api
