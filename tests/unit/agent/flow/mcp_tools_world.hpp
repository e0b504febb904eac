#pragma once
// An agent with tool.mcp, whose servers are real child processes that behave as their names say.
#include "agent/flow/parts/mcp_tool.hpp"
#include "agent/mcp/stdio_transport.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/paths.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace postrider::tests {

inline std::string asking_with_servers(std::string_view parameters) {
    return flow_builder("asking")
        .trigger("In", "manual")
        .agent("Ask")
        .part("Servers", "tool.mcp", boost::json::parse(parameters).as_object())
        .text();
}

inline std::vector<std::string> tools_in(agent::chat_request const& request) {
    std::vector<std::string> names;
    for (auto const& tool : request.tools) names.push_back(tool.name);
    return names;
}

class mcp_tools_world : public testing::Test {
protected:
    mcp_tools_world() { std::signal(SIGPIPE, SIG_IGN); }
    ~mcp_tools_world() override { end_servers(); }

    // Each NAME is a fixture that behaves so.
    void begin(std::string_view parameters, std::vector<std::string> modes) {
        begin_with(asking_with_servers(parameters), std::move(modes));
    }
    void begin_with(std::string flow, std::vector<std::string> modes) {
        end_servers();
        document = std::move(flow);
        w.emplace(document);
        configure(std::move(modes));
    }
    // While the loop that they run on is there.
    void end_servers() {
        if (servers) w->io.run(servers->close());
        servers.reset();
    }
    // As the next process finds the configuration.
    void configure(std::vector<std::string> modes) {
        end_servers();
        agent::mcp::servers::clients clients;
        for (auto const& mode : modes) clients.emplace(mode, client_of(mode));
        servers.emplace(w->clock, std::move(clients), patience);
        w->servers = &*servers;
        w->graph = compiled(document);
    }
    std::unique_ptr<agent::mcp::client> client_of(std::string const& mode) {
        agent::mcp::client_options options;
        options.handshake.identity = {"postrider", "1"};
        auto factory = [this, mode] {
            ++starts;
            w->clock.advance(start_takes);
            agent::mcp::stdio_options pipes;
            pipes.command.program = mode == "missing" ? "/nowhere" : built("mcp_server");
            pipes.command.arguments = {mode, meeting};
            return make_stdio_transport(w->io.executor(), std::move(pipes));
        };
        return std::make_unique<agent::mcp::client>(w->io.executor(), std::move(factory), options);
    }

    std::vector<std::string> noted() const {
        std::vector<std::string> rows;
        for (auto const& write : w->record.writes)
            if (write.statement->name == "note_mcp_tools") rows.push_back(write.row);
        return rows;
    }

    // The one that holds what the servers told.
    std::string mcp_step() const {
        for (auto const& [name, value] : w->record.steps)
            if (name.find("part:") != name.npos) return name;
        return {};
    }

    // What the model is sent of it.
    agent::chat_message result_of_a_look() {
        w->model.script = {calls({{"pictures_echo", {{"a", 1}}}}), says("A cat.")};
        w->run(question);
        return w->model.requests.at(1).messages.back();
    }

    boost::json::value const question = boost::json::object{{"text", "What is in a?"}};
    std::string document;
    std::optional<flow_world> w;
    std::optional<agent::mcp::servers> servers;
    std::string meeting;
    base::duration patience = std::chrono::seconds{10};
    base::duration start_takes{}; // of a server, by the clock of the flow
    int starts = 0;
};

} // namespace postrider::tests
