// A message that is edited while its turn is under way, on the real engine and a real Postgres: whichever
// way the new words lead, the turn comes to its end.
#include "agent/flow/catalog.hpp"
#include "storage/stores/message_edits.hpp"
#include "storage/stores/messages.hpp"
#include "tests/integration/agent/message_unit.hpp"
#include "tests/integration/queue/world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::edits_meanwhile_test {
namespace {

namespace flow = agent::flow;
using testing::ElementsAre;
using testing::SizeIs;
using namespace std::chrono_literals;

// "help…" is answered at once, all else by the agent, which comes behind the node "first".
std::string helping(std::string_view type, boost::json::object parameters) {
    return flow_builder("helping")
        .trigger("In", "telegram.message")
        .node("Which", "if", {{"condition", "{{ $json.text.startsWith('help') }}"}})
        .after("Which", "true")
        .node("Help", "telegram.send", {{"text", "here is help"}})
        .after("Which", "false")
        .node("First", type, std::move(parameters))
        .agent("Agent", {{"prompt", "Answer."}})
        .node("Out", "telegram.send", {{"text", "{{ $json.text }}"}})
        .text();
}

auto const records_nothing = helping("set", {{"fields", {{"a", 1}}}});
auto const reacts = helping("telegram.react", {{"emoji", "👍"}});

auto const echo = flow_builder("echo")
                      .trigger("In", "telegram.message")
                      .node("Out", "telegram.send", {{"text", "{{ $json.text }}"}})
                      .text();

std::shared_ptr<flow::graph const> compiled(std::string_view document) {
    static auto const types = flow::builtin_types();
    auto read = flow::read_definition(document);
    auto compilation = flow::graph::compile(std::get<flow::definition>(read), types);
    return std::get<std::shared_ptr<flow::graph const>>(std::move(compilation));
}

// In parts of ten characters.
class busy_chat final : public agent::refusing_messenger {
public:
    busy_chat() : refusing_messenger(base::error(base::errc::refused, "not in this test")) {}

    base::awaitable<base::result<telegram_message_id>> send(agent::outgoing message) override {
        if (failure) co_return *std::exchange(failure, std::nullopt);
        sent.push_back(message.content.text);
        co_return telegram_message_id{1000 + std::ssize(sent)};
    }
    base::awaitable<base::result<void>> react(agent::address, telegram_message_id, std::string)
        override {
        ++reactions;
        if (while_reacting) while_reacting();
        co_return base::result<void>{};
    }
    std::vector<agent::message_content> split(agent::address const&, agent::message_content content)
        const override {
        std::vector<agent::message_content> parts;
        for (std::string_view rest = content.text; !rest.empty();) {
            parts.emplace_back().text = rest.substr(0, 10);
            rest.remove_prefix(std::min<std::size_t>(rest.size(), 10));
        }
        return parts;
    }

    std::optional<base::error> failure; // of the next send
    std::function<void()> while_reacting;
    std::vector<std::string> sent;
    int reactions = 0;
};

base::error later(base::errc code) {
    base::error error(code, "in a while");
    error.retry_after = 15s;
    return error;
}

class edits_meanwhile : public engine_fixture {
protected:
    edits_meanwhile() {
        auto run = [this](queue::workflow& steps) {
            return flow::execute(*graph, steps, *services, nobody);
        };
        engine_node = &w.start_node({queue::job_kind{std::string(flow::turn_kind), run}});
        services.emplace(assistant_services(
            *engine_node->quick, chat, base::system_clock(), base::system_random(), {&model}
        ));
    }

