#include "agent/flow/run/agent_memory.hpp"

#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/chat/history.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/talk/degradation.hpp"
#include "base/log.hpp"

#include <algorithm>
#include <utility>

namespace postrider::agent::flow {

namespace json = boost::json;

base::awaitable<void> agent_memory::open() {
    auto connected = co_await connected_memory(run_, progress_.item);
    if (connected)
        part_ = std::move(*connected);
    else
        report(connected.error());
}

// Looking at what happened logs nothing.
void agent_memory::report(base::error const& failure) {
    run_.note("memory_degraded", json::value(base::to_string(failure.code)));
    run_.degrade(degradation_of(degraded_by::memory_degraded, failure));
    if (run_.steps().is_read_only()) return;
    base::log::warn("agent.memory_degraded", {{"job", run_.steps().job().id}, {"error", failure}});
}

// An answer without a memory is better than none.
base::awaitable<std::vector<chat_message>> agent_memory::recall(
    std::string_view question, bool was_answered
) {
    if (!part_.memory) co_return std::vector<chat_message>{};
    auto steps = was_answered ? run_.steps().read_only() : run_.steps();
    auto recalled = co_await part_.memory->recall(question, steps);
    if (!recalled) {
        report(recalled.error());
        // What is said can be written all the same: another recall may find it.
        if (part_.site != memory_site::outside) part_ = {};
        co_return std::vector<chat_message>{};
    }
    if (recalled->is_cut) run_.note("memory_cut", true);
    if (recalled->shortfall) report(*recalled->shortfall);
    offers_new_ = recalled->offers_new_conversation;
    has_question_ = recalled->has_question;
    memories_ = std::move(recalled->memories);
    co_return std::move(recalled->messages);
}

void agent_memory::take_question(std::vector<chat_message>& earlier, chat_message& question) {
    if (!has_question_ || earlier.empty()) return;
    instruction_ = std::exchange(question.content, std::move(earlier.back().content));
    earlier.pop_back();
}

void agent_memory::note_size(std::int64_t tokens) {
    if (!part_.memory) return;
    for (auto& row : part_.memory->after_question(tokens)) run_.steps().add(std::move(row));
}

// A person's message stands in the conversation already.
void agent_memory::keep_question(chat_message const& question, bool is_stored) {
    if (!part_.memory) return;
    if (part_.site == memory_site::conversation && run_.started_by().answers_a_message()) return;
    keep(question, is_stored);
}

void agent_memory::keep(chat_message const& message, bool is_stored) {
    keep_at(progress_.messages++, message, is_stored);
}

void agent_memory::keep_at(int place, chat_message const& message, bool is_stored) {
    if (!part_.memory) return;
    auto const position = run_.position(place);
    if (part_.site == memory_site::outside) said_.push_back({message, position});
    if (is_stored) return;
    for (auto& row : part_.memory->keep(message, position)) run_.steps().add(std::move(row));
}

// Nothing goes outside for a question that can still be edited.
base::awaitable<void> agent_memory::write_out() {
    if (part_.site != memory_site::outside || said_.empty()) co_return;
    if (!run_.steps().recorded(remember_step)) co_await run_.commit({});
    // Calls that ran side by side were said in the order of their ends.
    std::ranges::sort(said_, {}, &kept_message::position);
    auto const written = co_await part_.memory->remember(std::move(said_), run_.steps());
    said_.clear();
    if (!written) report(written.error());
}

bool agent_memory::offers_new_conversation() const {
    return offers_new_ && run_.started_by().answers_a_message();
}

void agent_memory::give(chat_message const& answer, bool is_stored, bool offers_new) {
    give(answer, is_stored, offers_new, storage::message_origin::agent);
}

void agent_memory::give_apology(std::string const& text, bool is_stored) {
    give(
        {.role = role::assistant, .content = text},
        is_stored,
        false,
        storage::message_origin::engine
    );
}

void agent_memory::give(
    chat_message const& message, bool is_stored, bool offers_new, storage::message_origin origin
) {
    if (!part_.memory) return;
    if (part_.site == memory_site::conversation) {
        auto row = run_.conversation().row_of(message, run_.position(progress_.messages++), origin);
        row.id = base::nanoid(run_.services().random);
        if (offers_new) offer_new_conversation(row);
        run_.give_answer(std::move(row));
        return;
    }
    keep(message, is_stored);
}

} // namespace postrider::agent::flow
