#include "server/start/config.hpp"
#include "server/start/model_prices.hpp"
#include "tests/unit/server/start/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace postrider::server::config_test {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

loaded_config from_environment(base::environment environment) {
    config_sources sources;
    sources.environment = std::move(environment);
    return load_config(sources);
}

TEST(config, nothing_said_is_a_demo_on_this_machine) {
    auto loaded = from_environment({});

    EXPECT_THAT(loaded.problems, IsEmpty());
    auto const& settings = loaded.values;
    EXPECT_EQ(settings.listen, "127.0.0.1:8080");
    EXPECT_EQ(settings.database_url, "");
    EXPECT_THAT(settings.bots, IsEmpty());
    EXPECT_EQ(settings.models.at("default").provider, "rules");
    EXPECT_EQ(settings.agents.at("assistant").history, 20);
    EXPECT_EQ(settings.agents.at("assistant").max_tool_calls, 5);
    EXPECT_EQ(settings.slots, 256);
    EXPECT_EQ(settings.drain_timeout, 20s);
    EXPECT_EQ(settings.keep_inbox, 48h);
}

TEST(config, lacks_a_model_where_neither_a_key_nor_an_entry_brings_one) {
    auto const rules =
        "[models.plain]\nprovider = \"rules\"\n[agents.assistant]\nmodel = \"plain\"\n";

    EXPECT_TRUE(from_environment({}).values.lacks_model);
    EXPECT_TRUE(from_file(rules).values.lacks_model);
    EXPECT_FALSE(from_file(rules, {{"ANTHROPIC_API_KEY", "k"}}).values.lacks_model);
    EXPECT_FALSE(
        from_file("[models.own]\nprovider = \"openai\"\napi_key = \"k\"\n").values.lacks_model
    );
}

TEST(config, secrets_have_names_and_are_never_shown) {
    auto const loaded = from_file(
        "[secrets.github]\nvalue = \"in-a-file\"\n", {{"POSTRIDER_SECRET_SHOP", "in-env"}}
    );

    EXPECT_THAT(loaded.problems, IsEmpty());
    EXPECT_EQ(loaded.values.secrets.at("github").reveal(), "in-a-file");
    EXPECT_EQ(loaded.values.secrets.at("shop").reveal(), "in-env");
    for (auto const& line : loaded.effective) EXPECT_EQ(line.value.find("in-"), line.value.npos);
}

TEST(config, a_secret_without_a_value_is_a_mistake) {
    auto const loaded = from_file("[secrets.github]\n[secrets.'no good']\nvalue = \"x\"\n");

    EXPECT_THAT(loaded.problems, Contains(HasSubstr("secrets.github: it needs a value")));
    EXPECT_THAT(loaded.problems, Contains(HasSubstr("secrets.no good: a name is")));
}

// covers: S0.08
TEST(config, an_anthropic_key_makes_anthropic_the_default) {
    auto key_only = from_environment({{"ANTHROPIC_API_KEY", "k"}, {"OPENAI_API_KEY", "o"}});
    auto named = from_environment({{"ANTHROPIC_API_KEY", "k"}, {"ANTHROPIC_MODEL", "other"}});

    auto const& model = key_only.values.models.at("default");
    EXPECT_EQ(model.provider, "anthropic");
    EXPECT_EQ(model.model, "claude-haiku-4-5");
    EXPECT_EQ(model.api_key.reveal(), "k");
    EXPECT_EQ(model.base_url, "https://api.anthropic.com");
    EXPECT_EQ(named.values.models.at("default").model, "other");
}

TEST(config, an_openai_key_or_server_makes_openai_the_default) {
    auto key = from_environment({{"OPENAI_API_KEY", "o"}});
    auto server = from_environment(
        {{"OPENAI_BASE_URL", "http://127.0.0.1:11434/v1"},
         {"OPENAI_API", "chat"},
         {"OPENAI_MODEL", "llama"}}
    );

    EXPECT_EQ(key.values.models.at("default").provider, "openai");
    EXPECT_EQ(key.values.models.at("default").model, "gpt-4o-mini");
    EXPECT_EQ(key.values.models.at("default").api, "responses");
    EXPECT_THAT(server.problems, IsEmpty());
    auto const& compatible = server.values.models.at("default");
    EXPECT_EQ(compatible.provider, "openai");
    EXPECT_EQ(compatible.api, "chat");
    EXPECT_EQ(compatible.model, "llama");
    EXPECT_TRUE(compatible.api_key.empty());
}

