#pragma once
// What a turn needs around it, in memory: a history, a model that is scripted, a chat that records.
#include "agent/flow/run/execution.hpp"
#include "agent/talk/refusing_messenger.hpp"
#include "tests/support/fake_workflow.hpp"
#include "tests/support/loop.hpp"

#include <deque>
#include <set>

namespace postrider::tests {

// The message table as the turn's commits leave it. Reads what messages.cpp writes, by statement
// name.
class message_table final : public storage::batcher {
public:
    void add(boost::json::object row);
    void apply(std::vector<storage::write> const& writes);
    std::vector<boost::json::object> in_order() const; // of (turn, position)
    storage::rows of_session(boost::json::object const& asked) const;
    void trim(boost::json::object const& asked); // a session, whose rows are in order

    base::awaitable<base::result<void>> commit(
        std::shared_ptr<storage::unit> unit, base::duration deadline
    ) override;
    storage::batcher_counts counts() const override { return {}; }
    void close() override {}

    // Answers for other tables; nothing: it is none of theirs.
    std::function<std::optional<storage::rows>(storage::write const& question)> others;
    std::vector<boost::json::object> rows;
    storage::rows attempts;  // of the job's steps, as a run's record has them
    storage::rows coalesced; // jobs that the turn's took the place of
    storage::rows arrivals;  // the same of a watched group: job, input, content
    std::function<storage::rows(boost::json::object const&)> claimed; // seen items
    std::function<storage::rows(boost::json::object const&)> unseen;  // or nobody's
    std::vector<boost::json::object> sessions;                        // messages of named sessions
    bool summaries_pause = false;                                     // their jobs have failed
    bool sessions_away = false;                                       // reading those fails
    storage::rows memories;                    // that a search of long-term memories finds
    std::optional<base::error> recall_failure; // of that
    std::vector<boost::json::object> recalls;  // what was searched for
    int memory_reads = 0; // searches and looks of their own, beside the history's
    storage::rows older;  // messages that no job has read yet: the next look finds them
    boost::json::object older_asked = {}; // as the last look asked for them
    int refusals = 0;                     // jobs that failed at them
    std::int64_t older_count = 0;         // so many, with so many bytes
    std::int64_t older_bytes = 0;
    std::deque<storage::rows> bare;              // memories without a vector, look by look
    std::vector<boost::json::object> bare_asked; // as the looks asked for them
    bool lacks_vectors = false;                  // the owner has some
    std::deque<base::error> failures;            // of the next reads
    int reads = 0;
    std::int64_t newest = 0;            // so many messages the last read of the history asked for
    bool undone = false;                // a person has let the author of a ban in again
    std::optional<user_id> undoing;     // or wants to: a press that waits
    std::map<std::string, bot_id> bots; // of any node
    std::map<std::string, std::string> mcp_pins; // digests by tool
    std::map<std::string, std::string> catalogs; // lists of tools by digest
    int catalogs_sent = 0;

private:
    base::result<std::vector<storage::rows>> answers_to(storage::write const& question);
    std::optional<std::string> outlook_for(
        boost::json::object const& row, boost::json::object const& asked
    ) const;
};

class scripted_model final : public agent::model {
public:
    explicit scripted_model(std::string name = "scripted/one") : name_(std::move(name)) {}

    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {.vision = sees}; }
    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request request) override;

    bool sees = false;
    std::deque<base::result<agent::chat_reply>> script;
    std::vector<agent::chat_request> requests;
    bool accepts = false;              // tells so, before while_asked
    std::function<void()> while_asked; // called in every chat()

private:
    std::string name_;
};

class recording_chat final : public agent::refusing_messenger {
public:
    recording_chat() : refusing_messenger(base::error(base::errc::refused, "not in this test")) {}

    base::awaitable<base::result<telegram_message_id>> send(agent::outgoing message) override;
    base::awaitable<base::result<void>> edit(
        agent::address to, telegram_message_id message, agent::message_content content
    ) override;
    base::awaitable<base::result<void>> react(
        agent::address to, telegram_message_id message, std::string emoji
    ) override;
    base::awaitable<base::result<void>> remove(agent::address to, telegram_message_id message)
        override;
    base::awaitable<base::result<agent::chat_member>> get_member(agent::address to, user_id user)
        override;
    base::awaitable<base::result<std::vector<agent::chat_member>>> get_administrators(
        agent::address to
    ) override;
    base::awaitable<base::result<void>> moderate(agent::address to, agent::moderation act) override;
    base::awaitable<base::result<std::string>> load_file(
        agent::address from, std::string file, std::size_t most
    ) override;
    std::optional<bot_id> find_bot(std::string_view name) const override {
        return name == "fern" && !missing.contains(bot_id{1}) ? std::optional(bot_id{1})
                                                              : std::nullopt;
    }
    base::awaitable<void> typing(agent::address to) override;
    std::vector<agent::message_content> split(
        agent::address const& to, agent::message_content content
    ) const override;
    std::string resource(agent::address const&) const override { return gate; }
    agent::address current(agent::address const& to) const override {
        auto now = to;
        if (auto const moved = moves.find(to.chat); moved != moves.end()) now.chat = moved->second;
        return now;
    }

