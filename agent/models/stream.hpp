#pragma once
// Private to agent/models: answers that come in pieces, as server-sent events. What is put together
// is the document that an answer in one piece would have been, so there is one way to read both.
#include "agent/models/model.hpp"
#include "agent/models/thoughts.hpp"
#include "net/sse_reader.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::wire {

class stream {
public:
    explicit stream(text_listener hear) : hear_(std::move(hear)) {}
    virtual ~stream() = default;
    stream(stream const&) = delete;
    stream& operator=(stream const&) = delete;

    // The next bytes of the body; the text in them is told at once.
    void take(std::string_view bytes);
    // An event that is no error has come.
    bool has_begun() const noexcept { return has_begun_; }
    // When the body is over. unavailable: it was cut, and asking again costs money, never harm;
    // invalid: it cannot be read. A server that does not stream sends its document whole. The last event
    // counts without the blank line behind it.
    base::result<std::string> document();

protected:
    // The data of one event.
    virtual base::result<void> take(boost::json::object const& event) = 0;
    // Nothing: the end has not come.
    virtual std::optional<boost::json::object> whole() = 0;

    // "[DONE]" has come, with which OpenAI's dialect ends.
    bool done() const noexcept { return done_; }

    // But for what the model thinks before its answer.
    void tell(std::string_view text);

private:
    base::result<void> take_all(std::string_view bytes);
    base::result<void> take_event(net::sse_event const& event);
    base::result<void> take_rest();

    text_listener hear_;
    thought_filter thoughts_;
    net::sse_reader events_;
    std::string unread_; // until the first event
    bool any_ = false;
    bool has_begun_ = false;
    bool done_ = false;
    base::result<void> status_{};
};

} // namespace postrider::agent::wire
