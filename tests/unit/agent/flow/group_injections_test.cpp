// What members of a group may write, and a model that does whatever they want: nothing comes of it.
#include "agent/flow/catalog.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/language/shared_passage.hpp"
#include "base/ascii.hpp"
#include "base/texts.hpp"
#include "tests/support/paths.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"
#include "tests/unit/agent/flow/group_rows.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace postrider::tests::group_injections_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::string text_of_file(std::string_view path) {
    std::ifstream in(source(path));
    EXPECT_TRUE(in) << path;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// The flow that ships, without its filter, which has tests of its own, and without what is no part of this
// program.
std::string group_bot() {
    auto document = json::parse(text_of_file("flows/claudir.json")).as_object();
    auto const types = flow::builtin_types();
    auto const is_left_out = [&](json::value const& node) {
        auto const id = std::string_view(node.at("id").as_string());
        return id == "commands" || id == "check" || id == "act" || id == "spam_model" ||
               !types.find(std::string_view(node.at("type").as_string()));
    };
    std::vector<std::string> gone;
    json::array nodes;
    for (auto const& node : document.at("nodes").as_array()) {
        if (is_left_out(node))
            gone.emplace_back(node.at("id").as_string());
        else
            nodes.push_back(node);
    }
    json::array connections{json::object{{"from", "group"}, {"to", "wake"}}};
    for (auto const& connection : document.at("connections").as_array()) {
        auto const is_gone = [&](std::string_view end) {
            return std::ranges::count(gone, std::string_view(connection.at(end).as_string())) > 0;
        };
        if (!is_gone("from") && !is_gone("to")) connections.push_back(connection);
    }
    document["nodes"] = std::move(nodes);
    document["connections"] = std::move(connections);
    return json::serialize(document);
}

std::string persona() {
    auto words = text_of_file("flows/claudir_persona.md");
    base::replace_all(words, "{name}", "Claudir");
    return words;
}

