// Files by reference: from a message into a request, and from an answer into a chat.
#include "agent/flow/nodes/http_file.hpp"
#include "base/texts.hpp"
#include "net/base64.hpp"
#include "tests/unit/agent/flow/flows_chapter.hpp"
#include "tests/unit/agent/flow/http_node_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::item_files_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

flow::execution_input brought(agent::message_file file) {
    flow::execution_input input;
    input.heard = flow::heard_message{{bot_id{1}, chat_id{5}}, user_id{7}, telegram_message_id{50}};
    input.heard->file = std::move(file);
    return input;
}

agent::message_file bill() {
    return {.source = "doc-1", .name = "bill.pdf", .mime = "application/pdf", .bytes = 9};
}

std::string const picture("\0\xffpng", 5);

std::string page_answer() {
    return http_node_world::answer(
        "200 OK",
        "Content-Type: image/png\r\nContent-Disposition: attachment; filename=\"a/page.png\"\r\n",
        picture
    );
}

// A server's answers, and the files that executions keep.
struct files_world : http_node_world {
    files_world(std::string document, std::vector<scripted_server::answers> scripts)
        : http_node_world(document, std::move(scripts)) {
        w.chat.files["doc-1"] = "pdf bytes";
        base::replace_all(document, "https://scan.example", server.origin());
        w.graph = compiled(document);
        w.table.others = [this](storage::write const& question) { return read(question); };
    }

    std::string ended(flow::execution_input input) {
        auto const outcome = w.run(std::move(input));
        if (outcome.state != queue::job_state::completed) return to_string(outcome.error);
        return w.chat.sent.empty() ? "completed" : "sent"; // what answers a message tells no items
    }
    std::vector<json::object> stored() const {
        std::vector<json::object> rows;
        for (auto const& write : w.record.writes)
            if (write.statement->name == "put_flow_file")
                rows.push_back(base::parse_json(write.row).value().as_object());
        return rows;
    }

    bool has_expired = false;

private:
    std::optional<storage::rows> read(storage::write const& question) const {
        if (question.statement->name != "read_flow_file") return std::nullopt;
        auto const asked = base::parse_json(question.row).value();
        storage::rows answer;
        for (auto const& row : stored()) {
            bool const is_it =
                row.at("file_id") == asked.at("file_id") && row.at("job_id") == asked.at("job_id");
            auto const text = [&row](char const* name) {
                return std::string(row.at(name).as_string());
            };
            if (is_it && !has_expired)
                answer.emplace_back(storage::row{{"0", text("name"), text("mime"), text("content")}}
                );
        }
        return answer;
    }
};

// covers: X.23
TEST(item_files, run_the_example_of_the_document) {
    files_world w(chapter_example("Files"), {{page_answer()}});

    EXPECT_THAT(w.ended(brought(bill())), HasSubstr("sent"));

    EXPECT_THAT(
        w.request(),
        HasSubstr("name=\"page\"; filename=\"bill.pdf\"\r\nContent-Type: "
                  "application/pdf\r\n\r\npdf bytes\r\n")
    );
    EXPECT_THAT(w.request(), HasSubstr("name=\"language\"\r\n\r\nen\r\n"));
    ASSERT_THAT(w.w.chat.sent, SizeIs(1));
    auto const& media = w.w.chat.sent[0].content.media;
    ASSERT_TRUE(media && media->upload);
    EXPECT_EQ(media->kind, agent::media_kind::photo);
    EXPECT_EQ(media->upload->name, "page.png");
    EXPECT_THAT(w.w.chat.uploaded, ElementsAre(picture));
    ASSERT_THAT(w.stored(), SizeIs(1));
    EXPECT_EQ(w.stored()[0].at("user_id"), 7);
    for (auto const& [name, step] : w.w.record.steps)
        EXPECT_THAT(json::serialize(*step), Not(HasSubstr(net::to_base64(picture)))) << name;
}

// The file is kept once, and the request sent once.
// covers: E.08
TEST(item_files, are_kept_in_the_commit_of_their_step) {
    files_world w(chapter_example("Files"), {{page_answer()}});
    w.ended(brought(bill()));
    auto const output = w.ended(brought(bill()));

    EXPECT_THAT(output, HasSubstr("sent"));
    EXPECT_THAT(w.server.requests(), SizeIs(1));
    EXPECT_THAT(w.stored(), SizeIs(1));
    EXPECT_EQ(w.w.chat.loaded, 1);
}

