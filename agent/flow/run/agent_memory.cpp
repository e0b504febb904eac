#include "agent/flow/run/agent_memory.hpp"

#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/chat/history.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/talk/degradation.hpp"
#include "base/log.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

base::awaitable<void> agent_memory::open() {
    auto connected = co_await connected_memory(run_, progress_.item);
    if (connected)
        memory_ = std::move(*connected);
    else
        report(connected.error());
}

// Looking at what happened logs nothing.
void agent_memory::report(base::error const& failure) {
    run_.note("memory_error", json::value(base::to_string(failure.code)));
    run_.degrade(degradation_of(degraded_by::memory_missing, failure));
    if (run_.steps().is_read_only()) return;
    base::log::warn("agent.no_memory", {{"job", run_.steps().job().id}, {"error", failure}});
}

// An answer without a memory is better than none.
base::awaitable<std::vector<chat_message>> agent_memory::recall(std::string_view question) {
    std::vector<chat_message> earlier;
    if (!memory_) co_return earlier;
    auto recalled = co_await memory_->recall(question, run_.steps());
    if (recalled) co_return std::move(*recalled);
    report(recalled.error());
    memory_.reset();
    co_return earlier;
}

// A person's message stands in the conversation already.
void agent_memory::keep_question(chat_message const& question, bool is_stored) {
    if (!memory_) return;
    if (memory_->is_conversation() && run_.started_by().answers_a_message()) return;
    keep(question, is_stored);
}

void agent_memory::keep(chat_message const& message, bool is_stored) {
    keep_at(progress_.messages++, message, is_stored);
}

void agent_memory::keep_at(int place, chat_message const& message, bool is_stored) {
    if (!memory_ || is_stored) return;
    auto rows = memory_->keep(message, run_.position(place));
    for (auto& row : rows) run_.steps().add(std::move(row));
}

bool agent_memory::offers_new_conversation() const {
    return memory_ && run_.started_by().answers_a_message() && memory_->offers_new_conversation();
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
    if (!memory_) return;
    if (memory_->is_conversation()) {
        auto row = run_.conversation().row_of(message, run_.position(progress_.messages++), origin);
        row.id = base::nanoid(run_.services().random);
        if (offers_new) offer_new_conversation(row);
        run_.give_answer(std::move(row));
        return;
    }
    keep(message, is_stored);
}

} // namespace postrider::agent::flow
