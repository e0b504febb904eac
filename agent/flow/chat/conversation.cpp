#include "agent/flow/chat/conversation.hpp"

#include "agent/describe/bounds.hpp"
#include "agent/flow/chat/history.hpp"
#include "agent/language/lexicon.hpp"
#include "agent/loop/speaker.hpp"
#include "agent/loop/token_window.hpp"
#include "base/json/json.hpp"
#include "base/log.hpp"
#include "storage/stores/coalesced_messages.hpp"

#include <limits>
#include <map>
#include <stdexcept>

namespace postrider::agent::flow {

using namespace std::chrono_literals;
using base::errc;

namespace {

constexpr int most_joined = 50;

// Of an agent. What the engine says beside it, such as the answer to a command, ends no turn.
bool is_answer(storage::message_row const& row) {
    return row.role == to_string(role::assistant) &&
           row.origin != storage::message_origin::engine && !base::json_reader{row.detail}["calls"];
}

// The newest messages of people that no answer stands behind, by the jobs that they began.
std::map<job_id, std::string> unanswered(
    std::vector<storage::message_row> const& rows, job_id question
) {
    std::map<job_id, std::string> texts;
    for (auto row = rows.rbegin(); row != rows.rend() && std::ssize(texts) < most_joined; ++row) {
        if (row->job == question) continue;
        if (is_answer(*row)) break;
        if (row->role == to_string(role::user) && row->position == 0)
            texts.emplace(row->job, row->content);
    }
    return texts;
}

// Whether messages before these may be joined to the question, too: so many are there, and none is an answer.
bool may_join_earlier(std::vector<storage::message_row> const& rows, job_id question, int limit) {
    auto const is_earlier = [&](auto const& row) { return row.job != question; };
    return std::ranges::count_if(rows, is_earlier) >= limit &&
           std::ranges::none_of(rows, [&](auto const& row) {
               return is_earlier(row) && is_answer(row);
           });
}

} // namespace

base::awaitable<void> conversation::read(int limit) {
    if (limit <= read_limit_) co_return;
    for (auto pause = 100ms;; pause = std::min(pause * 2, 2000ms)) {
        auto rows = co_await storage::read_history(
            reads_,
            job_.lane,
            job_.conversation,
            job_.id,
            limit,
            bounds::longest_read,
            input_.history
        );
        bool const joins_more = rows && !has_joined_ && input_.heard && limit < most_joined &&
                                may_join_earlier(*rows, job_.id, limit);
        if (joins_more) {
            limit = most_joined;
            continue;
        }
        base::result<void> joined;
        if (rows) joined = co_await read_joined(*rows);
        if (rows && joined) {
            take(*rows);
            is_whole_ = count_said(earlier_) < limit;
            read_limit_ = is_whole_ ? std::numeric_limits<int>::max() : limit;
            co_await find_usual_language();
            co_return;
        }
        auto const& reason = rows ? joined.error() : rows.error();
        if (reason == errc::poison || reason == errc::internal)
            throw std::runtime_error("the history cannot be read: " + reason.detail);
        base::log::warn("turn.history_unread", {{"job", job_.id}, {"error", reason}});
        co_await base::sleep_for(pause);
    }
}

// Behind an answer nothing is left to be joined: a usual turn asks for nothing more.
base::awaitable<base::result<void>> conversation::read_joined(
    std::vector<storage::message_row> const& rows
) {
    if (has_joined_ || !input_.heard) co_return base::result<void>{};
    auto const texts = unanswered(rows, job_.id);
    std::vector<job_id> jobs;
    jobs.reserve(texts.size());
    for (auto const& [job, text] : texts) jobs.push_back(job);
    auto const turn = input_.history ? input_.history->job : job_.id;
    auto coalesced = co_await storage::read_coalesced_messages(
        reads_, std::move(jobs), turn, bounds::longest_read
    );
    if (!coalesced) co_return coalesced.error();
    for (auto const& message : *coalesced) {
        auto const input = execution_input_from(message.input);
        if (!input || !input->heard) continue;
        auto const& heard = *input->heard;
        joined_.push_back(
            {texts.at(message.job), heard.user, heard.images, heard.attachment, heard.replied}
        );
    }
    has_joined_ = true;
    co_return base::result<void>{};
}

// Our own messages come from the record, with their state.
void conversation::take(std::vector<storage::message_row> const& rows) {
    earlier_.clear();
    marks_.clear();
    question_.clear();
    was_offered_new_ = false;
    for (auto const& row : rows) {
        if (row.job != job_.id) {
            earlier_.push_back(message_from(row));
            marks_.push_back(mark_of(row));
            was_offered_new_ = was_offered_new_ || offers_new_conversation(row);
        } else if (row.position == 0) {
            question_ = row.content;
        }
    }
}

std::vector<chat_message> conversation::earlier(window_size size) const {
    return steady_window(earlier_, marks_, size);
}

std::vector<chat_message> conversation::earlier_within(int tokens) const {
    return token_window(earlier_, marks_, tokens);
}

bool conversation::offers_new(int tokens) const {
    return is_whole_ && !was_offered_new_ && tokens_of(earlier_) > tokens;
}

std::string_view conversation::language_said() const {
    auto const speaker = input_.heard ? input_.heard->user : user_id{};
    std::vector<chat_message> const now{
        {.role = role::user, .content = question_, .speaker = speaker}};
    auto const language_code = language_of(now, speaker);
    return language_code.empty() ? language_of(earlier_, speaker) : language_code;
}

std::string_view conversation::language() const {
    auto const said = language_said();
    return said.empty() ? usual_language_ : said;
}

// Behind some messages of this conversation, none of an earlier one is looked at.
base::awaitable<void> conversation::find_usual_language() {
    auto const* heard = input_.answered();
    constexpr std::ptrdiff_t few = 4;
    auto const said = std::ranges::count(earlier_, role::user, &chat_message::role);
    if (!heard || said > few || !language_said().empty()) co_return;
    usual_language_ = co_await language_in(reads_, job_.lane, job_.id, *heard);
}

storage::message_row conversation::row_of(
    chat_message const& message, std::int64_t position, storage::message_origin origin
) const {
    auto row = row_from(message);
    row.origin = origin;
    row.lane = job_.lane;
    row.job = job_.id;
    row.conversation = job_.conversation;
    row.position = position;
    base::json_reader const input{job_.input};
    if (auto const chat = input["chat"]) row.chat = chat_id{chat.int64()};
    row.thread = thread_id{input["thread"].int64_or(0)};
    return row;
}

base::awaitable<std::string_view> language_in(
    storage::batcher& reads, lane_id lane, job_id job, heard_message const& heard
) {
    constexpr int newest = 20; // of other people, too
    auto const rows = co_await storage::read_heard(reads, lane, job, newest, 5s);
    std::vector<chat_message> messages;
    if (rows)
        for (auto const& row : *rows) messages.push_back(message_from(row));
    auto const said = language_of(messages, heard.user);
    auto const* usual = language::find_lexicon(heard.usual_language);
    co_return said.empty() && usual ? std::string_view(usual->code) : said;
}

} // namespace postrider::agent::flow
