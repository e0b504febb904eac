// What a node becomes depends on the nodes that it is connected with.
#include "agent/flow/n8n/import.hpp"
#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/validate/validate.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::flow::n8n::connected_test {
namespace {

namespace json = boost::json;

// Start → Fetch → Then, as n8n has them.
imported_draft chain_with(std::string_view request, std::string_view then) {
    static catalog const types = builtin_types();
    auto const text =
        R"({"nodes": [{"name": "Start", "type": "x.manualTrigger"},
            {"name": "Fetch", "typeVersion": 4.2, "type": "x.httpRequest", "parameters": )" +
        std::string(request) + R"(}, {"name": "Then", )" + std::string(then) + R"(}],
            "connections": {"Start": {"main": [[{"node": "Fetch", "type": "main"}]]},
                            "Fetch": {"main": [[{"node": "Then", "type": "main"}]]}}})";
    return import_workflow(text, types).value();
}

json::value parameters_of(imported_draft const& draft, std::size_t index) {
    return draft.document.at("nodes").at(index).at("parameters");
}

TEST(n8n_connected, a_request_before_html_is_read_as_text) {
    auto const draft = chain_with(
        R"({"url": "https://example.org"})",
        R"("type": "x.html", "parameters": {"operation": "extractHtmlContent", "extractionValues": {
            "values": [{"key": "a", "cssSelector": "p"}]}})"
    );
    EXPECT_EQ(
        parameters_of(draft, 1),
        json::parse(R"({"url": "https://example.org", "response": "text"})")
    );
    EXPECT_EQ(parameters_of(draft, 2).at("html"), "{{ $json.?body }}");
    auto const other = chain_with(R"({"url": "https://example.org"})", R"("type": "x.noOp")");
    EXPECT_EQ(parameters_of(other, 1), json::parse(R"({"url": "https://example.org"})"));
}

TEST(n8n_connected, a_request_has_no_body_and_no_headers_that_it_cannot_have) {
    auto const draft = chain_with(
        R"({"url": "https://example.org", "sendBody": true, "jsonBody": "{\"a\": 1}", "sendHeaders": true,
            "headerParameters": {"parameters": [{"name": "Accept-Encoding", "value": "gzip"},
                                                {"name": "Accept", "value": "text/html"}]}})",
        R"("type": "x.noOp")"
    );
    EXPECT_EQ(
        parameters_of(draft, 1),
        json::parse(R"({"url": "https://example.org", "headers": {"Accept": "text/html"}})")
    );
    ASSERT_EQ(draft.problems.size(), 1u);
    EXPECT_EQ(draft.problems[0].code, "n8n_parameter");
    EXPECT_EQ(
        draft.problems[0].message, "a GET has no body here, and it is left out (n8n: Send Body)"
    );
}

TEST(n8n_connected, a_node_that_nothing_leads_to_is_disabled) {
    static catalog const types = builtin_types();
    auto const draft =
        import_workflow(
            R"({"nodes": [{"name": "Start", "type": "x.manualTrigger"}, {"name": "Edit", "type": "x.set"},
                          {"name": "Alone", "type": "x.set"}],
                "connections": {"Start": {"main": [[{"node": "Edit", "type": "main"}]]}}})",
            types
        )
            .value();
    auto const& nodes = draft.document.at("nodes");
    EXPECT_FALSE(nodes.at(0).as_object().contains("disabled"));
    EXPECT_FALSE(nodes.at(1).as_object().contains("disabled"));
    EXPECT_EQ(nodes.at(2).at("disabled"), true);
    ASSERT_EQ(draft.problems.size(), 1u);
    EXPECT_EQ(draft.problems[0].code, "n8n_connection");
    EXPECT_EQ(draft.problems[0].node, "Alone");
}

} // namespace
} // namespace postrider::agent::flow::n8n::connected_test
