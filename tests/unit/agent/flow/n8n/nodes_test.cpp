// Nodes of n8n with their parameters become nodes of ours.
#include "tests/unit/agent/flow/n8n/imported.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::n8n::nodes_test {
namespace {

namespace json = boost::json;
using testing::IsEmpty;

struct mapped_case {
    std::string_view node; // type, version and parameters of the node behind a trigger
    std::string_view type; // here
    std::string_view parameters;
};

// covers: S3.19
constexpr mapped_case cases[]{
    // Markup that n8n inserts as it is, and formats.
    {R"("type": "x.telegram", "typeVersion": 1.2, "parameters": {"chatId": "7", "text": "=<b>{{ $json.a }}</b>",
        "additionalFields": {"parse_mode": "HTML"}})",
     "telegram.send",
     R"({"chat": 7, "bot": "main", "text": "<b>{{ html_raw($json.?a) }}</b>", "format": "html"})"},
    {R"("type": "x.telegram", "parameters": {"chatId": "={{ $json.id }}", "text": "*a*",
        "additionalFields": {"parse_mode": "Markdown"}})",
     "telegram.send",
     R"({"bot": "main", "chat": "{{ cel.bind(v, $json.?id, type(v) == \"string\" ? int(v) : v) }}", "text": "*a*",
         "format": "markdown"})"},
    {R"("type": "x.telegram", "parameters": {"operation": "sendAudio", "chatId": "7", "binaryData": true})",
     "telegram.send",
     R"({"chat": 7, "bot": "main", "text": " ", "file": "{{ $json.?file }}", "file_as": "document"})"},
    {R"("type": "x.respondToWebhook", "parameters": {"respondWith": "text", "responseBody": "={{ $json.a }}",
        "options": {"responseHeaders": {"entries": [{"name": "Content-Type", "value": "text/html"}]}}})",
     "http.respond",
     R"({"headers": {"Content-Type": "text/html"}, "body": "{{ html_raw($json.?a) }}"})"},
    {R"("type": "x.form", "parameters": {"operation": "completion", "completionTitle": "Ready",
        "completionMessage": "={{ $json.a }}"})",
     "http.respond",
     R"({"body": "Ready\n\n{{ $json.?a }}"})"},

    // JSON in texts.
    {R"("type": "x.set", "typeVersion": 3.4, "parameters": {"assignments": {"assignments": [
        {"name": "a", "type": "object", "value": "={{ $json.text }}"}]}})",
     "set",
     R"({"fields": {"a": "{{ cel.bind(v, $json.?text, type(v) == \"string\" ? fromJson(v) : v) }}"},
         "keep_others": false})"},
    {R"("type": "x.set", "typeVersion": 3.4, "parameters": {"assignments": {"assignments": [
        {"name": "a", "type": "number", "value": "={{ $json.n }}"}, {"name": "b", "type": "number", "value": "2"}]}})",
     "set",
     R"({"fields": {"a": "{{ cel.bind(v, $json.?n, type(v) == \"string\" ? double(v) : v) }}", "b": 2},
         "keep_others": false})"},
    {R"("type": "x.set", "typeVersion": 3.2, "parameters": {"include": "selected", "includeFields": "a, b c",
        "fields": {"values": [{"name": "a", "stringValue": "1"}]}})",
     "set",
     R"({"fields": {"a": "1", "b c": "{{ $json[?\"b c\"] }}"}, "keep_others": false})"},
    {R"("type": "x.httpRequest", "typeVersion": 4.2, "parameters": {"method": "POST", "url": " https://a.example/b\n",
        "sendBody": true, "specifyBody": "json",
        "jsonBody": "={{ JSON.stringify({ a: $json.b, c: ')\\'' }) }}"})",
     "http.request",
     R"({"method": "POST", "url": "https://a.example/b", "body": "{{ {\"a\": $json.?b, \"c\": \")'\"} }}"})"},
    {R"("type": "x.httpRequest", "typeVersion": 4.2, "parameters": {"method": "POST", "url": "https://a.example",
        "sendBody": true, "contentType": "raw", "rawContentType": "application/json", "body": "={{ $json.b }}"})",
     "http.request",
     R"({"method": "POST", "url": "https://a.example", "body_format": "text", "body": "{{ $json.?b }}",
         "headers": {"Content-Type": "application/json"}})"},
    {R"("type": "x.httpRequest", "typeVersion": 4.2, "parameters": {"method": "POST", "url": "https://a.example",
        "sendBody": true, "contentType": "multipart-form-data", "bodyParameters": {"parameters": [
        {"name": "a", "value": "1"}, {"name": "files", "parameterType": "formBinaryData"}]}})",
     "http.request",
     R"({"method": "POST", "url": "https://a.example", "body_format": "multipart",
         "body": {"a": "1", "files": "{{ $json.?file }}"}})"},
    {R"("type": "x.httpRequest", "typeVersion": 4.2, "parameters": {"url": "https://a.example",
        "options": {"response": {"response": {"responseFormat": "file"}}}})",
     "http.request",
     R"({"url": "https://a.example", "response": "file"})"},

    // Further pages of a request.
    {R"("type": "x.httpRequest", "typeVersion": 4.2, "parameters": {"url": "https://a.example",
        "options": {"pagination": {"pagination": {"paginationMode": "responseContainsNextURL",
        "nextURL": "={{ $response.body.links.next }}"}}}})",
     "http.request",
     R"({"url": "https://a.example", "pages": "link", "next": "$json.?body.links.next", "most_pages": 100})"},
    {R"("type": "x.httpRequest", "typeVersion": 4.2, "parameters": {"url": "https://a.example",
        "options": {"pagination": {"pagination": {"parameters": {"parameters": [
        {"name": "page", "value": "={{ $pageCount + 1 }}"}]}, "limitPagesFetched": true, "maxRequests": 5}}}})",
     "http.request",
     R"({"url": "https://a.example", "pages": "number", "first_page": 1, "page_parameter": "page", "most_pages": 5})"},
    {R"("type": "x.httpRequest", "typeVersion": 4.2, "parameters": {"url": "https://a.example",
        "options": {"pagination": {"pagination": {"parameters": {"parameters": [
        {"name": "offset", "value": "={{ $pageCount * 50 }}"}]}}}}})",
     "http.request",
     R"({"url": "https://a.example", "pages": "number", "first_page": 0, "page_step": 50,
         "page_parameter": "offset", "most_pages": 100})"},
    {R"("type": "x.httpRequest", "typeVersion": 4.2, "parameters": {"url": "https://a.example",
        "options": {"pagination": {"pagination": {"parameters": {"parameters": [
        {"name": "cursor", "value": "={{ $response.body.next }}"}]}, "paginationCompleteWhen": "other",
        "completeExpression": "={{ !$response.body.next }}"}}}})",
     "http.request",
     R"({"url": "https://a.example", "pages": "cursor", "next": "$json.?body.next", "page_parameter": "cursor",
         "most_pages": 100})"},
    // It changes the body from page to page, which no way here does.
    {R"("type": "x.httpRequest", "typeVersion": 4.2, "parameters": {"url": "https://a.example",
        "options": {"pagination": {"pagination": {"parameters": {"parameters": [
        {"name": "offset", "type": "body", "value": "={{ $response.body.offset }}"}]}}}}})",
     "http.request",
     R"({"url": "https://a.example"})"},
    {R"("type": "x.graphql", "typeVersion": 1, "parameters": {"endpoint": "https://a.example/graphql",
        "requestFormat": "json", "query": "query ($id: ID!) { order(id: $id) { total } }",
        "variables": "={\"id\": {{ $json.id }}}",
        "headerParametersUi": {"parameter": [{"name": "X-Site", "value": "de"}]}})",
     "http.request",
     R"({"url": "https://a.example/graphql", "method": "POST", "headers": {"X-Site": "de"},
         "body": {"query": "query ($id: ID!) { order(id: $id) { total } }", "variables": {"id": "{{ $json.?id }}"}}})"},

    // Documents, and items as a whole.
    {R"("type": "x.xml", "parameters": {"dataPropertyName": "page"})",
     "xml.read",
     R"({"text": "{{ $json.?page }}", "field": "xml"})"},
    {R"("type": "x.xml", "parameters": {"mode": "jsonToxml", "options": {"rootName": "order"}})",
     "xml.write",
     R"({"document": {"order": "{{ $json }}"}, "field": "data"})"},
    {R"("type": "x.renameKeys", "parameters": {"keys": {"key": [{"currentKey": "a b", "newKey": "c"}]}})",
     "set",
     R"({"fields": "{{ $json.omit([\"a b\"]).merge(cel.bind(v, $json[?\"a b\"], v == null ? {} : {\"c\": v})) }}",
         "keep_others": false})"},
    {R"("type": "x.summarize", "parameters": {"fieldsToSummarize": {"values": [
        {"aggregation": "concatenate", "field": "text", "separateBy": "\n"}, {"aggregation": "sum", "field": "n"},
        {"field": "text"}]}})",
     "items.aggregate",
     R"({"totals": {
         "concatenated_text": "{{ $input.map(i, i.?text).filter(v, v != null && v != \"\").map(v, string(v)).join(\"\\n\") }}",
         "sum_n": "{{ sum($input.map(i, i.?n).filter(v, v != null && v != \"\").filter(v, type(v) == \"number\")) }}",
         "count_text": "{{ $input.map(i, i.?text).filter(v, v != null && v != \"\").size() }}"}})"},

    // OpenAI's other services are requests.
    {R"("type": "x.openAi", "typeVersion": 1.3, "parameters": {"resource": "image", "prompt": "=A {{ $json.a }}"})",
     "http.request",
     R"({"url": "https://api.openai.com/v1/images/generations", "method": "POST", "body": {"model": "dall-e-3",
         "prompt": "A {{ $json.?a }}", "response_format": "url"}, "credential": "openai", "timeout": "5min",
         "items": "$json.body.data"})"},
    {R"("type": "x.openAi", "typeVersion": 1.3, "parameters": {"resource": "audio", "input": "Hi", "options": {}})",
     "http.request",
     R"({"url": "https://api.openai.com/v1/audio/speech", "method": "POST", "body": {"model": "tts-1", "input": "Hi",
         "voice": "alloy"}, "credential": "openai", "timeout": "5min", "response": "file"})"},
    {R"("type": "x.openAi", "typeVersion": 1.3, "parameters": {"resource": "audio", "operation": "transcribe"})",
     "http.request",
     R"({"url": "https://api.openai.com/v1/audio/transcriptions", "method": "POST", "body": {"model": "whisper-1",
         "file": "{{ $json.?file }}"}, "credential": "openai", "timeout": "5min", "body_format": "multipart"})"},

    // Others.
    {R"("type": "x.merge", "typeVersion": 3, "parameters": {"mode": "combine", "combineBy": "combineAll"})",
     "items.merge",
     R"({"mode": "by_key", "key": "{{ true }}"})"},
    {R"("type": "x.wait", "typeVersion": 1.1, "parameters": {"resume": "webhook"})",
     "wait",
     R"({"resume": "link", "timeout": "30d"})"},
    {R"("type": "x.executeWorkflow", "parameters": {"workflowId": {"value": "={{ $workflow.id }}"}})",
     "call_flow",
     R"({"flow": "sample"})"},
    {R"("type": "x.if", "typeVersion": 2.2, "parameters": {"conditions": {"options": {"caseSensitive": false},
        "conditions": [{"leftValue": "={{ $json.a }}", "rightValue": "B",
                        "operator": {"type": "string", "operation": "equals"}}]}})",
     "if",
     R"({"condition": "{{ $json.?a.orValue(\"\").lower() == \"B\".lower() }}"})"},
    {R"("type": "x.if", "typeVersion": 2.2, "parameters": {"conditions": {"conditions": [
        {"leftValue": "={{ $json.a }}", "rightValue": 2, "operator": {"type": "array", "operation": "lengthGt"}}]}})",
     "if",
     R"({"condition": "{{ $json.?a.size() > 2 }}"})"},
    {R"("type": "x.convertToFile", "parameters": {"operation": "toText", "sourceProperty": "a",
        "options": {"fileName": "={{ $json.n }}.txt"}})",
     "set",
     R"({"fields": {"file": "{{ {\"filename\": string($json.?n) + \".txt\", \"type\": \"text/plain\", \"base64\": base64.encode(string($json.?a))} }}"},
         "keep_others": false})"},
    {R"("type": "x.chainRetrievalQa", "parameters": {})",
     "agent",
     R"({"prompt": "{{ $json.?input }}",
         "system_prompt": "Answer the question by what your tools find. If they find no answer, say so."})"},
};

