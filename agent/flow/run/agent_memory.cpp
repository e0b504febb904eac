#include "agent/flow/run/agent_memory.hpp"

#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/chat/history.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/talk/degradation.hpp"
#include "base/log.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

base::awaitable<void> agent_memory::open() {
    auto found = co_await connected_memory(run_, progress_.item);
    if (found)
        memory_ = std::move(*found);
    else
        report(found.error());
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
void agent_memory::keep_question(chat_message const& question, bool stands) {
    if (!memory_) return;
    if (memory_->is_conversation() && run_.started_by().answers_a_message()) return;
    keep(question, stands);
}

void agent_memory::keep(chat_message const& message, bool stands) {
    keep_at(progress_.said++, message, stands);
}

void agent_memory::keep_at(int place, chat_message const& message, bool stands) {
    if (!memory_ || stands) return;
    auto rows = memory_->keep(message, run_.position(place));
    for (auto& row : rows) run_.steps().add(std::move(row));
}

bool agent_memory::offers_new_conversation() const {
    return memory_ && run_.started_by().answers_a_message() && memory_->offers_new_conversation();
}

void agent_memory::give(chat_message const& answer, bool stands, bool offers_new) {
    give(answer, stands, offers_new, storage::message_origin::agent);
}

void agent_memory::give_apology(std::string const& text, bool stands) {
    give(
        {.role = role::assistant, .content = text}, stands, false, storage::message_origin::engine
    );
}

void agent_memory::give(
    chat_message const& message, bool stands, bool offers_new, storage::message_origin origin
) {
    if (!memory_) return;
    if (memory_->is_conversation()) {
        auto row = run_.conversation().row_of(message, run_.position(progress_.said++), origin);
        row.id = base::nanoid(run_.services().random);
        if (offers_new) offer_new_conversation(row);
        run_.give_answer(std::move(row));
        return;
    }
    keep(message, stands);
}

} // namespace postrider::agent::flow
