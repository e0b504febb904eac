#include "server/api/event_stream.hpp"

#include "base/json/text.hpp"
#include "server/api/conversation_watch.hpp"
#include "server/api/execution_replay.hpp"
#include "server/api/execution_watch.hpp"
#include "server/api/problem.hpp"

#include <boost/json/array.hpp>

#include <exception>

namespace postrider::api {

namespace json = boost::json;
using namespace std::chrono_literals;

namespace {

// Then the client comes again with its token, which may have been revoked meanwhile.
constexpr base::duration longest_event_stream = 10min;

using early_answer = std::optional<net::http_response>;

struct execution_part {
    std::string topic;
    std::shared_ptr<execution_watch> watch;
};

struct conversation_part {
    std::string topic;
    std::shared_ptr<conversation_watch> watch;
};

net::sse_event gone_event(std::string const& topic) {
    return {"gone", base::json_text(json::object{{"topic", topic}})};
}

// Those that end on their own do so when the client shall come again.
bool is_at_end(event_line const& line, base::clock const& clock, base::steady_time end) {
    return !line.is_open() || clock.steady() >= end - 1s;
}

// The line outlives them: whoever holds it waits for their end. False: it failed and cannot go on.
base::awaitable<bool> tell_execution(
    execution_part part, event_line& line, base::clock const& clock, base::steady_time end
) {
    topic_writer to(line, part.topic);
    co_await part.watch->tell(to);
    co_return part.watch->told_all() || is_at_end(line, clock, end);
}

// It ends before its time where the conversation is deleted.
base::awaitable<bool> tell_conversation(
    conversation_part part, event_line& line, base::clock const& clock, base::steady_time end
) {
    topic_writer to(line, part.topic);
    co_await part.watch->tell(to);
    if (is_at_end(line, clock, end)) co_return true;
    auto const looked = co_await part.watch->look();
    if (looked || looked.error() != base::errc::not_found) co_return false;
    std::vector<net::sse_event> events;
    events.push_back(gone_event(part.topic));
    co_await line.write(part.topic, std::move(events));
    co_return true;
}

// Before the others are cancelled, or a client would believe that what it has stays true.
base::awaitable<bool> tell_or_reset(
    std::vector<std::string> topics, base::awaitable<bool> telling, event_line& line
) {
    bool is_well = false;
    std::exception_ptr thrown;
    try {
        is_well = co_await std::move(telling);
    } catch (...) {
        thrown = std::current_exception();
    }
    if (is_well) co_return true;
    std::vector<net::sse_event> events;
    events.push_back(reset_event(topics));
    co_await line.write("", std::move(events));
    if (thrown) std::rethrow_exception(thrown);
    co_return false;
}

// Each change of the chat is also news for whoever watches its lane.
base::awaitable<bool> tell_demo(
    shared_watchers watchers, event_line& line, base::clock const& clock, base::steady_time end
) {
    auto& chat = *watchers->demo;
    auto const executor = co_await base::asio::this_coro::executor;
    auto const changed = std::make_shared<base::waker>(executor);
    chat.watch(changed);
    topic_writer to(line, std::string(demo_topic));
    for (std::string told; clock.steady() < end;) {
        watchers->conversations->listeners.notify("");
        auto text = base::json_text(chat.show());
        if (text != told) {
            std::vector<net::sse_event> events;
            events.push_back({"chat", text});
            bool const written = co_await to.write(std::move(events));
            if (!written) co_return true;
            told = std::move(text);
        }
        co_await changed->wait_for(end - clock.steady());
    }
    co_return true;
}

class event_stream {
public:
    event_stream(shared_watchers watchers, event_topics topics, std::shared_ptr<void> place)
        : watchers_(std::move(watchers)),
          topics_(std::move(topics)),
          place_(std::move(place)) {}

    // The first look of each part, before anything is answered.
    base::awaitable<early_answer> begin(std::string last_id, user_id user, storage::database& db);
    base::awaitable<void> tell(net::body_writer& writer);

private:
    base::awaitable<early_answer> begin_jobs(storage::database& db);
    base::awaitable<early_answer> begin_marks(storage::database& db);
    base::awaitable<early_answer> begin_execution(job_id job, storage::database& db);
    base::awaitable<early_answer> begin_conversation(
        std::string id, user_id user, storage::database& db
    );
    base::awaitable<early_answer> begin_demo(storage::database& db);
    base::awaitable<early_answer> begin_watch(
        std::string topic, storage::api_conversation of, storage::database& db
    );
    std::vector<net::sse_event> first_events() const;

