// [chatbot]: its values, and what becomes of the flow that ships.
#include "agent/flow/validate/validate.hpp"
#include "server/start/chatbot_settings.hpp"
#include "server/start/shipped_flows.hpp"
#include "tests/unit/server/start/config_file.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <map>

namespace postrider::server::chatbot_settings_test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr auto group_bot = R"(
[chatbot]
enabled = true
name = "Claudir"
aliases = ["clod"]
owner_ids = [923847]
groups = [-1001234567890]
debounce_ms = 2500
compaction_threshold_tokens = 20000

[bots.main]
bot_token = "1:abc"
allowed_users = [5]
)";

base::environment with_key() {
    return {{"ANTHROPIC_API_KEY", "sk-ant-test"}};
}

config configured(std::string const& text, base::environment environment = with_key()) {
    auto loaded = from_file(text, std::move(environment));
    EXPECT_THAT(loaded.problems, IsEmpty());
    return std::move(loaded.values);
}

json::object node_of(json::value const& document, std::string_view id) {
    for (auto const& node : document.at("nodes").as_array())
        if (node.at("id") == json::value(id)) return node.as_object();
    return {};
}

// covers: S4.03 S4.13
TEST(chatbot_settings, bind_the_flow_to_the_groups) {
    auto const values = configured(group_bot);

    auto const document = json::parse(chatbot_flow(values.chatbot));

    auto const trigger = node_of(document, "group");
    EXPECT_EQ(trigger.at("parameters").at("chats"), (json::array{-1001234567890}));
    EXPECT_FALSE(trigger.contains("disabled"));
    EXPECT_EQ(document.at("settings").at("debounce"), "2500ms");
    auto const variables = chatbot_variables(values.chatbot);
    EXPECT_EQ(variables.at("names"), (json::array{"Claudir", "clod"}));
    EXPECT_EQ(variables.at("compaction_threshold_tokens"), 20000);
    EXPECT_EQ(variables.at("model"), "chatbot.model");
    ASSERT_EQ(values.bots.size(), 1u);
    EXPECT_TRUE(values.bots[0].allowlist.chats.contains(chat_id{-1001234567890}));
    EXPECT_TRUE(values.bots[0].allowlist.owners.contains(user_id{923847}));
    EXPECT_FALSE(values.bots[0].allowlist.owners.contains(user_id{5}));
}

// covers: X.12
TEST(chatbot_settings, make_a_flow_without_a_problem) {
    auto const types = agent::flow::builtin_types();
    for (auto const& values : {configured(group_bot), configured("")}) {
        auto const problems = agent::flow::examine(chatbot_flow(values.chatbot), types).problems;
        for (auto const& problem : problems)
            EXPECT_FALSE(values.chatbot.is_enabled) << to_text(problem);
    }
}

TEST(chatbot_settings, leave_the_flow_off_unless_it_is_enabled) {
    auto const values = configured("[chatbot]\ngroups = [-100]\n");

    auto const document = json::parse(chatbot_flow(values.chatbot));

    EXPECT_EQ(node_of(document, "group").at("disabled"), true);
    EXPECT_EQ(chatbot_variables(values.chatbot).at("model"), "default");
    EXPECT_FALSE(values.models.contains(chatbot_model));
    for (auto const& bot : values.bots) EXPECT_THAT(bot.allowlist.chats, IsEmpty());
}

// covers: S4.03
TEST(chatbot_settings, fill_in_the_persona) {
    auto const persona = persona_of(configured(group_bot).chatbot);

    EXPECT_TRUE(persona.starts_with("# Who You Are\n\nYou are Claudir, a participant"));
    EXPECT_THAT(persona, HasSubstr("mentions your name (Claudir/claudir/clod)"));
    EXPECT_THAT(persona, HasSubstr("the owner (`user=\"923847\"`)"));
    EXPECT_THAT(persona, HasSubstr("the group chat -1001234567890."));
    EXPECT_THAT(persona, HasSubstr("ALWAYS verify identity by `user` attribute"));
    EXPECT_THAT(persona, Not(HasSubstr("{")));
    auto own = configured(group_bot).chatbot;
    own.persona = "You are a gardener.";
    EXPECT_EQ(persona_of(own), "You are a gardener.");
}

// covers: S4.14
TEST(chatbot_settings, have_models_of_their_own) {
    auto const values = configured(group_bot);

    EXPECT_EQ(values.models.at("chatbot.model").model, "claude-opus-4-5-20251101");
    EXPECT_EQ(values.models.at("chatbot.model").provider, "anthropic");
    EXPECT_EQ(values.models.at("chatbot.compaction_model").model, "claude-haiku-4-5");
    EXPECT_EQ(values.models.at("chatbot.spam_model").model, "claude-haiku-4-5");
    EXPECT_TRUE(values.model_limits.contains("chatbot.model"));
}

TEST(chatbot_settings, name_models_of_the_configuration_too) {
    auto const values = configured(
        std::string(group_bot) +
        "[models.large]\nprovider = \"anthropic\"\nmodel = \"claude-opus-5-5\"\n"
        "[models.default]\nprovider = \"anthropic\"\nmax_tokens = 512\n"
    );
    auto named = std::string(group_bot);
    named.replace(named.find("debounce_ms"), 0, "model = \"large\"\n");
    auto const chosen = configured(
        named + "[models.large]\nprovider = \"anthropic\"\nmodel = \"claude-opus-5-5\"\n"
    );

    EXPECT_EQ(chosen.models.at("chatbot.model").model, "claude-opus-5-5");
    EXPECT_EQ(values.models.at("chatbot.model").max_tokens, 512) << "else like the default";
}

