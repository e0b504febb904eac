// Nodes of services become the requests of their APIs, where one says the same.
#include "agent/flow/n8n/import.hpp"
#include "agent/flow/n8n/service_request.hpp"
#include "agent/flow/validate/validate.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::n8n::service_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

imported_draft imported_nodes(std::string_view nodes, std::string_view connections = "{}") {
    static catalog const types = builtin_types();
    auto const text = R"({"nodes": [)" + std::string(nodes) + R"(], "connections": )" +
                      std::string(connections) + "}";
    return import_workflow(text, types).value();
}

json::object service_node(std::string_view type, std::string_view parameters) {
    auto const draft = imported_nodes(
        R"({"name": "A", "typeVersion": 2.1, "type": "n8n-nodes-base.)" + std::string(type) +
            R"(", "parameters": )" + std::string(parameters) +
            R"(}, {"name": "Start", "type": "x.manualTrigger"})",
        R"({"Start": {"main": [[{"node": "A", "type": "main"}]]}})"
    );
    return draft.document.at("nodes").at(0).as_object();
}

struct service_case {
    std::string_view type;
    std::string_view parameters;
    std::string_view request;
};

// What the services' own documents show.
constexpr service_case cases[]{
    {"airtable",
     R"({"operation": "search", "base": {"__rl": true, "mode": "list", "value": "app1"},
         "table": {"__rl": true, "mode": "id", "value": "={{ $json.table }}"}, "options": {},
         "filterByFormula": "={Email} = '{{ $json.mail }}'"})",
     R"({"url": "https://api.airtable.com/v0/app1/{{ string($json.?table).urlEncode() }}",
         "query": {"filterByFormula": "{Email} = '{{ $json.?mail }}'"}, "items": "$json.body.records",
         "pages": "cursor", "next": "$json.body.?offset", "page_parameter": "offset", "most_pages": 100,
         "credential": "airtable"})"},
    {"airtable",
     R"({"operation": "search", "base": "app1", "table": "My table", "returnAll": false, "limit": 5})",
     R"({"url": "https://api.airtable.com/v0/app1/{{ string(\"My table\").urlEncode() }}",
         "query": {"maxRecords": 5}, "items": "$json.body.records", "credential": "airtable"})"},
    {"airtable",
     R"({"operation": "update", "base": "app1", "table": "tbl1", "options": {"typecast": true},
         "columns": {"mappingMode": "defineBelow", "matchingColumns": ["id"], "schema": [{"id": "id"}],
                     "value": {"id": "={{ $json.id }}", "Name": "=Hi {{ $json.name }}", "Age": 3, "None": null}}})",
     R"({"url": "https://api.airtable.com/v0/app1/tbl1/{{ string($json.?id).urlEncode() }}", "method": "PATCH",
         "body": {"fields": {"Name": "Hi {{ $json.?name }}", "Age": 3}, "typecast": true},
         "credential": "airtable"})"},
    {"airtable",
     R"({"operation": "upsert", "base": "app1", "table": "tbl1", "options": {},
         "columns": {"mappingMode": "defineBelow", "matchingColumns": ["Name"], "value": {"Name": "x"}}})",
     R"({"url": "https://api.airtable.com/v0/app1/tbl1", "method": "PATCH", "items": "$json.body.records",
         "body": {"performUpsert": {"fieldsToMergeOn": ["Name"]}, "records": [{"fields": {"Name": "x"}}]},
         "credential": "airtable"})"},
    {"slack",
     R"({"select": "channel", "channelId": {"__rl": true, "mode": "list", "value": "C079"}, "otherOptions": {},
         "text": "=New: {{ $json.title }}", "authentication": "oAuth2"})",
     R"({"url": "https://slack.com/api/chat.postMessage", "method": "POST",
         "body": {"channel": "C079", "text": "New: {{ $json.?title }}"}, "credential": "slack"})"},
    {"github",
     R"({"owner": "ada", "repository": "engine", "title": "Bug", "body": "", "labels": [{"label": "bug"}],
         "assignees": []})",
     R"({"url": "https://api.github.com/repos/ada/engine/issues", "method": "POST",
         "headers": {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
         "body": {"title": "Bug", "labels": ["bug"]}, "credential": "github"})"},
    {"twilio",
     R"({"from": "+1", "to": "={{ $json.phone }}", "message": "Hi", "options": {}})",
     R"({"url": "https://api.twilio.com/2010-04-01/Accounts/{{ $vars.twilio_account_sid }}/Messages.json",
         "method": "POST", "body": {"From": "+1", "To": "{{ $json.?phone }}", "Body": "Hi"},
         "body_format": "form", "credential": "twilio"})"},
    {"hackerNews",
     R"({"resource": "all", "limit": 150, "additionalFields": {"tags": ["ask_hn", "poll"], "keyword": "x"}})",
     R"({"url": "https://hn.algolia.com/api/v1/search", "items": "$json.body.hits",
         "query": {"query": "x", "tags": "ask_hn,poll", "hitsPerPage": 150}})"},
    {"wordpress",
     R"({"title": "A", "additionalFields": {"status": "draft", "content": "={{ $json.text }}"}})",
     R"({"url": "{{ $vars.wordpress_url }}/wp-json/wp/v2/posts", "method": "POST",
         "body": {"title": "A", "content": "{{ $json.?text }}", "status": "draft"}, "credential": "wordpress"})"},
    {"jira",
     R"({"project": {"__rl": true, "mode": "list", "value": "10000"}, "issueType": {"__rl": true, "mode": "list",
         "value": "10001"}, "summary": "={{ $json.title }}", "additionalFields": {"labels": ["a", "b"]}})",
     R"({"url": "{{ $vars.jira_url }}/rest/api/2/issue", "method": "POST", "credential": "jira",
         "body": {"fields": {"project": {"id": "10000"}, "issuetype": {"id": "10001"},
                             "summary": "{{ $json.?title }}", "labels": ["a", "b"]}}})"},
    {"jira",
     R"({"operation": "update", "issueKey": "={{ $json.key }}",
         "updateFields": {"statusId": {"__rl": true, "mode": "list", "value": "31", "cachedResultName": "Done"}}})",
     R"({"url": "{{ $vars.jira_url }}/rest/api/2/issue/{{ string($json.?key).urlEncode() }}/transitions",
         "method": "POST", "body": {"transition": {"id": "31"}}, "credential": "jira"})"},
    {"jira",
     R"({"operation": "update", "issueKey": "AB-1", "updateFields": {"summary": "New"}})",
     R"({"url": "{{ $vars.jira_url }}/rest/api/2/issue/AB-1", "method": "PUT", "body": {"fields": {"summary": "New"}},
         "credential": "jira"})"},
    {"jira",
     R"({"operation": "getAll", "returnAll": true, "options": {"jql": "status = Open"}})",
     R"({"url": "{{ $vars.jira_url }}/rest/api/2/search/jql", "items": "$json.body.issues", "pages": "cursor",
         "query": {"jql": "status = Open", "fields": "*navigable", "maxResults": "100"}, "most_pages": 100,
         "next": "$json.body.?nextPageToken", "page_parameter": "nextPageToken", "credential": "jira"})"},
    {"jira",
     R"({"resource": "issueComment", "issueKey": "AB-1", "comment": "Closed.", "options": {}})",
     R"({"url": "{{ $vars.jira_url }}/rest/api/2/issue/AB-1/comment", "method": "POST", "body": {"body": "Closed."},
         "credential": "jira"})"},
    {"jira",
     R"({"resource": "issueComment", "operation": "getAll", "issueKey": "AB-1", "options": {}})",
     R"({"url": "{{ $vars.jira_url }}/rest/api/2/issue/AB-1/comment", "items": "$json.body.comments",
         "credential": "jira"})"},
    {"twitter",
     R"({"text": "={{ $json.tweet }}", "additionalFields": {"inReplyToStatusId": {"__rl": true, "mode": "id", "value": "7"}}})",
     R"({"url": "https://api.x.com/2/tweets", "method": "POST", "items": "$json.body.data", "credential": "x",
         "body": {"text": "{{ $json.?tweet }}", "reply": {"in_reply_to_tweet_id": "7"}}})"},
    {"gmail",
     R"({"operation": "markAsRead", "messageId": "={{ $json.id }}"})",
     R"({"url": "https://gmail.googleapis.com/gmail/v1/users/me/messages/{{ string($json.?id).urlEncode() }}/modify",
         "method": "POST", "body": {"removeLabelIds": ["UNREAD"]}, "credential": "gmail"})"},
};

