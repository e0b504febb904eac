#include "server/api/event_line.hpp"

namespace postrider::api {

namespace {

struct writing_turn {
    writing_turn(bool& is_writing, base::signal& free) : is_writing_(is_writing), free_(free) {
        is_writing_ = true;
    }
    writing_turn(writing_turn const&) = delete;
    writing_turn& operator=(writing_turn const&) = delete;
    ~writing_turn() {
        is_writing_ = false;
        free_.notify();
    }

private:
    bool& is_writing_;
    base::signal& free_;
};

// The data of these events are objects, and topics need no escapes.
void add_topic_member(std::string& data, std::string const& topic) {
    if (!data.starts_with('{')) return;
    auto const is_empty = data == "{}";
    data.insert(1, "\"topic\":\"" + topic + (is_empty ? "\"" : "\","));
}

// Moves the position behind the last of them.
std::string placed_text(
    std::vector<shared_event> const& events, std::string const& topic, stream_position& position
) {
    auto const [before, behind] = position.text_around(topic);
    std::string text;
    for (auto const& event : events) {
        text.append("id: ").append(before).append(event.place).append(behind).append("\n");
        text.append(*event.text);
    }
    position.set(topic, events.back().place);
    return text;
}

} // namespace

event_line::event_line(
    net::body_writer& writer, stream_position position, base::asio::any_io_executor executor
)
    : writer_(writer),
      position_(std::move(position)),
      free_(std::move(executor)) {}

base::awaitable<bool> event_line::begin(std::vector<net::sse_event> events) {
    for (auto& event : events) event.id = position_.text();
    whole_stream all(writer_);
    is_open_ = co_await all.write(std::move(events));
    co_return is_open_;
}

base::awaitable<bool> event_line::write(std::string topic, std::vector<net::sse_event> events) {
    if (events.empty()) co_return true;
    while (is_writing_) co_await free_.wait();
    writing_turn const turn(is_writing_, free_);
    std::string text;
    for (auto& event : events) {
        if (!event.id.empty()) {
            position_.set(topic, std::move(event.id));
            event.id = position_.text();
        }
        text += net::to_text(event);
    }
    is_open_ = co_await writer_.write(text);
    co_return is_open_;
}

base::awaitable<bool> event_line::write_shared(
    std::string topic, std::vector<shared_event> events
) {
    if (events.empty()) co_return true;
    while (is_writing_) co_await free_.wait();
    writing_turn const turn(is_writing_, free_);
    auto const text = placed_text(events, topic, position_);
    is_open_ = co_await writer_.write(text);
    co_return is_open_;
}

base::awaitable<bool> topic_writer::write(std::vector<net::sse_event> events) {
    for (auto& event : events) add_topic_member(event.data, topic_);
    co_return co_await line_.write(topic_, std::move(events));
}

} // namespace postrider::api
