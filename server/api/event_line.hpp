#pragma once
// The one stream of a client, which several parts write to at the same time: one after the other, each
// event with the place of every topic as its id. On the loop's thread.
#include "server/api/event_writer.hpp"
#include "server/api/stream_position.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::api {

// An event that many lines tell.
struct shared_event {
    std::string place;                       // the topic's, behind it
    std::shared_ptr<std::string const> text; // as net::to_text() makes it of an event without an id
};

class event_line {
public:
    // The writer outlives it. It begins at the position.
    event_line(
        net::body_writer& writer, stream_position position, base::asio::any_io_executor executor
    );

    // Before all others; each has the position as its id.
    base::awaitable<bool> begin(std::vector<net::sse_event> events);
    // Events of the topic: the id of one is the topic's place behind it, "" = as before.
    base::awaitable<bool> write(std::string topic, std::vector<net::sse_event> events);
    base::awaitable<bool> write_shared(std::string topic, std::vector<shared_event> events);

    // What was written last was taken.
    bool is_open() const noexcept { return is_open_; }

private:
    net::body_writer& writer_;
    stream_position position_;
    bool is_open_ = true;
    bool is_writing_ = false;
    base::signal free_;
};

// A watcher of its own that writes to the line: its events get "topic" among their data.
class topic_writer final : public event_writer {
public:
    // The line outlives it.
    topic_writer(event_line& line, std::string topic) : line_(line), topic_(std::move(topic)) {}

    base::awaitable<bool> write(std::vector<net::sse_event> events) override;

private:
    event_line& line_;
    std::string topic_;
};

} // namespace postrider::api