// covers: S1.06
TEST(config, provider_and_model_are_swapped_in_the_file_alone) {
    base::environment const keys{{"ANTHROPIC_API_KEY", "a"}, {"OPENAI_API_KEY", "o"}};

    auto loaded = from_file(
        "[models.default]\nprovider = 'openai'\nmodel = 'gpt-5'\ntimeout = '90s'\n"
        "[models.cheap]\nprovider = 'anthropic'\nmax_tokens = 100\napi_key = 'own'\n"
        "[agents.assistant]\nmodel = 'cheap'\nhistory = 7\nmax_tool_calls = 2\npersona = "
        "'Terse.'\n",
        keys
    );

    EXPECT_THAT(loaded.problems, IsEmpty());
    auto const& standard = loaded.values.models.at("default");
    EXPECT_EQ(standard.provider, "openai");
    EXPECT_EQ(standard.model, "gpt-5");
    EXPECT_EQ(standard.timeout, 90s);
    EXPECT_EQ(standard.api_key.reveal(), "o");
    auto const& cheap = loaded.values.models.at("cheap");
    EXPECT_EQ(cheap.provider, "anthropic");
    EXPECT_EQ(cheap.model, "claude-haiku-4-5");
    EXPECT_EQ(cheap.max_tokens, 100);
    EXPECT_EQ(cheap.api_key.reveal(), "own");
    auto const& assistant = loaded.values.agents.at("assistant");
    EXPECT_THAT(assistant.models, ElementsAre("cheap"));
    EXPECT_EQ(assistant.history, 7);
    EXPECT_EQ(assistant.persona, "Terse.");
}

// covers: X.06
TEST(config, an_agent_may_have_several_models_in_order) {
    std::string const models = "[models.cheap]\nprovider = 'rules'\n";
    auto loaded = from_file(
        models + "[agents.assistant]\nmodel = ['default', 'cheap']\nwhen_model_fails = 'rules'\n"
    );
    EXPECT_THAT(loaded.problems, IsEmpty());
    auto const& assistant = loaded.values.agents.at("assistant");
    EXPECT_THAT(assistant.models, ElementsAre("default", "cheap"));
    EXPECT_EQ(assistant.when_model_fails, "rules");

    auto const twice =
        from_file(models + "[agents.assistant]\nmodel = ['cheap', 'chep', 'cheap']\n");
    EXPECT_THAT(twice.problems, Contains(HasSubstr("there is no [models.chep]")));
    EXPECT_THAT(twice.problems, Contains(HasSubstr("cheap is named twice")));
    auto const wrong = from_file("[agents.assistant]\nwhen_model_fails = 'pray'\n");
    EXPECT_THAT(wrong.problems, Contains(HasSubstr("fail, tell, rules")));
}

TEST(config, the_bot_may_stand_in_the_file) {
    auto loaded = from_file(
        "[bots.main]\nbot_token = '1:a'\nallowed_users = [5]\nallowed_chats = [-100]\nowners = "
        "[7]\n",
        {{"POSTRIDER_ALLOWED_USERS", "6"}}
    );

    EXPECT_THAT(loaded.problems, IsEmpty());
    ASSERT_EQ(loaded.values.bots.size(), 1u);
    auto const& bot = loaded.values.bots.front();
    EXPECT_EQ(bot.name, "main");
    EXPECT_EQ(bot.token.reveal(), "1:a");
    EXPECT_THAT(bot.allowlist.users, ElementsAre(user_id{6}));
    EXPECT_THAT(bot.allowlist.chats, ElementsAre(chat_id{-100}));
    EXPECT_THAT(bot.allowlist.owners, ElementsAre(user_id{7}));
}

