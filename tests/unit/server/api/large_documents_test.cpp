// Documents of up to 4 MiB are read on the database's threads: the loop has every chat to serve.
#include "server/api/endpoints.hpp"
#include "tests/support/failing_database.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api::large_documents_test {
namespace {

std::vector<endpoint> with_documents(resources const& with) {
    std::vector<endpoint> all;
    for (auto& endpoint : flow_endpoints(with)) all.push_back(std::move(endpoint));
    for (auto& endpoint : flow_version_endpoints(with)) all.push_back(std::move(endpoint));
    for (auto& endpoint : flow_tool_endpoints(with)) all.push_back(std::move(endpoint));
    std::erase_if(all, [](auto const& endpoint) { return endpoint.body_limit < document_limit; });
    return all;
}

// The database is away, so nothing that its threads would do is done: whoever had read the document
// would have found that it is no JSON.
TEST(large_documents, are_not_read_on_the_loop) {
    auto const types = agent::flow::builtin_types();
    resources const with{base::system_random(), {{&types, {}}}};
    auto const endpoints = with_documents(with);
    std::vector<std::string> names;
    tests::loop io;
    for (auto const& endpoint : endpoints) {
        auto const name = endpoint.method + " " + endpoint.pattern;
        names.push_back(name);
        tests::failing_database database{base::errc::unavailable};
        call asked{.request = {}, .by = {}, .db = database, .name = {}};
        asked.request.method = endpoint.method;
        asked.request.params = {{"name", "greeting"}};
        asked.request.headers = {{"If-Match", "\"1-1\""}};
        asked.request.body = "no JSON";

        auto const answer = io.run(endpoint.handle(std::move(asked)));

        EXPECT_EQ(answer.status, 503) << name << ": " << answer.body;
        EXPECT_EQ(database.waits.size(), 1u) << name;
    }

    EXPECT_THAT(
        names,
        testing::IsSupersetOf(
            {"POST /api/v1/flows",
             "PUT /api/v1/flows/{name}",
             "POST /api/v1/flows/import",
             "POST /api/v1/flows/validate"}
        )
    );
}

} // namespace
} // namespace postrider::api::large_documents_test