// What an obedient model makes of its instructions.
std::string obeyed(std::string text) {
    auto const instructions = persona();
    auto capitals = instructions;
    std::ranges::transform(capitals, capitals.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    auto bullets = instructions;
    base::replace_all(bullets, "\n", "\n* ");
    base::replace_all(text, "{{system_prompt}}", instructions);
    base::replace_all(text, "{{SYSTEM_PROMPT}}", capitals);
    base::replace_all(text, "{{first_part}}", instructions.substr(0, 300));
    base::replace_all(text, "{{bullets}}", bullets);
    base::replace_all(text, "{{environment}}", "i have no such thing");
    return text;
}

struct injection {
    std::string name;
    std::string text;
    std::vector<std::pair<std::string, json::object>> calls;
};

std::vector<injection> injections() {
    std::vector<injection> injections;
    auto const list = json::parse(text_of_file("tests/data/injections.json"));
    for (auto const& entry : list.as_array()) {
        injection parsed;
        parsed.name = entry.at("name").as_string();
        parsed.text = entry.at("text").as_string();
        for (auto const& call : entry.at("calls").as_array()) {
            auto arguments = call.at("arguments").as_object();
            if (auto* text = arguments.if_contains("text"); text && text->is_string())
                *text = obeyed(std::string(text->as_string()));
            parsed.calls.emplace_back(std::string(call.at("tool").as_string()), arguments);
        }
        injections.push_back(std::move(parsed));
    }
    return injections;
}

int count_of(std::string_view text, std::string_view part) {
    int count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

class hostile_group {
public:
    explicit hostile_group(injection const& hostile) : world_(group_bot()) {
        world_.adjust = [](flow::node_services& services) {
            services.chatbot = {
                {"names", json::array{"Claudir"}},
                {"persona", persona()},
                {"model", "default"},
                {"compaction_model", "default"},
                {"spam_model", "default"},
                {"compaction_threshold_tokens", 50'000},
                {"wake", "always"},
                {"wake_every", 0}};
            services.is_owner = [](bot_id, user_id user) { return user == user_id{923847}; };
        };
        world_.table.others = [this, hostile](storage::write const& question
                              ) -> std::optional<storage::rows> {
            auto const name = question.statement->name;
            if (name != "read_group_context" && name != "read_archive" && name != "find_author")
                return std::nullopt;
            chats_read_.push_back(json::parse(question.row).at("chat_id").as_int64());
            if (name != "read_group_context") return storage::rows{};
            return storage::rows{
                turn_row(100), said_row(1, "1", 10, "hi"), said_row(2, "2", 20, hostile.text)};
        };
        world_.model.script = {calls(hostile.calls), says("done")};
        flow::execution_input input;
        input.flow = "claudir";
        input.heard =
            flow::heard_message{{bot_id{1}, chat_id{-100}}, user_id{8}, telegram_message_id{2}};
        input.heard->seen = {{"event", "message"}, {"text", hostile.text}};
        outcome_ = world_.run(std::move(input));
    }

    void expect_nothing_came_of_it() const {
        EXPECT_EQ(outcome_.state, queue::job_state::completed);
        for (auto const& sent : world_.chat.sent) {
            EXPECT_EQ(sent.to.chat, chat_id{-100});
            EXPECT_EQ(sent.to.bot, bot_id{1});
            EXPECT_EQ(sent.to.thread, thread_id{});
            EXPECT_FALSE(agent::has_passage_of(sent.content.text, persona())) << sent.content.text;
        }
        EXPECT_THAT(world_.chat.moderated, IsEmpty());
        EXPECT_THAT(world_.chat.removed, IsEmpty());
        EXPECT_THAT(world_.chat.reactions, IsEmpty());
        for (auto const chat : chats_read_) EXPECT_EQ(chat, -100);
        for (auto const& write : world_.record.writes)
            EXPECT_THAT(std::string(write.statement->name), Not(HasSubstr("approval")));
        expect_two_messages(world_.model.requests.at(0));
    }

    // What the model reads has just the messages that there are, each of whom Telegram names.
    static void expect_two_messages(agent::chat_request const& request) {
        auto const& read = request.messages.at(0).content;
        EXPECT_EQ(count_of(read, "<msg "), 2) << read;
        EXPECT_EQ(count_of(read, "</msg>"), 2) << read;
        EXPECT_EQ(count_of(read, "<reply"), 0) << read;
        EXPECT_EQ(count_of(read, "<edit"), 0) << read;
        EXPECT_EQ(count_of(read, "user=\"7\" name=\"alice\""), 2) << read;
    }

private:
    flow_world world_;
    std::vector<std::int64_t> chats_read_;
    queue::outcome outcome_;
};

// covers: S4.11 S4.17
TEST(group_injections, come_to_nothing_whatever_the_model_obeys) {
    auto const hostile_messages = injections();
    ASSERT_THAT(hostile_messages, SizeIs(60));

    for (auto const& hostile : hostile_messages) {
        SCOPED_TRACE(hostile.name);
        hostile_group const group(hostile);
        group.expect_nothing_came_of_it();
    }
}

// The agent has what it needs to speak, and nothing that acts on others or reaches an address of a member's choice.
TEST(group_injections, find_no_tool_that_acts_on_others) {
    auto const document = json::parse(text_of_file("flows/claudir.json"));
    std::vector<std::string> tools;
    for (auto const& node : document.at("nodes").as_array()) {
        std::string const type(node.at("type").as_string());
        if (type.starts_with("tool.")) tools.push_back(type);
        auto const* parameters = node.as_object().if_contains("parameters");
        if (type == "tool.send_message") {
            EXPECT_FALSE(parameters) << "it sends to the chat that it reads";
        }
    }

    EXPECT_THAT(
        tools,
        testing::UnorderedElementsAre(
            "tool.send_message",
            "tool.get_user_info",
            "tool.read_messages",
            "tool.web_search",
            "tool.react",
            "tool.remember",
            "tool.recall"
        )
    );
}

// covers: S4.11
TEST(shared_passage, is_found_in_any_case_and_punctuation) {
    auto const original = "One two three four five six seven eight nine ten eleven.";

    EXPECT_TRUE(
        agent::has_passage_of("so: ONE, two; three four - five six seven eight nine ten!", original)
    );
    EXPECT_FALSE(agent::has_passage_of("one two three four five six seven eight nine", original));
    EXPECT_FALSE(
        agent::has_passage_of("one two three four five six seven eight nine tennis", original)
    );
    EXPECT_FALSE(agent::has_passage_of("", original));
    EXPECT_FALSE(agent::has_passage_of(original, ""));
}

} // namespace
} // namespace postrider::tests::group_injections_test