TEST(config, many_bots_and_agents_stand_beside_the_one_of_the_environment) {
    auto loaded = from_file(
        "[bots.sales]\nbot_token = '2:b'\nallowed_users = [5]\nagent = 'terse'\n"
        "sends_per_second = 30\n"
        "[agents.terse]\npersona = 'Terse.'\nmodel = 'cheap'\n"
        "[models.cheap]\nprovider = 'rules'\nrequests_per_minute = 60\n",
        {{"TELEGRAM_BOT_TOKEN", "1:a"}, {"POSTRIDER_ALLOWED_USERS", "6"}}
    );

    EXPECT_THAT(loaded.problems, IsEmpty());
    ASSERT_EQ(loaded.values.bots.size(), 2u);
    auto const& first = loaded.values.bots[0];
    auto const& sales = loaded.values.bots[1];
    EXPECT_EQ(first.name, "main");
    EXPECT_EQ(first.agent, "assistant");
    EXPECT_EQ(first.sends_per_second, 0);
    EXPECT_THAT(first.allowlist.users, ElementsAre(user_id{6}));
    EXPECT_EQ(sales.name, "sales");
    EXPECT_EQ(sales.token.reveal(), "2:b");
    EXPECT_EQ(sales.agent, "terse");
    EXPECT_EQ(sales.sends_per_second, 30);
    EXPECT_THAT(sales.allowlist.users, ElementsAre(user_id{5}));
    EXPECT_EQ(sales.api_base, "https://api.telegram.org");
    EXPECT_EQ(loaded.values.agents.at("terse").persona, "Terse.");
    EXPECT_EQ(loaded.values.agents.at("terse").history, 20);
    EXPECT_EQ(loaded.values.agents.at("assistant").persona, "");
    EXPECT_EQ(loaded.values.model_limits.at("cheap").requests_per_minute, 60);
}

TEST(config, models_share_the_breaker_of_an_address_and_a_key) {
    auto loaded = from_file(
        "[models.a]\nprovider = 'openai'\n[models.b]\nprovider = 'openai'\nmodel = 'gpt-5'\n"
        "[models.local]\nprovider = 'openai'\nbase_url = 'http://127.0.0.1:1/v1'\n"
        "[models.paid]\nprovider = 'openai'\napi_key = 'mine'\n"
        "[models.none]\nprovider = 'rules'\n",
        {{"OPENAI_API_KEY", "o"}}
    );

    auto breaker = [&](char const* name) { return loaded.values.model_limits.at(name).breaker; };
    EXPECT_EQ(breaker("default"), "provider:openai");
    EXPECT_EQ(breaker("a"), "provider:openai");
    EXPECT_EQ(breaker("b"), "provider:openai");
    EXPECT_EQ(breaker("local"), "model:local");
    EXPECT_EQ(breaker("paid"), "model:paid");
    EXPECT_EQ(breaker("none"), "");
}

TEST(config, a_named_bot_alone_needs_no_main) {
    auto loaded = from_file("[bots.sales]\nbot_token = '2:b'\n");

    EXPECT_THAT(loaded.problems, IsEmpty());
    ASSERT_EQ(loaded.values.bots.size(), 1u);
    EXPECT_EQ(loaded.values.bots[0].name, "sales");
}

TEST(config, mistakes_in_bots_are_told) {
    auto loaded = from_file(
        "[bots.'a/b']\nbot_token = '1:a'\n"
        "[bots.empty]\nowners = [1]\n"
        "[bots.sales]\nbot_token = '2:b'\nagent = 'assistent'\nwebhook_secret = 'no good'\n"
        "[bots.twin]\nbot_token = '2:b'\n"
        "[bots.typo]\nbot_token = '3:c'\nownres = [1]\n"
    );

    EXPECT_THAT(
        loaded.problems,
        testing::UnorderedElementsAre(
            HasSubstr("bots.a/b: a name is"),
            HasSubstr("bots.empty.bot_token: a bot needs one"),
            AllOf(HasSubstr("[agents.assistent]"), HasSubstr("did you mean assistant?")),
            HasSubstr("bots.sales.webhook_secret"),
            HasSubstr("bots.twin.bot_token: it is that of bots.sales, too"),
            HasSubstr("did you mean bots.typo.owners?")
        )
    );
}