TEST(n8n_nodes, have_the_parameters_that_do_the_same) {
    for (auto const& [node, type, parameters] : cases) {
        auto const draft = imported_workflow(
            R"({"name": "Start", "type": "x.manualTrigger"}, {"name": "A", )" + std::string(node) +
                "}",
            linked("Start A, Start A:1")
        );
        auto const here = node_named(draft, "A");
        EXPECT_EQ(here.at("type").as_string(), json::string_view(type.data(), type.size())) << node;
        EXPECT_EQ(here.at("parameters"), json::parse(parameters)) << node;
        EXPECT_THAT(errors_of(draft), IsEmpty()) << node;
    }
}

// covers: S3.19
TEST(n8n_nodes, that_search_vectors_name_what_does_it_here) {
    auto const draft = imported_workflow(
        R"({"name": "T", "type": "x.chatTrigger"}, {"name": "Agent", "type": "x.agent"},
           {"name": "Store", "type": "x.vectorStoreQdrant", "parameters": {"mode": "retrieve-as-tool"}},
           {"name": "Put", "type": "x.vectorStorePinecone", "parameters": {"mode": "insert"}})",
        R"({"T": {"main": [[{"node": "Agent", "type": "main"}, {"node": "Put", "type": "main"}]]},
            "Store": {"ai_tool": [[{"node": "Agent", "type": "ai_tool"}]]}})"
    );
    auto const words = [&](std::string_view name) {
        auto const node = node_named(draft, name);
        EXPECT_EQ(node.at("disabled"), true) << name;
        return std::string(node.at("notes").as_string());
    };
    EXPECT_THAT(words("Store"), testing::HasSubstr("a node of the type knowledge searches"));
    EXPECT_THAT(words("Put"), testing::HasSubstr("postrider knowledge add"));
}

