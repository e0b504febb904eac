// Credentials of the configuration in requests of the tool http_request, and nowhere else.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"
#include "tests/unit/agent/http_request_fixture.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::http_request_credential_test {
namespace {

namespace json = boost::json;
using base::errc;
using testing::HasSubstr;
using testing::Not;

net::credential key_for(std::string host) {
    net::credential key;
    key.value = base::secret("hunter2-and-more");
    key.hosts = {std::move(host)};
    return key;
}

class http_request_credential : public http_request {
protected:
    http_request_credential() {
        credentials.emplace("here", key_for("127.0.0.1"));
        credentials.emplace("shop", key_for("api.shop.example"));
        settings["credential"] = "here";
    }
};

TEST_F(http_request_credential, proves_the_request_whatever_the_model_writes) {
    serve({{ok("done")}});

    auto const output = call(
        {{"url", server->origin() + "/"}, {"headers", {{"Authorization", "Bearer of-the-model"}}}}
    );

    ASSERT_TRUE(output) << to_string(output.error());
    EXPECT_THAT(request(), HasSubstr("Authorization: Bearer hunter2-and-more\r\n"));
    EXPECT_THAT(request(), Not(HasSubstr("of-the-model")));
}

TEST_F(http_request_credential, is_not_sent_to_another_host) {
    serve({{ok("done")}});
    settings["credential"] = "shop";

    ASSERT_TRUE(get());

    EXPECT_THAT(request(), Not(HasSubstr("Authorization")));
}

TEST_F(http_request_credential, is_not_sent_in_the_clear_and_must_exist) {
    serve({{ok("done")}});
    allow("");
    settings["credential"] = "shop";
    auto const clear = call({{"url", "http://api.shop.example/"}});
    settings["credential"] = "sohp";
    auto const unknown = get();

    EXPECT_EQ(clear.error(), errc::invalid);
    EXPECT_THAT(clear.error().detail, HasSubstr("https only"));
    EXPECT_EQ(unknown.error(), errc::not_found);
    EXPECT_EQ(server->connections(), 0u);
}

// The server repeats the header, as servers for tests do.
TEST(http_request_record, holds_no_credential) {
    flow_world w(flow_builder("asking")
                     .trigger("In", "manual")
                     .agent("Ask")
                     .part("Web", "tool.http_request", {{"credential", "here"}})
                     .text());
    scripted_server server(w.io.executor(), {{ok("you sent Bearer hunter2-and-more")}});
    net::guarded_client web{
        net::make_http_client(w.io.executor(), net::guarded_options()),
        net::make_http_client(w.io.executor(), net::trusting_options())};
    net::credentials const credentials{{"here", key_for("127.0.0.1")}};
    w.tools["http_request"] = configured("http_request", {{"allowed_hosts", "127.0.0.1"}});
    w.adjust = [&](agent::flow::node_services& services) {
        services.web = &web;
        services.credentials = &credentials;
    };
    w.model.script = {calls({{"http_request", {{"url", server.origin() + "/"}}}}), says("done")};

    auto const outcome = w.run(json::object{{"text", "What do I send?"}});

    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    ASSERT_EQ(server.requests().size(), 1u);
    EXPECT_THAT(server.requests().at(0), HasSubstr("hunter2-and-more"));
    EXPECT_THAT(w.model.requests.at(1).messages.back().content, HasSubstr("you sent Bearer ***"));
    for (auto const& [name, result] : w.record.steps) {
        auto const text = result ? json::serialize(*result) : result.error().detail;
        EXPECT_THAT(text, Not(HasSubstr("hunter2"))) << name;
    }
    web.close();
    w.io.run(server.finish());
}

} // namespace
} // namespace postrider::tests::http_request_credential_test
