#include "agent/flow/chat/conversation.hpp"

#include "agent/describe/bounds.hpp"
#include "agent/flow/node_run.hpp"
#include "agent/language/lexicon.hpp"
#include "agent/loop/speaker.hpp"
#include "agent/loop/token_window.hpp"
#include "base/json/json.hpp"
#include "base/log.hpp"
#include "base/outage.hpp"
#include "storage/reachability.hpp"
#include "storage/stores/coalesced_messages.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <stdexcept>

namespace postrider::agent::flow {

using namespace std::chrono_literals;
using base::errc;

namespace {

// A model is told of no more.
constexpr std::ptrdiff_t most_reactions = 10;

constexpr int most_joined = 50;
// Of a watched group, where each is to be judged: with the newest one as many as a node has items.
constexpr auto most_watched = static_cast<std::ptrdiff_t>(most_items) - 1;

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

joined_message joined_from(heard_message const& heard, std::string text) {
    joined_message joined;
    joined.text = std::move(text);
    joined.user = heard.user;
    joined.images = heard.images;
    joined.attachment = heard.attachment;
    joined.replied = heard.replied;
    joined.files = files_of(heard);
    joined.forwarded = heard.forwarded;
    return joined;
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
    base::outage outage;
    for (auto pause = 100ms;; pause = std::min(pause * 2, 2000ms)) {
        auto history = co_await storage::read_history(
            reads_,
            job_.lane,
            job_.conversation,
            job_.id,
            limit,
            bounds::longest_read,
            input_.history,
            look_
        );
        bool const joins_more = history && !has_joined_ && asks() && limit < most_joined &&
                                may_join_earlier(history->messages, job_.id, limit);
        if (joins_more) {
            limit = most_joined;
            continue;
        }
        base::result<void> joined;
        if (history) joined = co_await read_joined(history->messages);
        if (history && joined) {
            take(history->messages);
            memories_ = history->memories;
            is_whole_ = count_said(earlier_) < limit;
            read_limit_ = is_whole_ ? std::numeric_limits<int>::max() : limit;
            co_return;
        }
        auto const& reason = history ? joined.error() : history.error();
        if (reason == errc::poison || reason == errc::internal)
            throw std::runtime_error("the history cannot be read: " + reason.detail);
        if (outage.failed(base::system_clock().steady(), storage::tolerated(reason)))
            base::log::warn("turn.history_unread", {{"job", job_.id}, {"error", reason}});
        co_await base::sleep_for(pause);
    }
}

// The read has counted those before its own.
std::optional<storage::older_amount> conversation::older_than(job_id turn) const {
    if (!memories_ || memories_->older.messages >= storage::most_older_counted) return std::nullopt;
    if (memories_->waits) return storage::older_amount{};
    auto amount = memories_->older;
    auto const last_read = std::pair(memories_->read_job, memories_->read_position);
    for (std::size_t at = 0; at < earlier_.size() && jobs_[at] < turn; ++at) {
        bool const is_unread = std::pair(jobs_[at], positions_[at]) > last_read;
        if (!is_unread || !was_said(earlier_[at]) || earlier_[at].content.empty()) continue;
        ++amount.messages;
        amount.bytes += std::ssize(earlier_[at].content);
    }
    return amount;
}

// Behind an answer nothing is left to be joined: a usual turn asks for nothing more.
base::awaitable<base::result<void>> conversation::read_joined(
    std::vector<storage::message_row> const& rows
) {
    if (has_joined_ || !input_.heard) co_return base::result<void>{};
    if (!asks()) co_return co_await read_watched();
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
        joined_.push_back(joined_from(heard, texts.at(message.job)));
    }
    has_joined_ = true;
    co_return base::result<void>{};
}

// What a flow that watches its group gets with the newest arrival. Edits and the like have no message.
base::awaitable<base::result<void>> conversation::read_watched() {
    auto const turn = input_.history ? *input_.history : storage::turn_place{job_.lane, job_.id};
    auto arrivals = co_await storage::read_coalesced_arrivals(
        reads_, turn.lane, turn.job, bounds::longest_read
    );
    if (!arrivals) co_return arrivals.error();
    auto const first = std::max(std::ssize(*arrivals), most_watched) - most_watched;
    for (auto arrival = arrivals->begin() + first; arrival != arrivals->end(); ++arrival) {
        auto const input = execution_input_from(arrival->input);
        if (!input || !input->heard) continue;
        auto const& heard = *input->heard;
        auto const text = arrival->content.value_or("");
        joined_.push_back(joined_from(heard, text));
        joined_.back().item = item_of(heard, text);
    }
    has_joined_ = true;
    co_return base::result<void>{};
}

// Our own messages come from the record, with their state.
void conversation::take(std::vector<storage::message_row> const& rows) {
    earlier_.clear();
    marks_.clear();
    jobs_.clear();
    positions_.clear();
    reactions_.clear();
    question_.clear();
    settings_ = {};
    was_offered_new_ = false;
    for (auto const& row : rows) {
        if (row.job != job_.id) {
            earlier_.push_back(message_from(row));
            marks_.push_back(mark_of(row));
            jobs_.push_back(row.job);
            positions_.push_back(row.position);
            std::ranges::move(reactions_to(row), std::back_inserter(reactions_));
            was_offered_new_ = was_offered_new_ || offers_new_conversation(row);
        } else if (row.position == 0) {
            question_ = words_of(row.content);
            if (asks()) settings_ = row.sender_settings;
        }
    }
    if (std::ssize(reactions_) > most_reactions)
        reactions_.erase(reactions_.begin(), reactions_.end() - most_reactions);
}

// The row has what was spoken once that is committed.
std::string conversation::words_of(std::string const& written) const {
    if (spoken_.empty() || written.ends_with(spoken_)) return written;
    return input_.heard && input_.heard->wordless ? spoken_ : written + "\n\n" + spoken_;
}

std::vector<chat_message> conversation::earlier(window_size size) const {
    return steady_window(earlier_, marks_, size);
}

std::vector<chat_message> conversation::earlier_within(int tokens) const {
    return token_window(earlier_, marks_, tokens);
}

storage::turn_place conversation::shown_since(window_size size) const {
    return turn_at(steady_start(earlier_, marks_, size));
}

storage::turn_place conversation::shown_since(int tokens) const {
    return turn_at(token_start(earlier_, marks_, tokens));
}

// A turn of which the beginning is missing is not shown whole.
storage::turn_place conversation::turn_at(std::size_t message) const {
    auto const lane = input_.history ? input_.history->lane : job_.lane;
    auto const cut = message > 0 && message < jobs_.size() ? jobs_[message - 1] : job_id{};
    while (message < jobs_.size() && jobs_[message] == cut) ++message;
    return {lane, message < jobs_.size() ? jobs_[message] : job_.id};
}

bool conversation::is_longer_than(int tokens) const {
    return !is_whole_ || tokens_of(earlier_) > tokens;
}

bool conversation::offers_new(int tokens) const {
    return is_whole_ && !was_offered_new_ && is_longer_than(tokens);
}

std::string_view conversation::language_said() const {
    auto const speaker = input_.heard ? input_.heard->user : user_id{};
    std::vector<chat_message> const now{
        {.role = role::user, .content = question_, .speaker = speaker}};
    auto const language_code = language_of(now, speaker);
    return language_code.empty() ? language_of(earlier_, speaker) : language_code;
}

// Behind some messages of this conversation, none of an earlier one is looked at.
base::awaitable<std::string_view> conversation::language() {
    if (auto const* chosen = language::find_lexicon(settings_.language)) co_return chosen->code;
    if (auto const language_code = language_said(); !language_code.empty()) co_return language_code;
    auto const* heard = input_.answered();
    constexpr std::ptrdiff_t few = 4;
    auto const said_here = std::ranges::count(earlier_, role::user, &chat_message::role);
    if (!heard || said_here > few) co_return usual_language_.value_or(std::string_view{});
    if (!usual_language_)
        usual_language_ = co_await language_in(reads_, job_.lane, job_.id, *heard);
    co_return *usual_language_;
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
        for (auto const& row : *rows) {
            auto const* chosen = language::find_lexicon(row.sender_settings.language);
            if (chosen && row.sender == heard.user) co_return chosen->code;
            messages.push_back(message_from(row));
        }
    auto const language_code = language_of(messages, heard.user);
    auto const* usual = language::find_lexicon(heard.usual_language);
    co_return language_code.empty() && usual ? std::string_view(usual->code) : language_code;
}

} // namespace postrider::agent::flow
