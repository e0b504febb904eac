#pragma once
// A provider's client against its stand-in.
#include "agent/models/factory.hpp"
#include "tests/support/fake_models.hpp"
#include "tests/unit/agent/tool_bench.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

namespace postrider::tests {

struct provider_api {
    char const* name;
    char const* provider;
    char const* api;
    char const* path;
};

inline auto every_api() {
    return testing::Values(
        provider_api{"anthropic", "anthropic", "", "/v1/messages"},
        provider_api{"openai_responses", "openai", "", "/v1/responses"},
        provider_api{"openai_chat", "openai", "chat", "/v1/chat/completions"}
    );
}

class providers : public testing::TestWithParam<provider_api> {
protected:
    ~providers() override { client_->close(); }

    agent::model_options options() const {
        agent::model_options settings;
        settings.provider = GetParam().provider;
        settings.model = "small-model";
        settings.api_key = base::secret("key-1");
        settings.base_url = fake_.address();
        if (settings.provider == "openai") settings.base_url += "/v1";
        settings.api = GetParam().api;
        settings.timeout = std::chrono::seconds{5};
        return settings;
    }

    agent::chat_request question(std::string text) const {
        agent::chat_request request;
        request.system = "Be brief.";
        request.messages = {{.role = agent::role::user, .content = std::move(text)}};
        request.tools = tools_.specs();
        return request;
    }

    base::result<agent::chat_reply> ask(agent::chat_request request) {
        return ask(options(), std::move(request));
    }
    base::result<agent::chat_reply> ask(agent::model_options with, agent::chat_request request) {
        auto model = agent::make_model(std::move(with), *client_, base::system_clock()).value();
        return io_.run(model->chat(std::move(request)));
    }

    base::errc failure(fake_reply reply) {
        fake_.script(std::move(reply));
        auto answer = ask(question("Hello"));
        return answer ? base::errc{} : answer.error().code;
    }

    fake_models fake_;
    loop io_;
    std::unique_ptr<net::http_client> client_ = net::make_http_client(io_.executor());
    agent::flow::offered_tools tools_ = offered_table();
    tool_bench bench_{base::system_clock()};
};

} // namespace postrider::tests
