#pragma once
// A server that speaks the HTTP+SSE transport of revision 2024-11-05 over real sockets, as the official
// SDKs' servers do: GET /sse opens the stream, POST /messages takes a message with 202, and the
// answer comes on the stream. It refuses a POST to /sse with 405.
#include "base/json/json.hpp"
#include "net/sse.hpp"
#include "tests/unit/net/test_server.hpp"

#include <boost/json/serialize.hpp>

#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace postrider::tests {

class sse_server {
public:
    explicit sse_server(loop& io) : news_(io.executor()), server_(io, routes()) {}

    std::string origin() const { return "http://" + server_.address(); }

    // What it does next; faults included.
    std::string endpoint = "/messages?session_id=s-1"; // "" = the stream names none
    bool ends_stream = false;                          // once what is unsent was sent
    int forgets = 0;                                   // posts that find no session
    std::string refusal;                               // JSON of the 405; "" = plain words
    std::function<std::string(std::string const& method, std::int64_t id)> answer = answer_plainly;

    void say(std::string message) {
        unsent_.push_back("event: message\ndata: " + message + "\n\n");
        news_.notify();
    }
    void end_stream() {
        ends_stream = true;
        news_.notify();
    }

    int streams = 0;
    std::vector<net::http_request> requests;

    static std::string answer_plainly(std::string const& method, std::int64_t id) {
        std::string result = "{}";
        if (method == "initialize")
            result =
                R"({"protocolVersion":"2024-11-05","capabilities":{"tools":{"listChanged":true}},)"
                R"("serverInfo":{"name":"old","version":"1"}})";
        if (method == "tools/list")
            result = R"({"tools":[{"name":"echo","inputSchema":{"type":"object"}}]})";
        if (method == "tools/call") result = R"({"content":[{"type":"text","text":"hello"}]})";
        return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + result + "}";
    }

private:
    std::vector<net::route> routes() {
        net::route stream;
        stream.method = "GET";
        stream.pattern = "/sse";
        stream.handle = [this](net::http_request request) { return open(std::move(request)); };
        net::route post;
        post.method = "POST";
        post.pattern = "/messages";
        post.handle = [this](net::http_request request) { return take(std::move(request)); };
        net::route refuse;
        refuse.method = "POST";
        refuse.pattern = "/sse";
        refuse.handle = [this](net::http_request) { return no_post(); };
        return {stream, post, refuse};
    }

    base::awaitable<net::http_response> no_post() {
        if (refusal.empty()) co_return net::http_response::text(405, "Method Not Allowed");
        co_return net::http_response::json(405, refusal);
    }

    base::awaitable<net::http_response> open(net::http_request request) {
        ++streams;
        ends_stream = false;
        unsent_.clear();
        requests.push_back(std::move(request));
        co_return net::sse_response([this](net::body_writer& out) { return stream(out); });
    }

    base::awaitable<void> stream(net::body_writer& out) {
        auto text =
            ": hello\n\n" + (endpoint.empty() ? "" : "event: endpoint\ndata: " + endpoint + "\n\n");
        auto const number = streams;
        for (;;) {
            auto const written = co_await out.write(text);
            if (!written) co_return;
            while (unsent_.empty() && !ends_stream && number == streams) co_await news_.wait();
            if (unsent_.empty() || number != streams) co_return;
            text = std::move(unsent_.front());
            unsent_.pop_front();
        }
    }

    base::awaitable<net::http_response> take(net::http_request request) {
        auto const body = base::parse_json(request.body);
        requests.push_back(std::move(request));
        if (forgets > 0) {
            --forgets;
            co_return net::http_response::text(404, "Could not find session");
        }
        base::json_reader const message{*body};
        auto const id = message["id"].int64_or(0);
        if (id != 0) {
            auto said = answer(message["method"].string_or(""), id);
            if (!said.empty()) say(std::move(said));
        }
        co_return net::http_response::text(202, "Accepted");
    }

    std::deque<std::string> unsent_;
    base::signal news_;
    test_server server_;
};

} // namespace postrider::tests
