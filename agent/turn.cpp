#include "agent/turn.hpp"

#include "agent/failure_text.hpp"
#include "agent/history.hpp"
#include "agent/loop/decide.hpp"
#include "agent/loop/window.hpp"
#include "agent/models/reply_json.hpp"
#include "agent/prompt.hpp"
#include "agent/reply.hpp"
#include "agent/typing.hpp"
#include "base/fault.hpp"
#include "base/json.hpp"
#include "base/log.hpp"

#include <boost/json/object.hpp>

#include <array>

namespace postrider::agent {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;
using base::errc;
using base::retry_policy;

// A person waits for the answer.
constexpr retry_policy asking{
    .limit = 2,
    .delay = 1s,
    .backoff = base::backoff_shape::exponential,
    .timeout = 60s,
    .total = 120s};
constexpr retry_policy using_tool{
    .limit = 2,
    .delay = 1s,
    .backoff = base::backoff_shape::exponential,
    .timeout = 30s,
    .total = 60s};

constexpr auto read_deadline = 10s;
// So often a message may be edited while it is being answered; then the answer stands.
constexpr int most_edits = 3;

// One run of one turn. Lives in the frame of run_turn().
class turn {
public:
    turn(turn_services const& services, queue::workflow& flow, turn_input input);

    base::awaitable<queue::outcome> run();

private:
    // What a round of the model led to: the turn's text, or nothing yet.
    using finding = std::optional<std::string>;

    base::awaitable<void> read_history();
    void take_history(std::vector<storage::message_row> const& rows);
    base::awaitable<finding> round();
    base::awaitable<queue::step_value> ask();
    base::awaitable<base::result<void>> pass_gates();
    base::awaitable<queue::step_value> call_model(chat_request request);
    base::awaitable<finding> conclude(std::string text, bool known);
    base::awaitable<finding> use_tools(chat_reply reply, run_tools what, bool known);
    base::awaitable<void> use_tool(tool_call call);
    base::awaitable<queue::step_value> run_tool(tool_call call);
    base::awaitable<bool> commit(queue::commit_with what);

    chat_request request() const;
    agent::reply reply_with(std::string const& text) const;
    int next_position() const { return first_position_ + static_cast<int>(own_.size()); }
    storage::write row_of(chat_message const& message, int position, std::string delivery = {});
    void note_result(tool_call const& call, std::string text, bool is_error);
    queue::outcome ending(delivery const& how) const;

    turn_services const& services_;
    queue::workflow& flow_;
    turn_input input_;
    agent_profile profile_;

    std::vector<chat_message> asked_; // the history, and what the user asks
    std::string question_;            // the user's words alone, to compare
    int first_position_ = 1;          // of our own messages
    std::vector<chat_message> own_;   // this turn's rounds so far
    std::vector<tool_result> results_;
    loop_state state_;
    queue::usage used_;
    std::optional<base::error> failure_; // the model's
    int reply_position_ = 1;