    void ask(std::string_view document, std::string text) {
        graph = compiled(document);
        queue::new_job turn;
        turn.lane = lane_id{std::stoll(
            w.value("insert into postrider.lane (bot_id, chat_id, lane_key) values (1, 7, '1:7') "
                    "returning lane_id")
        )};
        turn.kind = std::string(flow::turn_kind);
        turn.input = heard_in({bot_id{1}, chat_id{7}, {}});
        storage::message_row message;
        message.content = std::move(text);
        message.telegram_message = telegram_message_id{50};
        message.chat = chat_id{7};
        auto unit = std::make_shared<message_unit>(std::move(turn), std::move(message));
        w.io.run(engine_node->intake->commit(unit, 5s)).value();
        engine_node->engine->wake();
    }
    void until_parked() { w.until("select state from postrider.job", "retryable"); }
    // The next try is due.
    void until_over() {
        w.pass("1 min");
        w.until("select finished_at is not null from postrider.job", "t");
    }
    // As the intake does; also within the loop.
    std::string edit(std::string const& text) {
        std::string answer;
        w.in_transaction([&](storage::transaction& tx) {
            auto const ask_for = [&tx](storage::write const& question) {
                return tx.query(*question.statement, {"[{\"i\":0," + question.row.substr(1) + "]"});
            };
            ask_for(storage::lock_edited_lanes("1:7", chat_id{7}, telegram_message_id{50}));
            auto const found = ask_for(
                storage::edit_message("1:7", bot_id{1}, chat_id{7}, telegram_message_id{50}, text)
            );
            answer = found.empty() ? "none" : found.front().boolean(1) ? "replaced" : "kept";
        });
        return answer;
    }
    std::string ending() {
        return w.value("select concat_ws(' ', state, error_class, error) from postrider.job");
    }

    busy_chat chat;
    scripted_model model;
    flow::observer nobody;
    std::shared_ptr<flow::graph const> graph;
    std::optional<flow::node_services> services;
    node* engine_node = nullptr;
};

// Between two tries of the model: nothing stands in the record that the new words could contradict.
// covers: E.07
TEST_F(edits_meanwhile, between_two_tries_lead_the_flow_another_way) {
    model.script = {later(base::errc::unavailable)};
    ask(records_nothing, "halp me");
    until_parked();

    EXPECT_EQ(edit("help me"), "replaced");
    until_over();

    EXPECT_EQ(ending(), "completed");
    EXPECT_THAT(chat.sent, ElementsAre("here is he", "lp"));
    EXPECT_THAT(model.requests, SizeIs(1));
}

// Its lane is idle meanwhile and counts no edits.
TEST_F(edits_meanwhile, of_a_paused_turn_lead_the_flow_another_way) {
    model.script = {later(base::errc::unavailable)};
    ask(records_nothing, "halp me");
    until_parked();
    auto const job = w.value("select job_id from postrider.job");
    ASSERT_EQ(w.value("select code from postrider.job_pause(" + job + ")"), "done");

    EXPECT_EQ(edit("help me"), "replaced");
    ASSERT_EQ(w.value("select code from postrider.job_resume(" + job + ")"), "done");
    until_over();

    EXPECT_EQ(ending(), "completed");
    EXPECT_THAT(chat.sent, ElementsAre("here is he", "lp"));
}

// The reaction stands in the record, and the new words do not come to it.
TEST_F(edits_meanwhile, during_the_first_step_lead_the_flow_another_way) {
    model.script = {says("Hello")};
    std::string answer;
    chat.while_reacting = [&] { answer = edit("help me"); };
    ask(reacts, "halp me");
    until_over();

    EXPECT_EQ(answer, "replaced");
    EXPECT_EQ(ending(), "completed");
    EXPECT_THAT(chat.sent, ElementsAre("here is he", "lp"));
    EXPECT_EQ(chat.reactions, 1);
}

// The run that reads the new words first is a later one.
TEST_F(edits_meanwhile, during_the_first_step_of_a_run_that_is_parked_lead_the_next_another_way) {
    model.script = {later(base::errc::unavailable)};
    std::string answer;
    chat.while_reacting = [&] { answer = edit("help me"); };
    ask(reacts, "halp me");
    until_parked();
    until_over();

    EXPECT_EQ(answer, "replaced");
    EXPECT_EQ(ending(), "completed");
    EXPECT_THAT(chat.sent, ElementsAre("here is he", "lp"));
}

// What waits to be sent again was promised with the older words, in as many parts as they have.
TEST_F(edits_meanwhile, come_too_late_for_what_waits_to_be_sent) {
    chat.failure = later(base::errc::rate_limited);
    ask(echo, "short");
    until_parked();

    EXPECT_EQ(edit("longer than one part"), "kept");
    until_over();

    EXPECT_EQ(ending(), "completed");
    EXPECT_THAT(chat.sent, ElementsAre("short"));
    EXPECT_EQ(
        w.value("select string_agg(content, ', ' order by position) from postrider.message"),
        "longer than one part, short"
    ) << "the person's words are those of the edit";
}

} // namespace
} // namespace postrider::tests::edits_meanwhile_test
