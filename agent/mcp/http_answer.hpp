#pragma once
// The body of an answer of Streamable HTTP as it comes in: one JSON message, or server-sent events
// with a message each. Pure.
#include "agent/mcp/json_rpc.hpp"
#include "net/http_client.hpp"
#include "net/sse_reader.hpp"

#include <vector>

namespace postrider::agent::mcp {

inline constexpr std::string_view event_stream_type = "text/event-stream";

class http_answer_reader {
public:
    // Each event of a stream is held to the limit of a message, and a stream to none.
    explicit http_answer_reader(message_limits limits) : limits_(limits), events_(limits.bytes) {}

    void take_head(net::http_answer const& head);
    // The messages that these bytes complete. An event that is none has the id of the request that it
    // answers, as far as it shows one.
    std::vector<parsed_message> read(std::string_view bytes);
    // The message of a body that was no stream, if it had one.
    std::vector<parsed_message> end();

    bool is_stream() const noexcept { return is_stream_; }
    // That an event which was too large began as an answer. On a stream with one request it is that one's,
    // and some servers write the id last.
    bool lost_answer() const noexcept { return lost_answer_; }
    // Where a stream that broke off can be taken up again; "" = nowhere.
    std::string const& last_event_id() const noexcept { return events_.last_id(); }
    std::optional<std::chrono::milliseconds> retry() const noexcept { return events_.retry(); }

private:
    message_limits limits_;
    bool is_stream_ = false;
    bool lost_answer_ = false;
    net::sse_reader events_;
    std::string body_;
};

// Why an answer is none, by its status alone: as http_transport.hpp lists them.
base::error refusal_of(net::http_answer const& answer);

} // namespace postrider::agent::mcp
