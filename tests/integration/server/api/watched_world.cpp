#include "tests/integration/server/api/watched_world.hpp"

#include "net/sse_reader.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::tests {

namespace json = boost::json;
using testing::HasSubstr;

namespace {

// What stands around events in chunks is no field that a reader knows. How the database does is told beside
// all else, at any time.
events read(std::string const& text) {
    net::sse_reader reader;
    auto all = reader.read(text).value();
    std::erase_if(all, [](auto const& event) { return event.type == "health"; });
    return all;
}

} // namespace

std::vector<std::string> types_of(events const& all) {
    std::vector<std::string> types;
    for (auto const& event : all) types.push_back(event.type);
    return types;
}

std::vector<std::string> contents_of(events const& all) {
    std::vector<std::string> contents;
    for (auto const& event : all)
        if (event.type == "message")
            contents.emplace_back(json::parse(event.data).at("content").as_string());
    return contents;
}

std::string words_of(events const& all) {
    std::string words;
    for (auto const& event : all)
        if (event.type == "words") words += json::parse(event.data).at("text").as_string();
    return words;
}

watched_conversations::stream watched_conversations::send(
    std::string method, std::string path, net::header_list headers, std::string body
) {
    auto connection = std::make_unique<raw_connection>(server.io.executor());
    auto const origin = server.call_of("GET", "/", {}).origin;
    connection->connect(origin.substr(origin.find("//") + 2));
    auto request = method + " /api/v1/conversations" + path + " HTTP/1.1\r\nHost: localhost\r\n";
    for (auto const& [name, value] : headers) request += name + ": " + value + "\r\n";
    if (!body.empty()) request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    server.io.run(connection->send(request + "\r\n" + body));
    return connection;
}

watched_conversations::stream watched_conversations::watch(
    std::string const& where, std::string last_id, std::string who
) {
    net::header_list headers{{"Authorization", "Bearer " + tokens.at(who)}};
    if (!last_id.empty()) headers.add("Last-Event-ID", last_id);
    return send("GET", where.substr(0, where.rfind('/')) + "/events", headers);
}

watched_conversations::stream watched_conversations::watch_from_now(std::string const& where) {
    auto connection = watch(where);
    (void)heard(connection, "event: watching\ndata: {}\n\n");
    return connection;
}

events watched_conversations::heard(stream const& from, std::string const& until) {
    auto text = server.io.run(from->read_until(until));
    EXPECT_THAT(text, HasSubstr(until));
    if (!text.ends_with("\n\n")) text += server.io.run(from->read_until("\n\n"));
    return read(text);
}

events watched_conversations::heard_to_the_end(stream const& from) {
    auto const text = server.io.run(from->read_until("\r\n0\r\n\r\n"));
    EXPECT_TRUE(text.ends_with("\r\n0\r\n\r\n")) << text;
    return read(text);
}

} // namespace postrider::tests
