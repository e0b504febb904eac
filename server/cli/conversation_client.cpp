#include "server/cli/conversation_client.hpp"

#include "base/backoff.hpp"
#include "base/clock.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <boost/json/object.hpp>

namespace postrider::cli {

using namespace std::chrono_literals;
using base::errc;

namespace {

constexpr std::string_view conversations = "/api/v1/conversations";
// The server is silent for 15 s at most, and ends a stream after ten minutes.
constexpr base::duration longest_silence = 45s;
constexpr base::duration longest_stream = 11min;
constexpr base::duration longest_answer = 30s;

net::http_call post(std::string target, boost::json::object const& body) {
    net::http_call call;
    call.target = std::move(target);
    call.headers = {{"Content-Type", "application/json"}};
    call.body = base::json_text(body);
    call.first_byte_timeout = longest_answer;
    return call;
}

// What an answer that is no success says. A server that starts, stops or is busy is away.
base::error failure_of(net::http_answer const& answer) {
    auto const problem = base::parse_json(answer.body);
    std::string detail = "it answers " + std::to_string(answer.status);
    if (problem) detail = base::json_reader{*problem}["detail"].string_or(detail);
    bool const is_away = answer.status == 429 || answer.status >= 502;
    return {is_away ? errc::unavailable : errc::refused, std::move(detail)};
}

bool is_outage(base::error const& reason) {
    return reason == errc::unavailable || reason == errc::timeout || reason == errc::ambiguous;
}

base::steady_time steady_now() {
    return base::system_clock().steady();
}

} // namespace

conversation_client::conversation_client(
    own_server& server,
    base::asio::any_io_executor executor,
    base::random_source& random,
    outage_limits limits
)
    : server_(server),
      random_(random),
      limits_(limits),
      arrived_(executor),
      listening_(std::move(executor)) {}

base::awaitable<base::result<void>> conversation_client::begin(std::string agent) {
    boost::json::object body;
    if (!agent.empty()) body["agent"] = agent;
    auto call = post(std::string(conversations), body);
    auto const answer = co_await server_.ask(std::move(call));
    if (!answer) co_return answer.error();
    auto const id = base::json_reader{*answer}["conversation_id"].string_or("");
    path_ = std::string(conversations) + "/" + id;
    co_return base::result<void>{};
}

base::awaitable<void> conversation_client::say(std::string text) {
    co_await stop();
    text_ = std::move(text);
    key_ = base::uuid4(random_);
    last_id_.clear();
    listening_.spawn("chat.listen", listen());
}

base::awaitable<base::result<void>> conversation_client::say_beside(
    std::string text, std::function<void(terminal::chat_event const&)> hear
) {
    net::sse_reader reader;
    auto call = call_to_say(text);
    call.take_body = [&](std::string_view bytes) {
        auto const events = reader.read(bytes);
        if (!events) return;
        for (auto const& event : *events) hear(terminal::read_chat_event(event));
    };
    auto const answer = co_await server_.send(std::move(call));
    if (!answer) co_return answer.error();
    if (answer->status != 200) co_return failure_of(*answer);
    co_return base::result<void>{};
}

base::awaitable<void> conversation_client::stop() {
    listening_.cancel();
    co_await listening_.join();
}

base::awaitable<base::result<terminal::chat_event>> conversation_client::next() {
    while (heard_.empty()) co_await arrived_.wait();
    auto first = std::move(heard_.front());
    heard_.pop_front();
    co_return first;
}

base::awaitable<base::result<bool>> conversation_client::press(
    std::string message, std::string data
) {
    boost::json::object const body{{"message", message}, {"data", data}};
    auto const since = steady_now();
    for (int failures = 0;; ++failures) {
        auto call = post(path_ + "/presses", body);
        auto const answer = co_await server_.send(std::move(call));
        if (answer && answer->status == 200) co_return true;
        // The first time it may have counted, and its answer was lost.
        if (answer && answer->status == 409) co_return failures > 0;
        auto const reason = answer ? failure_of(*answer) : answer.error();
        if (!is_outage(reason)) co_return reason;
        bool const again = co_await pause(failures + 1, since);
        if (!again) co_return reason;
    }
}

// A stream that ends is over for now: the turn goes on, and so does the next one.
base::awaitable<void> conversation_client::listen() {
    int failures = 0;
    auto since = steady_now();
    for (;;) {
        auto const stream_end = co_await hear_once();
        if (stream_end) {
            failures = 0;
            continue;
        }
        if (!is_outage(stream_end.error())) co_return put(stream_end.error());
        if (failures++ == 0) since = steady_now();
        if (failures == 2) {
            is_away_ = true;
            put(terminal::chat_event{.type = "away"});
        }
        bool const again = co_await pause(failures, since);
        if (!again) co_return put(stream_end.error());
    }
}

base::awaitable<base::result<void>> conversation_client::hear_once() {
    net::sse_reader reader;
    bool has_heard = false;
    auto call = call_for_events();
    call.take_body = [&](std::string_view bytes) {
        has_heard = true;
        take(bytes, reader);
    };
    auto const answer = co_await server_.send(std::move(call));
    if (has_heard) co_return base::result<void>{};
    if (!answer) co_return answer.error();
    if (answer->status != 200) co_return failure_of(*answer);
    co_return base::error(errc::unavailable, "it tells nothing");
}

// Until the first event has come, what is said is said again: the key makes it once.
net::http_call conversation_client::call_for_events() const {
    auto call = call_to_say(text_);
    if (last_id_.empty()) {
        call.headers.add("Idempotency-Key", key_);
    } else {
        call.method = "GET";
        call.target = path_ + "/events";
        call.headers = {{"Last-Event-ID", last_id_}};
        call.body.clear();
    }
    return call;
}

net::http_call conversation_client::call_to_say(std::string const& text) const {
    auto call = post(path_ + "/messages?stream=true", {{"text", text}});
    call.endless_type = "text/event-stream";
    call.idle_timeout = longest_silence;
    call.total_timeout = longest_stream;
    return call;
}

void conversation_client::take(std::string_view bytes, net::sse_reader& reader) {
    if (std::exchange(is_away_, false)) put(terminal::chat_event{.type = "back"});
    auto const events = reader.read(bytes);
    if (!reader.last_id().empty()) last_id_ = reader.last_id();
    if (!events) return;
    for (auto const& event : *events) put(terminal::read_chat_event(event));
}

void conversation_client::put(base::result<terminal::chat_event> event) {
    heard_.push_back(std::move(event));
    arrived_.notify();
}

base::awaitable<bool> conversation_client::pause(int failures, base::steady_time since) {
    if (steady_now() - since > limits_.longest_outage) co_return false;
    base::retry_policy policy;
    policy.delay = std::chrono::duration_cast<std::chrono::milliseconds>(limits_.first_pause);
    base::duration const delay = base::retry_delay(policy, failures, base::uniform(random_));
    co_await base::sleep_for(std::min(delay, limits_.longest_pause));
    co_return true;
}

} // namespace postrider::cli