    bool serves(agent::address const& to) const override { return !missing.contains(to.bot); }

    std::string gate;
    std::map<chat_id, chat_id> moves; // groups that became supergroups
    std::set<bot_id> missing;         // in the configuration of this node
    std::vector<agent::outgoing> sent;
    std::vector<std::string> uploaded; // bytes of files, in the order of their sends
    std::vector<std::pair<telegram_message_id, agent::message_content>> edited;
    std::vector<std::pair<telegram_message_id, std::string>> reactions;
    std::vector<telegram_message_id> removed;
    std::vector<std::pair<chat_id, agent::moderation>> moderated;
    std::deque<base::error> moderation_failures;    // of the next acts
    std::map<user_id, agent::chat_member> members;  // of every chat
    std::vector<agent::chat_member> administrators; // likewise
    std::deque<base::error> administrator_failures; // of the next looks at them
    int looks_at_administrators = 0;
    std::map<std::string, std::string> files; // that people sent, by their ids
    int loaded = 0;
    std::deque<base::error> load_failures; // of the next loads
    std::deque<base::error> failures;      // of the next sends; code 0 = none
    std::function<void()> on_send;         // before each
    int typed = 0;
    std::size_t part_size = 1000;
};

class counting_random final : public base::random_source {
public:
    void fill(std::span<std::byte> bytes) override;

private:
    std::uint8_t next_ = 0;
};

agent::chat_reply says(std::string text);
agent::chat_reply calls(std::vector<std::pair<std::string, boost::json::object>> calls);

// A member of what a node of the turn noted, whichever it is; null when none did.
boost::json::value noted(queue::outcome const& outcome, std::string_view name);

// The input of a turn that the flow that ships answers.
boost::json::value heard_in(agent::address where, std::string agent = "assistant");

// [agents.assistant] and its model.
struct assistant_profile {
    agent::model* model = nullptr;
    int max_tool_calls = 5;
    int history = agent::bounds::history.usual;
    agent::token_prices prices = {};
    std::chrono::milliseconds timeout = agent::bounds::model_timeout.usual;
    std::string breaker = {};
    std::string rate = {};
    std::map<std::string, agent::flow::model_part, std::less<>> others = {}; // by [models.NAME]
};

// The flow that ships, as a job runs it. It keeps what it made of the services that it ran with
// first: a graph for each.
std::shared_ptr<agent::flow::graph const> assistant_graph();

// Services for it, around what is given.
agent::flow::node_services assistant_services(
    storage::batcher& reads,
    agent::messenger& out,
    base::clock& clock,
    base::random_source& random,
    assistant_profile profile
);

struct turn_world {
    turn_world();

    // Runs the turn's function once against the record; what it wrote is in the table afterwards.
    queue::outcome run();
    // As run(), but the process dies at the n-th commit.
    void run_and_die(int commit);

    std::vector<std::string> texts_of(std::string_view role) const;
    boost::json::object const& last_row() const { return table.rows.back(); }

    loop io;
    base::manual_clock clock;
    counting_random random;
    message_table table;
    scripted_model model;
    recording_chat chat;
    std::shared_ptr<agent::flow::graph const> graph = assistant_graph();
    assistant_profile profile;
    queue::limiter* limits = nullptr;
    queue::job job;
    fake_record record;
    int stale_commits = 0;
    std::map<std::string, base::error, std::less<>> closed;  // gates
    std::map<std::string, base::error, std::less<>> closing; // gates, once the model was asked
    int cut_off_at = 0;                                      // as of fake_workflow
    std::vector<std::string> log;                            // of the last run
    std::vector<std::string> admitted;                       // likewise, through gates
    std::map<std::string, std::chrono::milliseconds> longest_uses; // of these

private:
    queue::outcome run_with(fake_workflow& flow);
    std::size_t applied_ = 0;
};

} // namespace postrider::tests
