// The models that a configuration can reach, by `models list` and by the list that the API serves.
#include "base/clock.hpp"
#include "net/http_client.hpp"
#include "server/cli/run.hpp"
#include "server/views/model_list.hpp"
#include "tests/support/fake_models.hpp"
#include "tests/support/loop.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace postrider::cli::models_list_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class models_list : public testing::Test {
protected:
    models_list() {
        local.offer_models({"qwen3:8b", "llama4"});
        local.require_key("key-1");
        std::ofstream(file) << "[models.local]\nprovider = 'openai'\napi = 'chat'\nbase_url = '"
                            << local.address() << "/v1'\nmodel = 'qwen3:8b'\napi_key = 'key-1'\n"
                            << "input_price = 5\noutput_price = 10\nvision = true\n"
                            << "[models.same]\nprovider = 'openai'\napi = 'chat'\nbase_url = '"
                            << local.address() << "/v1'\nmodel = 'secret-model'\n"
                            << "api_key = 'key-1'\n";
    }

    int ask(std::vector<std::string> args = {}) {
        args.insert(args.begin(), {"models", "list"});
        args.insert(args.end(), {"--config", file});
        return run(args, {}, out, err);
    }

    tests::fake_models local;
    std::string const file =
        testing::TempDir() + "models_list_test" + std::to_string(::getpid()) + ".toml";
    std::ostringstream out, err;
};

boost::json::value model_of(boost::json::value const& list, std::string_view name) {
    for (auto const& model : list.at("models").as_array())
        if (model.at("name").as_string() == name) return model;
    ADD_FAILURE() << name << " is not listed";
    return boost::json::object{};
}

TEST_F(models_list, shows_what_servers_list_and_what_is_asked) {
    EXPECT_EQ(ask(), 0) << err.str();

    EXPECT_THAT(out.str(), HasSubstr("llama4"));
    EXPECT_THAT(out.str(), HasSubstr("secret-model")) << "a server need not list it";
    EXPECT_THAT(out.str(), HasSubstr("builtin"));
    EXPECT_THAT(err.str(), Not(HasSubstr("cannot ask")));
    EXPECT_THAT(local.requests().size(), 1) << "two entries, one server and key";
}

TEST_F(models_list, of_a_provider_that_there_is_not_is_an_error_with_a_suggestion) {
    EXPECT_EQ(ask({"--provider", "opneai"}), 1);

    EXPECT_EQ(out.str(), "");
    EXPECT_THAT(err.str(), HasSubstr("there is no provider opneai; did you mean openai?"));
    EXPECT_THAT(local.requests(), IsEmpty()) << "nobody need be asked";
}

TEST_F(models_list, gives_prices_and_users_as_json) {
    EXPECT_EQ(ask({"--json"}), 0) << err.str();

    auto const list = boost::json::parse(out.str());
    auto const qwen = model_of(list, "qwen3:8b");
    EXPECT_EQ(qwen.at("provider"), "openai");
    EXPECT_EQ(qwen.at("price").at("input").to_number<double>(), 5);
    EXPECT_EQ(qwen.at("price").at("output").to_number<double>(), 10);
    EXPECT_EQ(qwen.at("entries"), (boost::json::array{"local"}));
    EXPECT_TRUE(qwen.at("context").is_null()) << "nobody knows";
    EXPECT_EQ(qwen.at("vision"), true) << "its entry says so";
    EXPECT_TRUE(model_of(list, "secret-model").at("vision").is_null());
    EXPECT_TRUE(model_of(list, "secret-model").at("price").is_null());
}

TEST_F(models_list, says_which_server_it_could_not_ask) {
    local.require_key("another");

    EXPECT_EQ(ask(), 0);

    EXPECT_THAT(err.str(), HasSubstr("cannot ask local: unauthorized"));
    EXPECT_THAT(err.str(), Not(HasSubstr("key-1")));
    EXPECT_THAT(out.str(), HasSubstr("qwen3:8b")) << "what is configured stands there";
    EXPECT_THAT(out.str(), Not(HasSubstr("llama4")));
}

TEST_F(models_list, shows_what_ships_with_the_product_of_a_vendor_that_cannot_be_asked) {
    server::config settings;
    settings.models["default"].provider = "anthropic";
    settings.models["default"].model = "claude-haiku-4-5-20251001";
    settings.models["default"].api_key = base::secret("k");
    settings.models["default"].timeout = std::chrono::milliseconds{1};
    tests::loop io;
    auto http = net::make_http_client(io.executor());
    base::manual_clock clock;

    auto const list = to_json(io.run(server::list_models(settings, *http, clock)));

    auto const dated = model_of(list, "claude-haiku-4-5-20251001");
    EXPECT_EQ(dated.at("context"), 200'000.0);
    EXPECT_EQ(dated.at("vision"), true);
    EXPECT_EQ(dated.at("price").at("output"), 500.0);
    EXPECT_EQ(model_of(list, "claude-opus-5-5").at("price").at("cached"), 20.0);
    EXPECT_EQ(list.at("failures").as_array().size(), 1u);
    http->close();
}

TEST_F(models_list, of_a_process_is_asked_for_again_after_an_hour) {
    server::config settings;
    auto& options = settings.models["local"];
    options.provider = "openai";
    options.api = "chat";
    options.base_url = local.address() + "/v1";
    options.api_key = base::secret("key-1");
    tests::loop io;
    auto http = net::make_http_client(io.executor());
    base::manual_clock clock;
    server::model_directory directory(settings, *http, clock);

    for (auto const age : {std::chrono::minutes{0}, std::chrono::minutes{59}}) {
        clock.advance(age);
        EXPECT_THAT(io.run(directory.read())->failures, IsEmpty());
        EXPECT_EQ(local.requests().size(), 1u) << age.count();
    }
    clock.advance(std::chrono::minutes{2});
    io.run(directory.read());
    EXPECT_EQ(local.requests().size(), 2u);
    http->close();
}

} // namespace
} // namespace postrider::cli::models_list_test