TEST(n8n_nodes, an_xml_document_is_a_field_here) {
    auto const draft = imported_workflow(
        R"({"name": "T", "type": "x.manualTrigger"}, {"name": "X", "type": "x.xml", "parameters": {}},
           {"name": "A", "type": "x.set", "typeVersion": 3.4, "parameters": {"assignments": {"assignments": [
            {"name": "a", "value": "={{ $json.rss.channel.title }}"}]}}})",
        linked("T X, X A")
    );
    EXPECT_EQ(
        node_named(draft, "A").at("parameters").at("fields").at("a"),
        "{{ $json.?xml.rss.channel.title }}"
    );
    EXPECT_THAT(errors_of(draft), IsEmpty());
}

json::value set_to(std::string_view trigger, std::string_view expression) {
    auto const draft = imported_workflow(
        R"({"name": "T", )" + std::string(trigger) +
            R"(}, {"name": "A", "type": "x.set", "typeVersion": 3.4, "parameters": {"assignments": {"assignments": [
                {"name": "a", "value": "={{ )" +
            std::string(expression) + R"( }}"}]}}})",
        linked("T A")
    );
    EXPECT_THAT(errors_of(draft), IsEmpty()) << expression;
    return node_named(draft, "A").at("parameters").at("fields").at("a");
}