std::string sending_back() {
    return flow_builder("back")
        .trigger("In", "telegram.message", {{"files", true}})
        .node("Back", "telegram.send", {{"text", "Yours"}, {"file", "{{ $json.file }}"}})
        .text();
}

TEST(item_files, of_a_message_go_back_to_their_bot_without_a_load) {
    files_world w(sending_back(), {});
    w.ended(brought(bill()));

    ASSERT_THAT(w.w.chat.sent, SizeIs(1));
    auto const& media = w.w.chat.sent[0].content.media;
    ASSERT_TRUE(media);
    EXPECT_EQ(media->kind, agent::media_kind::document);
    EXPECT_EQ(media->source, "doc-1");
    EXPECT_FALSE(media->upload);
    EXPECT_EQ(w.w.chat.loaded, 0);
}

TEST(item_files, that_have_expired_are_sent_nowhere) {
    files_world w(chapter_example("Files"), {{page_answer()}});
    w.has_expired = true;
    w.ended(brought(bill()));

    EXPECT_THAT(w.w.chat.uploaded, IsEmpty());
    EXPECT_EQ(w.w.chat.sent.size(), 0u);
}

std::string posting(json::value file, json::object more = {}) {
    json::object parameters{
        {"method", "POST"},
        {"url", "https://scan.example/"},
        {"body_format", "file"},
        {"body", std::move(file)}};
    for (auto& [name, value] : more) parameters[name] = value;
    return flow_builder("posting")
        .trigger("In", "telegram.message")
        .node("Post", "http.request", std::move(parameters))
        .text();
}

TEST(item_files, are_a_body_of_their_own_type) {
    files_world w(posting("{{ $json.file }}"), {{ok("")}});
    w.ended(brought(bill()));

    EXPECT_THAT(w.request(), HasSubstr("Content-Type: application/pdf\r\n"));
    EXPECT_THAT(w.request(), testing::EndsWith("\r\n\r\npdf bytes"));
}

TEST(item_files, are_loaded_again_where_that_failed_for_a_moment) {
    files_world w(posting("{{ $json.file }}"), {{ok("")}});
    w.w.chat.load_failures = {base::error(base::errc::unavailable)};
    w.ended(brought(bill()));

    EXPECT_THAT(w.server.requests(), SizeIs(1));
}

struct bad_file {
    json::value file;
    std::string_view failure;
};

// Nothing is sent.
TEST(item_files, of_other_executions_are_not_there) {
    bad_file const cases[]{
        {{{"id", "stolen"}, {"name", "x"}, {"mime", "a/b"}}, "is of another execution"},
        {{{"id", "message:doc-2"}, {"name", "x"}, {"mime", "a/b"}}, "is of another execution"},
        {"text", "the body is no file"}};
    for (auto const& entry : cases) {
        SCOPED_TRACE(entry.failure);
        files_world w(posting(entry.file), {{ok("")}});
        w.w.chat.files["doc-2"] = "of somebody else";
        EXPECT_THAT(w.ended(brought(bill())), HasSubstr(std::string(entry.failure)));
        EXPECT_EQ(w.server.connections(), 0u);
    }
}

TEST(item_files, are_no_larger_than_they_may_be) {
    auto const large = http_node_world::answer("200 OK", "", std::string((10u << 20) + 1, 'x'));
    files_world w(
        posting("{{ $json.file }}", {{"response", "file"}, {"most_bytes", 16'000'000}}), {{large}}
    );
    EXPECT_THAT(w.ended(brought(bill())), StartsWith("too_large: Post: a file has at most 10 MiB"));
    EXPECT_THAT(w.stored(), IsEmpty());
}

TEST(item_files, have_a_name_without_a_path) {
    struct named_answer {
        std::string_view disposition;
        std::string_view url;
        std::string_view name;
    };
    named_answer const cases[]{
        {"attachment; filename=\"../a/b.txt\"", "http://x/y", "b.txt"},
        {"attachment; filename=b.txt; size=3", "http://x/y", "b.txt"},
        {"inline", "http://x/y/a%2Fb%20c.txt?q=/z", "b c.txt"},
        {"", "http://x/", "file"}};
    for (auto const& entry : cases) {
        net::header_list headers;
        headers.add("Content-Disposition", std::string(entry.disposition));
        EXPECT_EQ(flow::file_name_of(headers, entry.url), entry.name) << entry.url;
    }
}

} // namespace
} // namespace postrider::tests::item_files_test