TEST(chatbot_settings, take_the_default_model_without_a_key_for_theirs) {
    auto const values = configured(group_bot, {{"OPENAI_API_KEY", "sk-test"}});

    EXPECT_EQ(values.models.at("chatbot.model").provider, "openai");
    EXPECT_EQ(values.models.at("chatbot.model").model, values.models.at("default").model);
}

// covers: S4.13 X.09
TEST(chatbot_settings, hand_the_flow_what_it_does_about_spam_and_what_wakes_it) {
    auto more = std::string(group_bot);
    more.replace(
        more.find("debounce_ms"),
        0,
        "spam_action = \"ban\"\nadmin_chat = -100300\nwake = \"addressed\"\nwake_every = 20\n"
    );
    auto const values = configured(more);
    auto const usual = chatbot_variables(configured(group_bot).chatbot);

    auto const variables = chatbot_variables(values.chatbot);
    EXPECT_EQ(variables.at("spam_action"), "ban");
    EXPECT_EQ(variables.at("admin_chat"), -100300);
    EXPECT_EQ(variables.at("wake"), "addressed");
    EXPECT_EQ(variables.at("wake_every"), 20);
    EXPECT_EQ(usual.at("spam_action"), "dry_run") << "until an owner chooses";
    EXPECT_TRUE(usual.at("admin_chat").is_null());
    EXPECT_EQ(usual.at("wake"), "always");
    EXPECT_EQ(usual.at("wake_every"), 0);
}

// covers: X.09
TEST(chatbot_settings, serve_the_admin_chat_where_it_is_a_group) {
    auto const with_admins = [](std::string const& id, std::string text) {
        text.replace(text.find("debounce_ms"), 0, "admin_chat = " + id + "\n");
        return configured(text);
    };
    auto const chats = [](config const& values) {
        return node_of(json::parse(chatbot_flow(values.chatbot)), "group")
            .at("parameters")
            .at("chats");
    };

    auto const values = with_admins("-100300", group_bot);
    EXPECT_EQ(chats(values), (json::array{-1001234567890, -100300}));
    EXPECT_TRUE(values.bots[0].allowlist.chats.contains(chat_id{-100300}));
    EXPECT_THAT(persona_of(values.chatbot), Not(HasSubstr("-100300")));

    auto const private_chat = with_admins("923847", group_bot);
    EXPECT_EQ(chats(private_chat), (json::array{-1001234567890}));
    EXPECT_FALSE(private_chat.bots[0].allowlist.chats.contains(chat_id{923847}));

    auto const everywhere = with_admins("-100300", "[chatbot]\nenabled = true\ndebounce_ms = 1\n");
    auto const trigger = node_of(json::parse(chatbot_flow(everywhere.chatbot)), "group");
    EXPECT_FALSE(trigger.contains("parameters")) << "all groups, and so the admin chat";
}

// covers: X.09
TEST(chatbot_settings, have_a_flow_that_hears_administrators_before_its_filter) {
    auto const document = json::parse(claudir_flow());

    std::map<std::string, std::string> next;
    for (auto const& connection : document.at("connections").as_array())
        if (!connection.as_object().contains("type") && !connection.as_object().contains("output"))
            next[connection.at("from").as_string().c_str()] = connection.at("to").as_string();
    EXPECT_EQ(next["group"], "commands");
    EXPECT_EQ(next["commands"], "check");
    EXPECT_EQ(node_of(document, "commands").at("type"), "spam.command");
    auto const variables = chatbot_variables(configured(group_bot).chatbot);
    constexpr std::string_view opening = "{{ $vars.chatbot.";
    for (auto const* id : {"commands", "act", "wake"}) {
        auto const node = node_of(document, id);
        for (auto const& [name, value] : node.at("parameters").as_object()) {
            std::string_view text = value.as_string();
            ASSERT_TRUE(text.starts_with(opening)) << id << " " << name;
            text.remove_prefix(opening.size());
            EXPECT_TRUE(variables.contains(text.substr(0, text.find(' ')))) << id << " " << name;
        }
    }
}

TEST(chatbot_settings, refuse_ids_that_can_be_no_groups_and_no_people) {
    auto const problems = [](std::string const& lines) {
        return from_file("[chatbot]\n" + lines + "\n").problems;
    };

    EXPECT_THAT(
        problems("groups = [1001234567890]"),
        ElementsAre(HasSubstr("chatbot.groups: 1001234567890 is no group"))
    );
    EXPECT_THAT(problems("groups = [\"gardeners\"]"), ElementsAre(HasSubstr("chatbot.groups")));
    EXPECT_THAT(
        problems("groups = [-100, -200, -100, -100]"),
        ElementsAre("chatbot.groups: -100 is listed twice")
    );
    EXPECT_THAT(
        problems("owner_ids = [-5, 7, 7]"),
        ElementsAre(
            HasSubstr("chatbot.owner_ids: -5 is no person"), "chatbot.owner_ids: 7 is listed twice"
        )
    );
    EXPECT_THAT(problems("groups = [-100, -200]"), IsEmpty());
}

TEST(chatbot_settings, refuse_what_is_out_of_bounds) {
    auto const loaded = from_file("[chatbot]\ncompaction_threshold_tokens = 10\nnames = \"x\"\n");

    EXPECT_EQ(loaded.problems.size(), 2u);
}

} // namespace
} // namespace postrider::server::chatbot_settings_test