TEST(n8n_service, becomes_the_request_of_its_api) {
    for (auto const& [type, parameters, request] : cases) {
        auto const node = service_node(type, parameters);
        EXPECT_EQ(node.at("type"), "http.request") << type;
        auto const shown = json::parse(json::serialize(node.at("parameters")));
        EXPECT_EQ(shown, json::parse(request)) << json::serialize(shown);
        EXPECT_FALSE(node.contains("disabled")) << type;
    }
}

TEST(n8n_service, stays_a_placeholder_where_one_request_does_not_say_the_same) {
    constexpr std::pair<std::string_view, std::string_view> others[]{
        {"airtable",
         R"({"operation": "search", "base": "a", "table": "t", "sort": {"property": [{"field": "x"}]}})"},
        {"airtable", R"({"operation": "search", "table": "t"})"},
        {"airtable",
         R"({"operation": "create", "base": "a", "table": "t", "columns": {"mappingMode": "autoMapInputData"}})"},
        {"airtable",
         R"({"operation": "get", "id": "1", "table": "t",
             "base": {"__rl": true, "mode": "url", "value": "https://airtable.com/app1"}})"},
        {"slack",
         R"({"select": "channel", "channelId": "C", "messageType": "block", "blocksUi": "={}"})"},
        {"twilio", R"({"from": "+1", "to": "+2", "message": "Hi", "toWhatsapp": true})"},
        {"gmail", R"({"sendTo": "a@example.org", "message": "Hi"})"},
        {"notion", R"({"resource": "page", "title": "x"})"},
        {"jira",
         R"({"operation": "update", "issueKey": "A", "updateFields": {"statusId": "1", "summary": "x"}})"},
        {"jira", R"({"operation": "getAll", "options": {}})"},
        {"twitter", R"({"operation": "search", "searchText": "n8n"})"},
        {"twitter", R"({"additionalFields": {}})"},
    };
    for (auto const& [type, parameters] : others) {
        auto const node = service_node(type, parameters);
        EXPECT_EQ(node.at("disabled"), true) << type << " " << parameters;
        EXPECT_EQ(node.at("type"), "set");
    }
}