// covers: S3.19
TEST(n8n_nodes, a_message_of_telegram_has_one_file_and_no_names) {
    constexpr std::string_view trigger =
        R"("type": "x.telegramTrigger", "parameters": {"updates": ["*"]})";
    EXPECT_EQ(set_to(trigger, "$json.message.voice.file_id"), "{{ $json.?file.id }}");
    EXPECT_EQ(set_to(trigger, "$json.message.document.mime_type"), "{{ $json.?file.mime }}");
    EXPECT_EQ(set_to(trigger, "$json.message.photo[0].file_id"), "{{ $json.?images[0].file }}");
    EXPECT_EQ(
        set_to(trigger, "$json.message.photo.last().file_id"), "{{ $json.?images.last().?file }}"
    );
    EXPECT_EQ(
        set_to(trigger, "$json.message.voice"),
        R"({{ $json.?file.mime.orValue("").startsWith("audio/") ? $json.?file : null }})"
    );
    EXPECT_EQ(set_to(trigger, "$json.message.from.first_name"), "{{ null }}");
    EXPECT_EQ(set_to(trigger, "$json.callback_query.data"), "{{ null }}");
    EXPECT_EQ(set_to(trigger, "$json.message.text"), "{{ $json.?text }}");
    EXPECT_EQ(set_to(trigger, "$binary.data.mimeType"), "{{ $json.?file.mime }}");
    EXPECT_EQ(
        set_to(trigger, "$('T').item.binary.data.fileName"), R"({{ $node["T"].json.?file.name }})"
    );
}

TEST(n8n_nodes, a_file_that_telegram_has_is_that_of_the_message) {
    auto const draft = imported_workflow(
        R"({"name": "T", "type": "x.telegramTrigger", "parameters": {"updates": ["message"]}},
           {"name": "Keep", "type": "x.set", "typeVersion": 3.4, "parameters": {}},
           {"name": "Get", "type": "x.telegram", "parameters": {"resource": "file",
            "fileId": "={{ $('T').item.json.message.voice.file_id }}"}})",
        linked("T Keep, Keep Get")
    );
    EXPECT_EQ(
        node_named(draft, "Get").at("parameters"),
        json::parse(R"({"fields": {"file": "{{ $node[\"T\"].json.?file }}"}, "keep_others": true})")
    );
    EXPECT_EQ(node_named(draft, "T").at("parameters"), json::parse(R"({"files": true})"));
    EXPECT_THAT(errors_of(draft), IsEmpty());
}

