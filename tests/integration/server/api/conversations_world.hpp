#pragma once
// The chat API with a real engine behind it, for two people who have a token each.
#include "server/api/endpoints.hpp"
#include "server/api/rest.hpp"
#include "tests/integration/server/flow_server.hpp"

#include <boost/json/value.hpp>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace postrider::tests {

class conversations : public testing::Test {
protected:
    conversations();

    boost::json::value ask(
        int status,
        std::string method,
        std::string path,
        std::string body,
        std::string who = "alice"
    );
    // The path of a new conversation's messages.
    std::string begin(std::string agent = {});
    std::string reply_to(std::string const& where, std::string text);
    // What stands in the conversation.
    boost::json::array messages(std::string const& where);

    test_database database;
    flow_server server{database};
    std::map<std::string, boost::json::object, std::less<>> const agents{{"assistant", {}}};
    api::reply_waiters waiting{*server.postgres.db};
    api::token_mint const mint{base::secret("key")};
    std::map<std::string, std::string, std::less<>> tokens{{"owner", "owner"}}; // by person
    api::rest rest{
        server.postgres,
        *server.postgres.reads,
        {base::secret("owner"), mint},
        base::system_clock(),
        resources()};

private:
    api::resources resources();
};

} // namespace postrider::tests