TEST(n8n_service, has_its_fields_where_the_api_has_them) {
    auto const draft = imported_nodes(
        R"({"name": "Rows", "typeVersion": 2.1, "type": "x.airtable",
            "parameters": {"operation": "search", "base": "a", "table": "t"}},
           {"name": "Edit", "typeVersion": 3.4, "type": "x.set", "parameters": {"assignments": {"assignments": [
             {"name": "a", "value": "={{ $json.id }} {{ $json['First name'] }} {{ $json.createdTime }}"},
             {"name": "b", "value": "={{ $('Rows').item.json.Tags[0] }}"}]}}})",
        R"({"Rows": {"main": [[{"node": "Edit", "type": "main"}]]}})"
    );
    EXPECT_EQ(
        draft.document.at("nodes").at(1).at("parameters").at("fields"),
        json::parse(
            R"({"a": "{{ $json.?id }} {{ $json.?fields[\"First name\"] }} {{ $json.?createdTime }}",
                        "b": "{{ $node[\"Rows\"].json.?fields.Tags[0] }}"})"
        )
    );
}

TEST(n8n_service, says_which_credential_and_which_variable_it_needs) {
    auto const draft = imported_nodes(
        R"({"name": "A", "type": "x.wordpress", "parameters": {"operation": "get", "postId": "1"},
            "credentials": {"wordpressApi": {"id": "1", "name": "My blog"}}})"
    );
    EXPECT_EQ(draft.document.at("nodes").at(0).at("parameters").at("credential"), "my_blog");
    EXPECT_EQ(
        draft.document.at("settings").at("variables"), json::parse(R"({"wordpress_url": ""})")
    );
    EXPECT_EQ(draft.counts.vendor, 1u);
    EXPECT_EQ(draft.counts.vendor_mapped, 1u);
    std::vector<std::string> hints;
    for (auto const& problem : draft.problems) hints.push_back(problem.hint);
    EXPECT_THAT(hints, testing::Contains(HasSubstr("kind basic, with an application password")));
}

TEST(n8n_service, has_a_table_that_can_be_read) {
    for (auto const& resource : service_resources()) {
        EXPECT_TRUE(std::ranges::any_of(services(), [&](auto const& service) {
            return service.type == resource.type;
        })) << resource.type;
        EXPECT_TRUE(find_mapping(resource.type)) << resource.type;
        for (auto const& request : resource.requests) {
            for (auto const text :
                 {request.query, request.headers, request.requires_values, request.allows_values})
                EXPECT_TRUE(json::parse(text).is_object()) << text;
            EXPECT_TRUE(request.body.empty() || json::parse(request.body).is_object())
                << request.body;
        }
    }
}

} // namespace
} // namespace postrider::agent::flow::n8n::service_test
