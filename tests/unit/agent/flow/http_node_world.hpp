#pragma once
// A flow with nodes that call servers, and a scripted server for them.
#include "net/guarded_client.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/configured_tool.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"
#include "tests/unit/net/client_fixture.hpp"

#include <boost/json/serialize.hpp>

namespace postrider::tests {

struct http_node_world {
    http_node_world(std::string_view document, std::vector<scripted_server::answers> scripts)
        : w(document),
          server(w.io.executor(), std::move(scripts)),
          web(net::make_http_client(w.io.executor(), net::guarded_options()),
              net::make_http_client(w.io.executor(), net::trusting_options())) {
        net::credential key;
        key.value = base::secret("hunter2-and-more");
        key.hosts = {"127.0.0.1"};
        credentials.emplace("shop", std::move(key));
        w.tools["http_request"] = configured("http_request", {{"allowed_hosts", "127.0.0.1"}});
        w.adjust = [this](agent::flow::node_services& services) {
            services.web = &web;
            services.credentials = &credentials;
        };
    }
    ~http_node_world() {
        web.close();
        w.io.run(server.finish());
    }

    // Runs the flow; its parameters find the server in $json.server.
    queue::outcome run(boost::json::object data = {}) {
        data["server"] = server.origin();
        return w.run(std::move(data));
    }
    // The items that it ended with, or how it failed.
    std::string result(boost::json::object data = {}) {
        auto const outcome = run(std::move(data));
        if (outcome.state != queue::job_state::completed) return to_string(outcome.error);
        return flow_world::ended(outcome);
    }
    std::string const& request(std::size_t n = 0) const { return server.requests().at(n); }

    static std::string answer(std::string status, std::string headers, std::string body) {
        return "HTTP/1.1 " + status + "\r\n" + headers +
               "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    }
    static std::string of_json(std::string body) {
        return answer("200 OK", "Content-Type: application/json\r\n", std::move(body));
    }

    flow_world w;
    scripted_server server;
    net::guarded_client web;
    net::credentials credentials;
};

} // namespace postrider::tests