struct mistake {
    char const* name;
    char const* value;
    char const* told;
};

class config_mistake : public testing::TestWithParam<mistake> {};

TEST_P(config_mistake, is_told) {
    auto const& [name, value, told] = GetParam();

    EXPECT_THAT(from_environment({{name, value}}).problems, ElementsAre(HasSubstr(told)));
}

INSTANTIATE_TEST_SUITE_P(
    config,
    config_mistake,
    testing::Values(
        mistake{"POSTRIDER_LISTEN", "8080", "server.listen"},
        mistake{"POSTRIDER_LISTEN", "localhost:99999", "server.listen"},
        mistake{"POSTRIDER_LISTEN", "unix:", "server.listen"},
        mistake{"POSTRIDER_TRUSTED_PROXIES", "10.0.0.0/8, ten", "ten"},
        mistake{"POSTRIDER_HOSTS", "mcp.example.org, http://x", "server.hosts: 'http://x'"},
        mistake{"POSTRIDER_PUBLIC_URL", "bot.example.org", "server.public_url"},
        mistake{"TELEGRAM_WEBHOOK_SECRET", "s#cret", "bots.main.webhook_secret"},
        mistake{"POSTRIDER_SLOTS", "0", "1..10000"},
        mistake{"POSTRIDER_DRAIN_TIMEOUT", "20", "unit"},
        mistake{"POSTRIDER_SLOT", "3", "did you mean POSTRIDER_SLOTS?"}
    )
);

TEST(config, a_model_that_is_not_there_is_told) {
    auto loaded =
        from_file("[models.large]\nprovider = 'rules'\n[agents.assistant]\nmodel = 'lagre'\n");

    EXPECT_THAT(
        loaded.problems,
        ElementsAre(AllOf(HasSubstr("[models.lagre]"), HasSubstr("did you mean large?")))
    );
}

TEST(config, a_vendor_without_a_key_is_told) {
    auto loaded =
        from_file("[models.a]\nprovider = 'anthropic'\n[models.o]\nprovider = 'openai'\n");

    EXPECT_THAT(
        loaded.problems, ElementsAre(HasSubstr("ANTHROPIC_API_KEY"), HasSubstr("OPENAI_API_KEY"))
    );
}

TEST(config, a_vendors_key_stays_with_the_vendors_address) {
    base::environment const keys{{"ANTHROPIC_API_KEY", "a"}, {"OPENAI_API_KEY", "o"}};
    auto const key_of = [&](std::string const& lines) {
        auto const loaded = from_file("[models.m]\n" + lines, keys);
        return loaded.values.models.at("m").api_key.reveal();
    };

    EXPECT_EQ(key_of("provider = 'openai'\n"), "o");
    EXPECT_EQ(key_of("provider = 'openai'\nbase_url = 'https://api.openai.com/v1/'\n"), "o");
    EXPECT_EQ(key_of("provider = 'openai'\nbase_url = 'http://127.0.0.1:11434/v1'\n"), "");
    EXPECT_EQ(key_of("provider = 'openai'\nbase_url = 'http://api.openai.com/v1'\n"), "");
    EXPECT_EQ(
        key_of("provider = 'openai'\nbase_url = 'http://127.0.0.1:1/v1'\nshare_key = 'true'\n"), "o"
    );
    EXPECT_EQ(
        key_of("provider = 'openai'\nbase_url = 'http://127.0.0.1:1/v1'\napi_key = 'own'\n"), "own"
    );
}