    shared_watchers watchers_;
    event_topics topics_;
    std::shared_ptr<void> place_;
    database_state health_; // as told
    stream_position position_;
    std::vector<std::string> reset_; // topics whose place is not known
    std::vector<std::string> gone_;  // topics of what is not there
    std::unique_ptr<job_events> jobs_;
    std::unique_ptr<mark_events> marks_;
    std::vector<execution_part> executions_;
    std::vector<conversation_part> conversations_;
};

base::awaitable<early_answer> event_stream::begin(
    std::string last_id, user_id user, storage::database& db
) {
    auto const position = stream_position::from(last_id);
    if (position) {
        auto kept = topics_.words;
        kept.emplace_back(jobs_place);
        position_ = position->of(kept);
    } else {
        reset_ = topics_.words;
    }
    for (auto const job : topics_.executions) {
        auto refused = co_await begin_execution(job, db);
        if (refused) co_return refused;
    }
    for (auto const& id : topics_.conversations) {
        auto refused = co_await begin_conversation(id, user, db);
        if (refused) co_return refused;
    }
    if (topics_.demo) {
        auto refused = co_await begin_demo(db);
        if (refused) co_return refused;
    }
    if (!topics_.marks.empty()) {
        auto refused = co_await begin_marks(db);
        if (refused) co_return refused;
    }
    if (topics_.follow_jobs()) {
        auto refused = co_await begin_jobs(db);
        if (refused) co_return refused;
    }
    health_ = co_await watchers_->pulse_at(db).get();
    co_return std::nullopt;
}

base::awaitable<early_answer> event_stream::begin_jobs(storage::database& db) {
    auto const executor = co_await base::asio::this_coro::executor;
    jobs_ =
        std::make_unique<job_events>(watchers_->jobs_at(db), watchers_->clock(), topics_, executor);
    auto const looked = co_await jobs_->look(position_);
    if (!looked) co_return problem_of(looked.error(), database_use::read);
    if (!*looked)
        for (auto& topic : jobs_->topics()) reset_.push_back(std::move(topic));
    co_return std::nullopt;
}

base::awaitable<early_answer> event_stream::begin_marks(storage::database& db) {
    auto const executor = co_await base::asio::this_coro::executor;
    marks_ = std::make_unique<mark_events>(
        watchers_->marks_at(db), watchers_->clock(), topics_.marks, executor
    );
    auto const looked = co_await marks_->look(position_);
    if (!looked) co_return problem_of(looked.error(), database_use::read);
    co_return std::nullopt;
}

base::awaitable<early_answer> event_stream::begin_execution(job_id job, storage::database& db) {
    auto topic = topic_of(job);
    auto const place = position_.at(topic);
    auto const at = event_position_from(place);
    if (!at && !place.empty()) reset_.push_back(topic);
    auto const& with = watchers_->with;
    watch_services const services{
        watchers_->executions->looks_at(db, with.nodes), with.nodes.clock, with.live};
    auto watch = std::make_shared<execution_watch>(services, job, at.value_or(event_position{}));
    auto const looked = co_await watch->look();
    if (!looked && looked.error() == base::errc::not_found) {
        gone_.push_back(std::move(topic));
        co_return std::nullopt;
    }
    if (!looked) co_return problem_with(looked.error());
    if (!watch->told_all()) executions_.push_back({std::move(topic), std::move(watch)});
    co_return std::nullopt;
}

base::awaitable<early_answer> event_stream::begin_conversation(
    std::string id, user_id user, storage::database& db
) {
    auto const& with = watchers_->conversations;
    auto conversation = co_await look_up(with, id, user);
    auto topic = topic_of(id);
    if (auto* missing = std::get_if<net::http_response>(&conversation)) {
        if (missing->status != 404) co_return std::move(*missing);
        gone_.push_back(std::move(topic));
        co_return std::nullopt;
    }
    auto of = std::get<storage::api_conversation>(std::move(conversation));
    co_return co_await begin_watch(std::move(topic), std::move(of), db);
}

base::awaitable<early_answer> event_stream::begin_demo(storage::database& db) {
    std::string topic(demo_topic);
    if (!watchers_->demo) {
        gone_.push_back(std::move(topic));
        co_return std::nullopt;
    }
    storage::api_conversation of;
    of.lane = watchers_->demo->lane();
    co_return co_await begin_watch(std::move(topic), std::move(of), db);
}

base::awaitable<early_answer> event_stream::begin_watch(
    std::string topic, storage::api_conversation of, storage::database& db
) {
    auto const& with = watchers_->conversations;
    std::string const place(position_.at(topic));
    auto at = conversation_position_from(place);
    bool is_known = at || place.empty();
    conversation_watch_services const services{
        with->looks_at(db), with->nodes, with->live, with->listeners};
    auto const executor = co_await base::asio::this_coro::executor;
    auto watch = std::make_shared<conversation_watch>(services, of, at, executor);
    auto looked = co_await watch->look();
    if (at && !looked && looked.error() == base::errc::invalid) {
        is_known = false;
        at.reset();
        watch = std::make_shared<conversation_watch>(services, of, at, executor);
        looked = co_await watch->look();
    }
    if (!looked && looked.error() == base::errc::not_found) {
        gone_.push_back(std::move(topic));
        co_return std::nullopt;
    }
    if (!looked) co_return problem_of(looked.error(), database_use::read);
    if (!is_known) reset_.push_back(topic);
    conversations_.push_back({std::move(topic), std::move(watch)});
    co_return std::nullopt;
}

std::vector<net::sse_event> event_stream::first_events() const {
    json::array words;
    for (auto const& word : topics_.words) words.emplace_back(word);
    std::vector<net::sse_event> events;
    events.push_back({"watching", base::json_text(json::object{{"topics", std::move(words)}})});
    events.push_back(health_event(health_));
    if (!reset_.empty()) events.push_back(reset_event(reset_));
    for (auto const& topic : gone_) events.push_back(gone_event(topic));
    return events;
}

base::awaitable<void> event_stream::tell(net::body_writer& writer) {
    auto const& clock = watchers_->clock();
    auto const end = clock.steady() + longest_event_stream;
    auto const executor = co_await base::asio::this_coro::executor;
    event_line line(writer, position_, executor);
    auto first = first_events();
    bool const has_begun = co_await line.begin(std::move(first));
    if (!has_begun) co_return;
    std::vector<base::awaitable<bool>> parts;
    parts.push_back(watchers_->pulse->tell(health_, line, end));
    if (jobs_) parts.push_back(tell_or_reset(jobs_->topics(), jobs_->tell(line, end), line));
    if (marks_) parts.push_back(tell_or_reset(marks_->topics(), marks_->tell(line, end), line));
    for (auto const& part : executions_)
        parts.push_back(tell_or_reset({part.topic}, tell_execution(part, line, clock, end), line));
    for (auto const& part : conversations_)
        parts.push_back(tell_or_reset({part.topic}, tell_conversation(part, line, clock, end), line)
        );
    if (topics_.demo && watchers_->demo)
        parts.push_back(
            tell_or_reset({std::string(demo_topic)}, tell_demo(watchers_, line, clock, end), line)
        );
    // Of a failure the client is told when it comes again. Where everything it watches is over, the pulse
    // goes on: a client that was sent away would come again at once.
    (void)co_await base::run_while_well("events", std::move(parts));
}

base::awaitable<void> tell_events(std::shared_ptr<event_stream> stream, net::body_writer& writer) {
    co_await stream->tell(writer);
}

} // namespace

base::awaitable<net::http_response> stream_events(
    shared_watchers watchers,
    event_topics topics,
    std::string last_id,
    caller caller,
    storage::database& db
) {
    bool const is_of_a_person = caller.role == storage::token_role::user;
    auto place = is_of_a_person ? watchers->people.take(caller.user) : watchers->operators.take();
    if (!place) co_return watch_places::all_taken();
    auto const stream =
        std::make_shared<event_stream>(watchers, std::move(topics), std::move(place));
    auto refused = co_await stream->begin(std::move(last_id), caller.user, db);
    if (refused) co_return std::move(*refused);
    co_return net::sse_response([stream](net::body_writer& writer) {
        return tell_events(stream, writer);
    });
}

} // namespace postrider::api