// covers: S3.19
TEST(n8n_nodes, a_form_has_its_fields_by_short_names_also_in_expressions) {
    constexpr std::string_view trigger =
        R"("type": "x.formTrigger", "parameters": {"formTitle": "Ask", "formFields":
        {"values": [{"fieldLabel": "Your name?", "requiredField": true}, {"fieldLabel": "Your name!"},
                    {"fieldLabel": "Photo", "fieldType": "file"}]}})";
    EXPECT_EQ(set_to(trigger, "$json['Your name?']"), "{{ $json.?your_name }}");
    EXPECT_EQ(
        set_to(trigger, "$('T').item.json['Your name!']"), R"({{ $node["T"].json.?your_name_2 }})"
    );
    EXPECT_EQ(set_to(trigger, "$json.Photo"), "{{ null }}");
    EXPECT_EQ(set_to(trigger, "$json.submittedAt"), "{{ $json.?submittedAt }}");
}

// covers: S3.19
TEST(n8n_nodes, a_webhook_that_answers_with_the_last_node_has_a_node_for_it) {
    auto const draft = imported_workflow(
        R"({"name": "Hook", "type": "x.webhook", "parameters": {"path": "a b/:id", "httpMethod": "POST",
            "responseMode": "lastNode"}},
           {"name": "Any?", "type": "x.if", "typeVersion": 2, "parameters": {}},
           {"name": "Edit", "type": "x.set", "typeVersion": 3.4, "parameters": {}})",
        linked("Hook Any?, Any? Edit")
    );
    EXPECT_EQ(
        node_named(draft, "Hook").at("parameters"),
        json::parse(
            R"({"path": "a-b/-id", "method": "POST", "authentication": "none", "respond": "by_node"})"
        )
    );
    auto const answer = node_named(draft, "Answer");
    EXPECT_EQ(answer.at("type"), "http.respond");
    EXPECT_EQ(answer.at("parameters"), json::parse(R"({"body": "{{ $json }}"})"));
    EXPECT_EQ(
        draft.document.at("connections"),
        json::parse(
            R"([{"from": "hook", "to": "any"}, {"from": "any", "to": "edit", "output": "true"},
                        {"from": "edit", "to": "answer"}])"
        )
    );
    EXPECT_THAT(errors_of(draft), IsEmpty());
}

TEST(n8n_nodes, an_early_parser_gives_a_chain_the_members_of_its_answer) {
    for (auto [version, place] :
         {std::pair{"1", "{{ $json.?output.name }}"}, {"1.2", "{{ $json.?name }}"}}) {
        auto const draft = imported_workflow(
            R"({"name": "T", "type": "x.manualTrigger"}, {"name": "Chain", "type": "x.chainLlm", "typeVersion": 1.3},
               {"name": "Parser", "type": "x.outputParserStructured", "typeVersion": )" +
                std::string(version) + R"(, "parameters": {"jsonSchema": "{\"type\": \"object\"}"}},
               {"name": "A", "type": "x.set", "typeVersion": 3.4, "parameters": {"assignments": {"assignments": [
                {"name": "a", "value": "={{ $json.name }}"}]}}})",
            R"({"T": {"main": [[{"node": "Chain", "type": "main"}]]},
                "Chain": {"main": [[{"node": "A", "type": "main"}]]},
                "Parser": {"ai_outputParser": [[{"node": "Chain", "type": "ai_outputParser"}]]}})"
        );
        EXPECT_EQ(node_named(draft, "A").at("parameters").at("fields").at("a"), place) << version;
    }
}

TEST(n8n_nodes, a_waiting_node_has_the_address_of_the_execution) {
    auto const draft = imported_workflow(
        R"({"name": "T", "type": "x.manualTrigger"},
           {"name": "Tell", "type": "x.set", "typeVersion": 3.4, "parameters": {"assignments": {"assignments": [
            {"name": "a", "value": "={{ $execution.resumeUrl }}"}]}}},
           {"name": "Wait for it", "type": "x.wait", "typeVersion": 1.1, "parameters": {"resume": "webhook"}},
           {"name": "Read", "type": "x.set", "typeVersion": 3.4, "parameters": {"assignments": {"assignments": [
            {"name": "a", "value": "={{ $json.body.ok }}"}]}}})",
        linked("T Tell")
    );
    EXPECT_EQ(
        node_named(draft, "Tell").at("parameters").at("fields").at("a"),
        R"({{ $execution.resume[?"Wait for it"] }})"
    );
}

} // namespace
} // namespace postrider::agent::flow::n8n::nodes_test
