#pragma once
// An intake on a database of its own, and updates to feed it.
#include "server/telegram/intake.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/serialize.hpp>

#include <map>
#include <set>

namespace postrider::telegram {

using namespace std::chrono_literals;

inline constexpr user_id alex{10};
inline constexpr user_id stranger_id{666};
inline constexpr node_id this_node{77};

// Counts what the intake does with its slots.
class counting_slots final : public agent::flow::execution_slots {
public:
    int room = 0;
    int released = 0;
    int told = 0; // that a job waits
    int interrupted = 0;
    std::vector<std::pair<queue::enqueued, queue::job>> started;

    std::optional<node_id> try_reserve() override {
        if (room == 0) return std::nullopt;
        --room;
        return this_node;
    }
    void start(queue::enqueued const& entry, queue::job job) override {
        started.emplace_back(entry, std::move(job));
    }
    void release() override {
        ++room;
        ++released;
    }
    void job_waits() override { ++told; }
    void turn_interrupted() override { ++interrupted; }
};

// Every message is the assistant's.
class one_flow final : public message_flows {
public:
    std::optional<chosen_flow> choose(
        bot_settings const&, agent::flow::heard_message const& heard, said_words said
    ) const override {
        commands.emplace_back(said.command);
        if (none || (!heard.addressed && !stores_the_rest)) return std::nullopt;
        chosen_flow choice;
        choice.starts = heard.addressed;
        choice.flow = "assistant";
        choice.version = 3;
        choice.trigger = "message";
        choice.lane_key = lane_key;
        choice.manner = manner;
        choice.asks_for_command = asks_for_command;
        choice.takes_files = takes_files;
        return choice;
    }

    mutable std::vector<std::string> commands; // of the messages that it was asked for
    bool none = false;                         // takes it
    bool stores_the_rest = false;              // what is not addressed
    bool asks_for_command = false;
    bool takes_files = false;
    std::string lane_key;
    std::optional<storage::lane_manner> manner;
};

// What was told to whom pressed.
class recorded_press_answers final : public press_answers {
public:
    std::vector<std::pair<std::string, std::string>> all; // query, note

    void answer(agent::address, std::string query, std::string_view note) override {
        all.emplace_back(std::move(query), std::string(note));
    }
    base::awaitable<bool> may_decide(agent::address, user_id user) override {
        ++asked;
        co_return !outsiders.contains(user);
    }

    void note_new_runners(agent::address const& group) override { changed.push_back(group.chat); }

    std::set<user_id> outsiders;  // who run no group
    std::vector<chat_id> changed; // groups that others run now
    int asked = 0;
};

// An update with a message in the supergroup -100.
inline std::string in_group(std::int64_t update, user_id from, std::string_view text) {
    return boost::json::serialize(boost::json::object{
        {"update_id", update},
        {"message",
         {{"message_id", 1000 + update},
          {"from", {{"id", base::raw(from)}, {"first_name", "Al"}}},
          {"chat", {{"id", -100}, {"type", "supergroup"}}},
          {"text", text}}}});
}

struct intake_world {
    tests::test_database database;
    tests::loop loop;
    bot fern;
    chat_moves moves{{&fern}};
    counting_slots slots;
    one_flow flows;
    recorded_press_answers presses;
    std::vector<std::pair<chat_id, std::int64_t>> stopped; // drafts
    std::unique_ptr<storage::batcher> writes;
    std::optional<agent::flow::execution_intake> executions;
    std::unique_ptr<intake> inbox;

    explicit intake_world(
        agent::flow::intake_limits limits = {},
        base::duration deadline = 5s,
        business_accounts* accounts = nullptr
    ) {
        fern.settings.id = bot_id{1};
        fern.settings.self = user_id{99};
        fern.settings.username = "fern_bot";
        fern.settings.allowlist = {{alex}, {chat_id{-100}}};
        storage::batcher_options batching;
        batching.name = "intake";
        writes = storage::make_batcher(loop.executor(), database.options(), batching);
        executions.emplace(*writes, slots, base::system_clock(), limits);
        inbox = make_intake(
            *executions,
            moves,
            flows,
            presses,
            base::system_clock(),
            base::system_random(),
            deadline,
            [this](agent::address const& chat, std::int64_t number) {
                stopped.emplace_back(chat.chat, number);
            },
            accounts
        );
    }
    ~intake_world() { writes->close(); }

    static std::string body(
        std::int64_t update, user_id from, std::string text, std::string kind = "message"
    ) {
        boost::json::object who{{"id", base::raw(from)}, {"first_name", "Al"}};
        boost::json::object chat{{"id", base::raw(from)}, {"type", "private"}};
        boost::json::object message{
            {"message_id", 1000}, {"from", who}, {"chat", chat}, {"text", text}};
        return boost::json::serialize(boost::json::object{{"update_id", update}, {kind, message}});
    }

    base::result<accepted> accept(std::string with) {
        return loop.run(inbox->accept(fern.settings, std::move(with)));
    }

    // All at once; the outcomes in the order of the bodies.
    std::vector<base::result<accepted>> accept_all(std::vector<std::string> bodies) {
        std::vector<base::result<accepted>> outcomes(bodies.size(), accepted{});
        base::task_group group(loop.executor());
        for (std::size_t i = 0; i < bodies.size(); ++i)
            group.spawn("accept", keep(std::move(bodies[i]), outcomes[i]));
        loop.run(group.join());
        return outcomes;
    }
    base::awaitable<void> keep(std::string with, base::result<accepted>& outcome) {
        outcome = co_await inbox->accept(fern.settings, std::move(with));
    }

    std::string value(std::string_view sql) const { return database.value(sql); }
};

} // namespace postrider::telegram
