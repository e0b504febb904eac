// Messages that a mailbox joins to one turn, on the real engine and a real Postgres.
#include "agent/flow/catalog.hpp"
#include "storage/stores/messages.hpp"
#include "tests/integration/agent/message_unit.hpp"
#include "tests/integration/queue/world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::joined_messages_test {
namespace {

namespace flow = agent::flow;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using namespace std::chrono_literals;

auto const answering = flow_builder("answering")
                           .trigger("In", "telegram.message")
                           .agent("Agent", {{"prompt", "{{ $json.text }}"}})
                           .node("Out", "telegram.send", {{"text", "{{ $json.text }}"}})
                           .text();

std::shared_ptr<flow::graph const> compiled(std::string_view document) {
    static auto const types = flow::builtin_types();
    auto read = flow::read_definition(document);
    auto compilation = flow::graph::compile(std::get<flow::definition>(read), types);
    return std::get<std::shared_ptr<flow::graph const>>(std::move(compilation));
}

// Its lane waits for half a minute of quiet.
class joined_messages : public engine_fixture {
protected:
    joined_messages() {
        auto run = [this](queue::workflow& steps) {
            return flow::execute(*graph, steps, *services, nobody);
        };
        engine_node = &w.start_node({queue::job_kind{std::string(flow::turn_kind), run}});
        services.emplace(assistant_services(
            *engine_node->quick, chat, base::system_clock(), base::system_random(), {&model}
        ));
        lane = w.value("insert into postrider.lane (bot_id, chat_id, lane_key, mailbox, "
                       "debounce_ms, debounce_most_ms) "
                       "values (1, 7, '1:7:0', 'coalesce', 30000, 300000) returning lane_id");
    }

    void say(std::string text, std::string attachment = "", boost::json::object changed = {}) {
        queue::new_job turn;
        turn.lane = lane_id{std::stoll(lane)};
        turn.kind = std::string(flow::turn_kind);
        turn.input = heard_in({bot_id{1}, chat_id{7}, {}});
        if (!attachment.empty()) turn.input.as_object()["attachment"] = attachment;
        for (auto const& [name, value] : changed) turn.input.as_object()[name] = value;
        storage::message_row message;
        message.content = std::move(text);
        message.chat = chat_id{7};
        auto unit = std::make_shared<message_unit>(std::move(turn), std::move(message));
        w.io.run(engine_node->intake->commit(unit, 5s)).value();
    }
    void until_over(int jobs) {
        w.pass("1 min");
        engine_node->engine->wake();
        w.until(
            "select count(*) from postrider.job where finished_at is not null", std::to_string(jobs)
        );
    }

    recording_chat chat;
    scripted_model model;
    flow::observer nobody;
    std::shared_ptr<flow::graph const> graph = compiled(answering);
    std::optional<flow::node_services> services;
    node* engine_node = nullptr;
    std::string lane;
};

// covers: E.10
TEST_F(joined_messages, reach_the_model_with_what_came_with_them) {
    model.script = {says("I cannot see it."), says("As I said.")};
    say("summarise this", "file \"report.pdf\"");
    say("and that", "file \"table.csv\"");
    say("please");
    until_over(3);

    ASSERT_THAT(model.requests, SizeIs(1));
    EXPECT_THAT(
        model.requests[0].trailing_context,
        testing::ContainsRegex("\"summarise this\" came with .*report.pdf(.|\n)*"
                               "\"and that\" came with .*table.csv")
    );

    say("why?");
    until_over(4);

    ASSERT_THAT(model.requests, SizeIs(2));
    EXPECT_THAT(model.requests[1].trailing_context, Not(HasSubstr("report.pdf")))
        << "those messages are answered";
}

// Each part of an album comes by itself. The turn waits for them before it begins.
// covers: S3.21
TEST_F(joined_messages, of_an_album_are_seen_by_one_turn) {
    w.execute("update postrider.lane set mailbox = 'queue', debounce_ms = 0, debounce_most_ms = 0");
    model.sees = true;
    model.script = {says("Two ferns.")};
    chat.files = {{"one", "\xff\xd8\xff\xe0 one"}, {"two", "\xff\xd8\xff\xe0 two"}};
    boost::json::object const first{{"file", "one"}};
    say("(image)", "", {{"album", true}, {"images", boost::json::array{first}}});
    engine_node->engine->wake();
    w.until("select state from postrider.job", "waiting");
    EXPECT_THAT(model.requests, SizeIs(0));

    w.execute("insert into postrider.request_key (scope, key, digest, job_id) "
              "select 'album', 'a', '', job_id from postrider.job");
    auto const join = [this] {
        return w.value(
            "select outcome from postrider.album_join('album', 'a', " + lane +
            ", (select input - 'attachment' || '{\"attachment\": \"file\", \"images\": "
            "[{\"file\": \"two\"}]}' from postrider.job limit 1), 'What are these?', "
            "'(image)')"
        );
    };
    EXPECT_EQ(join(), "joined");
    until_over(1);

    ASSERT_THAT(model.requests, SizeIs(1));
    auto const& question = model.requests[0].messages.back();
    EXPECT_EQ(question.content, "What are these?");
    EXPECT_THAT(question.images, SizeIs(2));
    EXPECT_THAT(model.requests[0].trailing_context, HasSubstr("cannot see: file."));
    EXPECT_EQ(join(), "begins") << "that turn is over";
}

} // namespace
} // namespace postrider::tests::joined_messages_test
