#pragma once
// Where a watcher writes its events: a stream of its own, or a part of one.
#include "net/body_stream.hpp"
#include "net/sse.hpp"

#include <string>
#include <vector>

namespace postrider::api {

class event_writer {
public:
    virtual ~event_writer() = default;
    // As body_writer::write(). Without events nothing is sent.
    virtual base::awaitable<bool> write(std::vector<net::sse_event> events) = 0;
};

// A stream of their own.
class whole_stream final : public event_writer {
public:
    // The writer outlives it.
    explicit whole_stream(net::body_writer& writer) : writer_(writer) {}

    base::awaitable<bool> write(std::vector<net::sse_event> events) override {
        std::string text;
        for (auto const& event : events) text += net::to_text(event);
        if (text.empty()) co_return true;
        co_return co_await writer_.write(text);
    }

private:
    net::body_writer& writer_;
};

} // namespace postrider::api