TEST(config, the_address_beside_a_key_is_the_one_that_it_is_for) {
    base::environment const gateway{
        {"ANTHROPIC_API_KEY", "a"}, {"ANTHROPIC_BASE_URL", "http://gateway:8000"}};

    auto const loaded = from_file(
        "[models.m]\nprovider = 'anthropic'\nbase_url = 'http://gateway:8000/team'\n", gateway
    );

    EXPECT_THAT(loaded.problems, IsEmpty());
    EXPECT_EQ(loaded.values.models.at("default").api_key.reveal(), "a");
    EXPECT_EQ(loaded.values.models.at("m").api_key.reveal(), "a");
}

TEST(config, a_model_that_is_left_without_the_vendors_key_is_told) {
    auto const loaded = from_file(
        "[models.far]\nprovider = 'anthropic'\nbase_url = 'http://elsewhere'\n"
        "[models.local]\nprovider = 'openai'\nbase_url = 'http://127.0.0.1:1/v1'\n",
        {{"ANTHROPIC_API_KEY", "a"}, {"OPENAI_API_KEY", "o"}}
    );

    EXPECT_THAT(loaded.problems, ElementsAre(HasSubstr("share_key")));
    EXPECT_THAT(loaded.values.withheld_keys, ElementsAre("far", "local"));
}

TEST(config, an_api_is_one_that_the_provider_has) {
    auto const loaded = from_file(
        "[models.m]\nprovider = 'anthropic'\napi = 'chat'\n", {{"ANTHROPIC_API_KEY", "a"}}
    );

    EXPECT_THAT(loaded.problems, ElementsAre(HasSubstr("anthropic has no API chat")));
}

TEST(config, cached_tokens_have_a_price_of_their_own) {
    auto const loaded = from_file(
        "[models.a]\nprovider = 'anthropic'\ninput_price = 100\noutput_price = 500\n"
        "[models.o]\nprovider = 'openai'\ninput_price = 100\ncached_price = 25\n",
        {{"ANTHROPIC_API_KEY", "a"}, {"OPENAI_API_KEY", "o"}}
    );

    auto const a = prices_of(loaded.values, "a", "claude-haiku-4-5");
    EXPECT_DOUBLE_EQ(a.input, 1);
    EXPECT_DOUBLE_EQ(a.cached, 0.1);
    EXPECT_DOUBLE_EQ(a.cache_written, 1.25);
    EXPECT_DOUBLE_EQ(a.output, 5);
    EXPECT_DOUBLE_EQ(prices_of(loaded.values, "o", "gpt-4o").cached, 0.25);
}

TEST(config, a_vendors_models_have_its_list_prices_unless_others_are_written) {
    auto const loaded = from_file(
        "[models.own]\nprovider = 'anthropic'\ninput_price = 0\n"
        "[models.far]\nprovider = 'anthropic'\nbase_url = 'https://proxy.example/v1'\n",
        {{"ANTHROPIC_API_KEY", "a"}}
    );
    auto const of = [&](std::string const& entry, std::string_view model) {
        return prices_of(loaded.values, entry, model);
    };

    EXPECT_DOUBLE_EQ(of("default", "claude-haiku-4-5").input, 1);
    EXPECT_DOUBLE_EQ(of("default", "claude-haiku-4-5-20251001").output, 5);
    EXPECT_DOUBLE_EQ(of("default", "claude-opus-5-5").cached, 0.2) << "a share of its own";
    EXPECT_DOUBLE_EQ(of("default", "claude-haiku-4-5x").input, 0) << "another model";
    EXPECT_DOUBLE_EQ(of("own", "claude-haiku-4-5").input, 0);
    EXPECT_DOUBLE_EQ(of("own", "claude-haiku-4-5").output, 5);
    EXPECT_DOUBLE_EQ(of("far", "claude-haiku-4-5").input, 0) << "nobody knows its prices";
}

TEST(config, every_key_says_what_it_is_for) {
    std::vector<std::string> seen;
    for (auto const& row : settings_table()) {
        EXPECT_FALSE(row.help.empty()) << row.key;
        EXPECT_EQ(base::problem_with(row, row.fallback), std::nullopt) << row.key;
        EXPECT_THAT(seen, testing::Not(Contains(row.key)));
        seen.emplace_back(row.key);
    }
}

} // namespace
} // namespace postrider::server::config_test
