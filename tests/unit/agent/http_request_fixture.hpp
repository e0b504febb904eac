#pragma once
// The tool http_request with a scripted server to call.
#include "agent/flow/parts/offered_tools.hpp"
#include "agent/tools/tool.hpp"
#include "net/guarded_client.hpp"
#include "tests/unit/agent/configured_tool.hpp"
#include "tests/unit/net/client_fixture.hpp"

namespace postrider::tests {

namespace json = boost::json;

class http_request : public client {
protected:
    http_request() { allow("127.0.0.1"); }

    // Hosts, comma separated.
    void allow(std::string hosts) {
        configuration = configured("http_request", {{"allowed_hosts", std::move(hosts)}});
    }

    // The call goes the way of every call: check, defaults, run.
    base::result<agent::tool_output> call(json::object arguments) {
        agent::flow::offered_tools tools;
        tools.add(agent::flow::offer(*agent::find_tool("http_request"), "", settings)).value();
        agent::tool_call of_model;
        of_model.id = "1";
        of_model.name = "http_request";
        of_model.arguments = std::move(arguments);
        auto checked = tools.check(of_model);
        if (!checked) return checked.error();
        agent::tool_context context(
            {{},
             job,
             base::system_clock(),
             settings,
             "the-key",
             &web,
             configuration,
             nullptr,
             &credentials}
        );
        auto const& work = std::get<agent::flow::tool_function>(checked->tool->work);
        return io.run(work(context, std::move(checked->arguments)));
    }
    base::result<agent::tool_output> get(std::string path = "/") {
        return call({{"url", server->origin() + path}});
    }
    std::string const& request(std::size_t n = 0) const { return server->requests().at(n); }

    static std::string answer(std::string status, std::string headers, std::string body) {
        return "HTTP/1.1 " + status + "\r\n" + headers +
               "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    }
    static std::string typed(std::string type, std::string body) {
        return answer("200 OK", "Content-Type: " + type + "\r\n", std::move(body));
    }
    void TearDown() override {
        web.close();
        client::TearDown();
    }

    queue::job job;
    json::object settings;
    agent::tool_configuration configuration;
    net::credentials credentials;
    net::guarded_client web{
        net::make_http_client(io.executor(), net::guarded_options()),
        net::make_http_client(io.executor(), net::trusting_options())};
};

} // namespace postrider::tests
