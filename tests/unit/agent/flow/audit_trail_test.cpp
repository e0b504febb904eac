// What an execution tells the audit.
#include "agent/flow/run/audit_trail.hpp"
#include "base/json/json.hpp"
#include "net/digest.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::audit_trail_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

auto const asking = flow_builder("asking").trigger("In", "manual").agent("Ask").text();

std::vector<std::string> audited(fake_record const& record) {
    std::vector<std::string> rows;
    for (auto const& write : record.writes)
        if (write.statement->name.starts_with("record_audit")) rows.push_back(write.row);
    return rows;
}

// covers: S1.04
TEST(audit_trail, tells_of_a_model_call_by_hash_and_sizes) {
    flow_world w(asking);
    w.model.script = {says("Hello Ann")};
    w.run(json::object{{"text", "I am Ann"}});

    auto const rows = audited(w.record);

    ASSERT_THAT(rows, SizeIs(1));
    EXPECT_THAT(rows[0], Not(HasSubstr("Ann")));
    auto const row = base::parse_json(rows[0]).value();
    EXPECT_EQ(row.at("kind").as_string(), "model_call");
    EXPECT_EQ(row.at("actor").as_string(), "flow:asking");
    EXPECT_EQ(row.at("subject").as_string(), "ask/model");
    EXPECT_EQ(row.at("detail").at("outcome").as_string(), "answered");
    ASSERT_THAT(w.model.requests, SizeIs(1));
    auto const asked = flow::question_text(w.model.name(), w.model.requests[0]);
    EXPECT_EQ(
        std::string_view(row.at("sha256").as_string()), std::string_view(net::sha256_hex(asked))
    );
}

TEST(audit_trail, has_another_hash_for_every_other_question) {
    agent::chat_request request;
    request.system = "Be brief.";
    request.messages = {{.content = "a"}, {.content = "b"}};
    auto const text = flow::question_text("m", request);
    auto joined = request;
    joined.messages = {{.content = "ab"}};
    auto silent = request;
    silent.messages[1].role = agent::role::assistant;

    EXPECT_EQ(flow::question_text("m", request), text);
    EXPECT_NE(flow::question_text("n", request), text);
    EXPECT_NE(flow::question_text("m", joined), text);
    EXPECT_NE(flow::question_text("m", silent), text);
}

} // namespace
} // namespace postrider::tests::audit_trail_test