    struct spare {
        json::value reply;
        std::string question;
    };
    std::optional<spare> spare_; // the last reply, in case its commit is refused
    int edits_ = 0;
};

turn::turn(turn_services const& services, queue::workflow& flow, turn_input input)
    : services_(services),
      flow_(flow),
      input_(std::move(input)) {
    auto profile = services_.agents.find(input_.agent);
    if (profile != services_.agents.end()) profile_ = profile->second;
}

base::awaitable<queue::outcome> turn::run() {
    base::fault::point("turn.started");
    co_await read_history();
    base::fault::point("turn.after_history");
    finding text;
    while (!text) text = co_await round();
    auto const how = co_await deliver(flow_, services_.out, reply_with(*text));
    co_return ending(how);
}

// Until it succeeds: without the database nothing else could go on either, and the engine cancels
// the turn when its lease is in danger.
base::awaitable<void> turn::read_history() {
    auto const& job = flow_.job();
    for (auto pause = 100ms;; pause = std::min(pause * 2, 2000ms)) {
        auto rows = co_await storage::read_history(
            services_.reads, job.lane, job.conversation, job.id, profile_.history, read_deadline
        );
        if (rows) {
            take_history(*rows);
            co_return;
        }
        auto const& why = rows.error();
        if (why == errc::poison || why == errc::internal)
            throw std::runtime_error("the history cannot be read: " + why.detail);
        base::log::warn("turn.history_unread", {{"job", job.id}, {"error", why}});
        co_await base::sleep_for(pause);
    }
}

void turn::take_history(std::vector<storage::message_row> const& rows) {
    std::vector<chat_message> earlier;
    std::vector<chat_message> now;
    question_.clear();
    for (auto const& row : rows) {
        if (row.job != flow_.job().id) {
            earlier.push_back(message_from(row));
        } else if (row.role == "user") { // our own messages come from the record, with their state
            now.push_back(message_from(row));
            question_ += row.content + '\n';
            first_position_ = row.position + 1;
        }
    }
    asked_ = window(std::move(earlier), profile_.history);
    std::ranges::move(now, std::back_inserter(asked_));
}

// One model call and what it leads to. A step that is found in the record has its rows there too.
base::awaitable<turn::finding> turn::round() {
    bool const known = flow_.recorded("model");
    auto value = co_await flow_.try_step("model", asking, [this] { return ask(); });
    if (!value) {
        failure_ = value.error();
        base::log::warn("turn.model_failed", {{"job", flow_.job().id}, {"error", *failure_}});
        auto text =
            state_.concluding ? list_results(results_) : std::string(failure_text(failure_->code));
        co_return co_await conclude(std::move(text), known);
    }
    failure_.reset();
    auto reply = reply_from_json(*value).value();
    spare_ = spare{std::move(*value), question_};

    auto const before = used_;
    used_.tokens_in += reply.usage.input;
    used_.tokens_out += reply.usage.output;
    auto next = decide(state_, {profile_.max_tool_calls, profile_.max_rounds}, reply);
    auto const rounds = state_.rounds;
    finding text;
    if (auto tools = std::get_if<run_tools>(&next))
        text = co_await use_tools(std::move(reply), std::move(*tools), known);
    else if (auto said = std::get_if<answer>(&next))
        text = co_await conclude(std::move(said->text), known);
    else
        text = co_await conclude(list_results(results_), known);
    // Refused for an edit, but of another message: the reply is used again and counts once.
    bool const refused = !text && state_.rounds == rounds;
    if (refused && spare_->question == question_) used_ = before;
    co_return text;
}

base::awaitable<queue::step_value> turn::ask() {
    if (!profile_.model)
        co_return base::error(errc::not_found, "no agent is configured as " + input_.agent);
    if (spare_ && edits_ > 0 && own_.empty() && spare_->question == question_)
        co_return spare_->reply;
    auto admitted = co_await pass_gates();
    if (!admitted) co_return admitted.error();
    base::fault::point("turn.before_model");
    auto value = co_await while_typing(services_.out, input_.to, call_model(request()));
    base::fault::point("turn.after_model");
    co_return value;
}

// Each try of the model. What makes a person wait for longer than a failing model would is not
// waited for.
base::awaitable<base::result<void>> turn::pass_gates() {
    std::array<std::string, 2> const gates{profile_.breaker, profile_.rate};
    for (auto const& gate : gates) {
        auto passed = co_await flow_.admit(gate, asking.total);
        if (passed) continue;
        auto late = passed.error();
        late.retry_after = *asking.total; // beyond the step's own patience: it is not tried again
        co_return late;
    }
    co_return base::result<void>{};
}

base::awaitable<queue::step_value> turn::call_model(chat_request request) {
    auto reply = co_await profile_.model->chat(std::move(request));
    if (services_.limits && !profile_.breaker.empty()) {
        base::result<void> how;
        if (!reply) how = reply.error();
        services_.limits->report(profile_.breaker, how);
    }
    if (!reply) co_return reply.error();
    co_return to_json(*reply);
}

chat_request turn::request() const {
    chat_request made;
    if (profile_.model->capabilities().tools) made.tools = services_.tools.specs();
    made.system = system_prompt(profile_.persona, made.tools, services_.clock.now());
    made.messages = asked_;
    made.messages.insert(made.messages.end(), own_.begin(), own_.end());
    made.choice = state_.concluding ? tool_choice::none : tool_choice::automatic;
    made.max_tokens = profile_.max_tokens;
    return made;
}

// The turn has its text: the message and the intent to send it stand before anything is sent.
base::awaitable<turn::finding> turn::conclude(std::string text, bool known) {
    reply_position_ = next_position();
    if (!known) {
        chat_message const message{.role = role::assistant, .content = text};
        queue::commit_with what;
        what.writes.push_back(row_of(message, reply_position_, "pending"));
        what.effects = intents_of(reply_with(text));
        if (!co_await commit(std::move(what))) co_return std::nullopt;
    }
    co_return text;
}

// The calls that may run, one after the other, and the others' refusal. Goes on with a round.
base::awaitable<turn::finding> turn::use_tools(chat_reply reply, run_tools what, bool known) {
    chat_message message{.role = role::assistant, .content = reply.text, .calls = reply.calls};
    if (!known) {
        queue::commit_with rows;
        rows.writes.push_back(row_of(message, next_position()));
        auto position = next_position() + 1 + static_cast<int>(what.run.size());
        for (auto const& call : what.refused) {
            auto const refusal = result_of(call, std::string(limit_reached), true);
            rows.writes.push_back(row_of(refusal, position++));
        }
        if (!co_await commit(std::move(rows))) co_return std::nullopt;
    }
    ++state_.rounds;
    state_.calls += static_cast<int>(what.run.size());
    state_.concluding = what.concluding;
    message.provider_state = std::move(reply.provider_state);
    own_.push_back(std::move(message));
    for (auto& call : what.run) co_await use_tool(std::move(call));
    for (auto const& call : what.refused) note_result(call, std::string(limit_reached), true);
    co_return std::nullopt;
}

base::awaitable<void> turn::use_tool(tool_call call) {
    auto const name = "tool:" + call.id;
    bool const known = flow_.recorded(name);
    auto value = co_await flow_.try_step(name, using_tool, [&] { return run_tool(call); });
    auto text = value ? std::string(value->as_string()) : std::string{};
    if (!value) {
        auto const& why = value.error();
        text = why.detail.empty() ? std::string(base::to_string(why.code)) : why.detail;
    }
    auto const position = next_position();
    note_result(call, std::move(text), !value);
    if (known) co_return;
    queue::commit_with row;
    row.writes.push_back(row_of(own_.back(), position));
    (void)co_await flow_.commit(std::move(row));
}

base::awaitable<queue::step_value> turn::run_tool(tool_call call) {
    tool_context context{input_.to.bot, input_.to.chat, input_.user, flow_.job().id, call.id};
    auto result = co_await services_.tools.run(std::move(call), std::move(context));
    if (!result) co_return result.error();
    co_return json::value(*result);
}

void turn::note_result(tool_call const& call, std::string text, bool is_error) {
    results_.push_back({call.name, text, is_error});
    own_.push_back(result_of(call, std::move(text), is_error));
}

// False when the user's message was edited meanwhile: nothing was written, and the history has
// been read anew. Only the first reply can be too late: from then on an edit changes nothing.
base::awaitable<bool> turn::commit(queue::commit_with what) {
    what.unless_edited = own_.empty() && edits_ < most_edits;
    auto done = co_await flow_.commit(std::move(what));
    if (done) co_return true;
    ++edits_;
    flow_.start_over();
    co_await read_history();
    co_return false;
}

agent::reply turn::reply_with(std::string const& text) const {
    // Groups are told what is answered; in a private chat it is plain.
    bool const group = base::raw(input_.to.chat) < 0;
    return {
        "send",
        input_.to,
        group ? input_.message : telegram_message_id{},
        services_.out.split(text)};
}

storage::write turn::row_of(chat_message const& message, int position, std::string delivery) {
    auto const& job = flow_.job();
    auto row = row_from(message);
    row.lane = job.lane;
    row.job = job.id;
    row.conversation = job.conversation;
    row.position = position;
    row.id = base::nanoid(services_.random);
    row.delivery = std::move(delivery);
    return storage::add_message(row);
}

queue::outcome turn::ending(delivery const& how) const {
    json::object output{
        {"delivery", how.state},
        {"rounds", state_.rounds + 1},
        {"tool_calls", state_.calls},
    };
    if (failure_) output["error_class"] = base::to_string(failure_->code);
    if (how.state != "sent") {
        output["delivery_error"] = base::to_string(how.why.code);
        output["parts_sent"] = how.sent;
    }
    auto made = queue::outcome::completed(std::move(output), used_);
    auto const& job = flow_.job();
    made.writes.push_back(
        storage::set_delivery(job.lane, job.id, reply_position_, how.state, how.first)
    );
    return made;
}

base::awaitable<queue::outcome> run_turn(turn_services const& services, queue::workflow& flow) {
    auto input = turn_input_from(flow.job().input);
    if (!input) co_return queue::outcome::failed(input.error());
    turn one{services, flow, std::move(*input)};
    co_return co_await one.run();
}

} // namespace

queue::job_kind make_turn(turn_services services) {
    auto kept = std::make_shared<turn_services const>(std::move(services));
    return {
        std::string(turn_kind), [kept](queue::workflow& flow) { return run_turn(*kept, flow); }};
}

} // namespace postrider::agent
