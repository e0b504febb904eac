#pragma once
// The conversation of the lane that an execution stands in: what was said before it, what it is
// asked, and where its own messages go. A silent fork has what was said before the original; what it
// says itself nobody remembers.
#include "agent/flow/chat/history.hpp"
#include "agent/flow/execution_input.hpp"
#include "agent/loop/window.hpp"
#include "agent/models/model.hpp"
#include "base/clock.hpp"
#include "queue/job.hpp"
#include "storage/stores/messages.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

class conversation {
public:
    // All of them outlive it.
    conversation(storage::batcher& reads, queue::job const& job, execution_input const& input)
        : reads_(reads),
          job_(job),
          input_(input) {}

    // Until it succeeds: without the database nothing else could go on either, and the engine
    // cancels the job when its lease is in danger. So many earlier messages that were said, and their
    // calls, and more where the mailbox may have joined them; what was read is kept until forget().
    base::awaitable<void> read(int limit);
    void forget() noexcept { read_limit_ = -1; }

    // Before read(): the owner whose long-term memories it looks at, too.
    void look_for_memories(storage::memory_look owner) noexcept { look_ = owner; }
    // What it saw there. Nothing: it did not look, or there is no message of the job to stand beside.
    std::optional<storage::memory_outlook> const& memories() const noexcept { return memories_; }
    // Messages of the lane before that turn that no job has read for memories. Nothing: as memories(), or they are
    // too many to be counted with the history.
    std::optional<storage::older_amount> older_than(job_id turn) const;

    // The message that this job answers was spoken, and these are its words: said before read().
    void put_words(std::string words) { spoken_ = std::move(words); }

    // The messages before the question that this job answers too, oldest first: those that its lane's mailbox
    // joined to it: fifty at most, of a watched group 999.
    std::vector<joined_message> const& joined() const noexcept { return joined_; }

    // The newest messages before this job's, oldest first, as a model takes them. They begin with the
    // same one for several turns: see steady_window().
    std::vector<chat_message> earlier(window_size size) const;
    // The same within a budget of tokens, of what was read for longest_token_window(): see token_window().
    std::vector<chat_message> earlier_within(int tokens) const;
    // The turn with which such messages begin: all of the conversation from there on is among them.
    storage::turn_place shown_since(window_size size) const;
    storage::turn_place shown_since(int tokens) const;
    // More was said than that.
    bool is_longer_than(int tokens) const;
    // More was said than that, and no answer has offered a new conversation yet. Of a conversation that was
    // not read whole the offer was long ago.
    bool offers_new(int tokens) const;
    // Reactions of people to the answers before the question, oldest first; of the newest answers alone.
    std::vector<answer_reaction> const& reactions() const noexcept { return reactions_; }
    // The words of the message that this job answers; "" when it answers none.
    std::string const& question() const noexcept { return question_; }
    // In which the person is told: what they have set, or else that of that message, or else of theirs before it,
    // also in conversations before this one, or else of their Telegram; "" where none has one. Looked for when it is
    // asked for: most turns speak no words of ours.
    base::awaitable<std::string_view> language();
    // What the person whose message this job answers has set; empty = nothing, or nobody.
    storage::person_settings const& settings() const noexcept { return settings_; }

    queue::job const& job() const noexcept { return job_; }
    execution_input const& input() const noexcept { return input_; }
    std::string const& flow() const noexcept { return input_.flow; } // its name
    // What the job answers, if anything.
    std::optional<heard_message> const& heard() const noexcept { return input_.heard; }
    bool is_silent() const noexcept { return input_.silent; }
    // The message as a row of this job; its id is to be given.
    storage::message_row row_of(
        chat_message const& message, std::int64_t position, storage::message_origin origin
    ) const;

private:
    // Its message is for us to answer: no watched group's.
    bool asks() const noexcept { return input_.heard && input_.heard->seen.empty(); }
    void take(std::vector<storage::message_row> const& rows);
    storage::turn_place turn_at(std::size_t message) const;
    std::string words_of(std::string const& written) const;
    std::string_view language_said() const; // in this conversation
    base::awaitable<base::result<void>> read_joined(std::vector<storage::message_row> const& rows);
    base::awaitable<base::result<void>> read_watched();

    storage::batcher& reads_;
    queue::job const& job_;
    execution_input const& input_;
    int read_limit_ = -1; // of the last read
    bool is_whole_ = false;
    std::vector<chat_message> earlier_;
    message_marks marks_;      // of them
    std::vector<job_id> jobs_; // likewise
    std::vector<std::int64_t> positions_;
    std::optional<storage::memory_look> look_;
    std::optional<storage::memory_outlook> memories_;
    std::vector<answer_reaction> reactions_;
    std::string question_;
    storage::person_settings settings_;
    std::string spoken_; // the question's words, or what stands behind them
    std::optional<std::string_view>
        usual_language_;      // where nothing here has one; none = not looked for
    bool has_joined_ = false; // it was looked for
    std::vector<joined_message> joined_;
    bool was_offered_new_ = false;
};

// The same of a job whose conversation is not read: of its message or, where it is a command, of what the person
// said before it in the lane. Where that cannot be read now, of their Telegram.
base::awaitable<std::string_view> language_in(
    storage::batcher& reads, lane_id lane, job_id job, heard_message const& heard
);

} // namespace postrider::agent::flow
