#include "agent/mcp/http_transport.hpp"

#include "agent/mcp/endpoint_stream.hpp"
#include "agent/mcp/header_value.hpp"
#include "agent/mcp/http_answer.hpp"
#include "agent/mcp/revision.hpp"

#include <algorithm>
#include <map>

namespace postrider::agent::mcp {

namespace {

using base::awaitable;
using base::errc;
using base::error;
using namespace std::chrono_literals;

constexpr base::duration farewell = 2s;        // for the end of a session
constexpr base::duration notice_timeout = 10s; // of a notification or an answer of ours
// Of a stream that is listened to, and of a request without a deadline.
constexpr base::duration stream_timeout = 1h;
constexpr base::duration longest_one_stream = 24h; // of a server that says everything on one
constexpr base::duration longest_resume_delay = 1min;
constexpr std::size_t longest_session_id = 1024;

base::duration time_until(base::steady_time deadline) {
    return deadline == base::steady_time::max() ? stream_timeout
                                                : deadline - base::system_clock().steady();
}

bool is_visible(std::string_view text) {
    return !text.empty() && text.size() <= longest_session_id &&
           std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
}

// One request of ours and the answers to it, over as many connections as that takes.
struct call_state {
    explicit call_state(message_limits limits) : reader(limits) {}

    std::optional<request_id> id; // of a request
    bool answered = false;
    bool heard = false;   // a message or a place in the stream, since it was last taken up
    std::string event_id; // the last one
    std::optional<std::chrono::milliseconds> retry;
    std::optional<error> unreadable; // that something came which is no message
    http_answer_reader reader;

    // Why there is no result in what has ended.
    error no_result() const {
        return unreadable.value_or(error(errc::ambiguous, "the answer ended without a result"));
    }
};

class http_transport final : public transport {
public:
    http_transport(
        boost::asio::any_io_executor executor, net::http_client& client, http_options options
    )
        : executor_(executor),
          client_(client),
          options_(std::move(options)),
          greeted_(executor),
          tasks_(executor),
          closings_(std::move(executor)) {}

    awaitable<base::result<void>> open(message_receiver& receiver) override {
        receiver_ = &receiver;
        co_return base::result<void>{};
    }
    base::result<void> send(message const& content, send_options const& options) override;
    bool abandon(request_id const& id) override;
    void use_revision(std::string const& revision) override;
    void listen() override;
    awaitable<void> close() override;
    std::string diagnostics() const override { return {}; }

private:
    class registration;

    awaitable<void> post(net::http_call call, std::optional<request_id> id, std::string method);
    awaitable<void> resume(call_state& state, base::steady_time deadline);
    awaitable<void> listen_on();
    awaitable<base::result<net::http_answer>> exchange(net::http_call call, call_state& state);
    awaitable<void> fall_back(net::http_call greeting, net::http_answer refusal, call_state& state);
    awaitable<void> post_to_endpoint(net::http_call call, call_state& state);
    net::http_call call(std::string method, base::duration timeout) const;
    void deliver(std::vector<parsed_message> messages, call_state& state);
    void explain(net::http_answer const& answer, call_state& state);
    void fail(call_state& state, base::error const& reason);
    awaitable<void> close_stream(request_id id);

    boost::asio::any_io_executor executor_;
    net::http_client& client_;
    http_options options_;
    message_receiver* receiver_ = nullptr;   // while open
    std::unique_ptr<endpoint_stream> older_; // of a server of revision 2024-11-05
    std::string endpoint_;                   // that its stream names
    std::string revision_;
    std::string session_;
    bool greeting_ = false; // "initialized" is on its way: some servers refuse what overtakes it
    bool listening_ = false;
    std::map<request_id, base::task_group::task_id> calls_;
    base::signal greeted_;
    base::task_group tasks_;
    base::task_group closings_; // of streams; they are no messages on their way
};

// That a request is on its way, until its task ends.
class http_transport::registration {
public:
    registration(http_transport& owner, std::optional<request_id> id)
        : owner_(owner),
          id_(std::move(id)) {}
    ~registration() {
        if (id_) owner_.calls_.erase(*id_);
    }
    registration(registration const&) = delete;
    registration& operator=(registration const&) = delete;

private:
    http_transport& owner_;
    std::optional<request_id> id_;
};

net::http_call http_transport::call(std::string method, base::duration timeout) const {
    net::http_call call;
    call.method = std::move(method);
    call.origin = options_.address.origin;
    call.target = options_.address.path.empty() ? "/" : options_.address.path;
    if (!endpoint_.empty()) call.target = endpoint_;
    call.connect_timeout = std::min(options_.connect_timeout, timeout);
    call.first_byte_timeout = call.idle_timeout = call.total_timeout = timeout;
    call.answer_limit = options_.limits.bytes;
    call.endless_type = event_stream_type;
    for (auto const& [name, value] : options_.headers) call.headers.add(name, value.reveal());
    if (!revision_.empty()) call.headers.add("MCP-Protocol-Version", revision_);
    if (!session_.empty()) call.headers.add("Mcp-Session-Id", session_);
    return call;
}

base::result<void> http_transport::send(message const& content, send_options const& options) {
    if (!receiver_) return error(errc::unavailable, "the connection is closed");
    if (tasks_.size() >= options_.most_calls)
        return error(errc::overloaded, "too many messages are on their way");
    auto const* request = std::get_if<rpc_request>(&content);
    base::duration timeout = notice_timeout;
    if (request) timeout = time_until(options.deadline);
    if (timeout <= base::duration::zero()) return error(errc::unavailable, "there is no time left");
    auto sending = call("POST", timeout);
    sending.headers.add("Content-Type", "application/json");
    sending.headers.add("Accept", "application/json, text/event-stream");
    auto route = routing_of(content);
    if (is_stateless(revision_)) {
        if (!route.method.empty()) sending.headers.add("Mcp-Method", route.method);
        if (!route.name.empty()) sending.headers.add("Mcp-Name", encode_header_value(route.name));
        for (auto const& [name, value] : options.headers) sending.headers.add(name, value);
    }
    sending.body = to_text(content);
    if (route.method == "notifications/initialized") greeting_ = true;
    std::optional<request_id> id;
    if (request) {
        id = request->id;
        calls_[*id] = {}; // the task may end before spawn() does
    }
    auto const task =
        tasks_.spawn("mcp.post", post(std::move(sending), id, std::move(route.method)));
    if (id)
        if (auto entry = calls_.find(*id); entry != calls_.end()) entry->second = task;
    return {};
}

bool http_transport::abandon(request_id const& id) {
    if (auto entry = calls_.find(id); entry != calls_.end()) tasks_.cancel(entry->second);
    return is_stateless(revision_);
}

void http_transport::use_revision(std::string const& revision) {
    revision_ = revision;
    if (revision.empty()) session_.clear();
}

awaitable<void> http_transport::post(
    net::http_call call, std::optional<request_id> id, std::string method
) {
    registration const on_its_way{*this, id};
    auto const deadline = base::system_clock().steady() + call.total_timeout;
    bool const greets = method == "notifications/initialized";
    while (greeting_ && !greets) co_await greeted_.wait();
    call_state state{options_.limits};
    state.id = std::move(id);
    auto const end_of_greeting = [&] {
        if (!greets) return;
        greeting_ = false;
        greeted_.notify();
    };
    if (older_) {
        co_await post_to_endpoint(std::move(call), state);
        co_return end_of_greeting();
    }
    net::http_call greeting;
    if (method == "initialize") greeting = call; // for another way to be reached
    auto answer = co_await exchange(std::move(call), state);
    end_of_greeting();
    if (!state.id || state.answered) co_return;
    if (answer && method == "initialize" && receiver_ && may_be_older(*answer, options_.limits)) {
        co_await fall_back(std::move(greeting), std::move(*answer), state);
    } else if (answer && answer->status != 200) {
        explain(*answer, state);
    } else if (!state.event_id.empty() && !is_stateless(revision_)) {
        co_await resume(state, deadline);
    } else if (!answer) {
        fail(state, answer.error());
    } else {
        fail(state, state.no_result());
    }
}

awaitable<base::result<net::http_answer>> http_transport::exchange(
    net::http_call call, call_state& state
) {
    state.reader = http_answer_reader(options_.limits);
    state.heard = false;
    call.take_head = [this, &state](net::http_answer const& head) {
        state.reader.take_head(head);
        auto const session = head.headers.find("Mcp-Session-Id");
        // Of the handshake's answer only; later ones repeat it.
        if (session_.empty() && !is_stateless(revision_) && is_visible(session)) session_ = session;
    };
    call.take_body = [this, &state](std::string_view bytes) {
        bool const waits = state.id && !state.answered;
        deliver(state.reader.read(bytes), state);
        if (state.reader.lost_answer())
            fail(state, error(errc::too_large, "the answer is too large"));
        if (receiver_ && waits && state.answered)
            closings_.spawn("mcp.close_stream", close_stream(*state.id));
    };
    auto answer = co_await client_.send(std::move(call));
    if (answer && answer->status == 200) deliver(state.reader.end(), state);
    auto const& event_id = state.reader.last_event_id();
    if (!event_id.empty() && event_id != state.event_id) {
        state.event_id = event_id;
        state.heard = true; // a server that lets us ask again and again tells where it stands
    }
    if (state.reader.retry()) state.retry = state.reader.retry();
    co_return answer;
}

void http_transport::deliver(std::vector<parsed_message> messages, call_state& state) {
    for (auto& arrived : messages) {
        if (!receiver_) return;
        state.heard = true;
        if (!arrived) {
            auto const& [id, reason] = arrived.error().answer;
            state.unreadable = error(errc::invalid, "the answer is no message: " + reason.message);
            // The result may come behind it in a stream.
            if (!state.reader.is_stream() || (id && id == state.id)) fail(state, state.no_result());
            continue;
        }
        auto const* result = std::get_if<rpc_result>(&*arrived);
        auto* failure = std::get_if<rpc_failure>(&*arrived);
        if (failure && !failure->id) failure->id = state.id; // a POST has one request
        if (state.id &&
            ((result && result->id == *state.id) || (failure && failure->id == state.id)))
            state.answered = true;
        receiver_->receive(std::move(*arrived));
    }
}

// An answer that says no.
void http_transport::explain(net::http_answer const& answer, call_state& state) {
    auto const status = answer.status;
    bool const has_session = !session_.empty() || older_;
    if (status == 404 && has_session)
        return fail(state, error(errc::stale, "the server has forgotten the session"));
    if (status == 401 || status == 403) return fail(state, refusal_of(answer));
    auto parsed = std::move(parse_messages(answer.body, options_.limits).front());
    auto* failure = parsed ? std::get_if<rpc_failure>(&*parsed) : nullptr;
    // Servers made with or after the official SDKs say it so, or in plain words.
    bool const names_no_mistake = !failure || failure->error.code == rpc_code::server_error;
    if (status == 400 && has_session && names_no_mistake)
        return fail(state, error(errc::stale, "the server does not know the session"));
    if (!failure) return fail(state, refusal_of(answer));
    failure->id = state.id; // whatever id it names, it answers this POST
    std::vector<parsed_message> only;
    only.push_back(std::move(parsed));
    deliver(std::move(only), state);
}

awaitable<void> http_transport::fall_back(
    net::http_call greeting, net::http_answer refusal, call_state& state
) {
    older_ = std::make_unique<endpoint_stream>(executor_, client_, options_, *receiver_);
    auto asking = call("GET", longest_one_stream);
    asking.idle_timeout = stream_timeout;
    asking.first_byte_timeout = options_.endpoint_timeout;
    asking.headers.add("Accept", std::string(event_stream_type));
    asking.idempotent = true;
    auto endpoint = co_await older_->open(std::move(asking));
    if (endpoint) {
        endpoint_ = greeting.target = std::move(*endpoint);
        co_return co_await post_to_endpoint(std::move(greeting), state);
    }
    co_await older_->close();
    older_.reset();
    auto const& reason = endpoint.error();
    if (says_more(reason, refusal, options_.limits))
        fail(state, reason);
    else
        explain(refusal, state);
}

// The answer comes on the stream.
awaitable<void> http_transport::post_to_endpoint(net::http_call call, call_state& state) {
    auto const answer = co_await client_.send(std::move(call));
    if (!answer) co_return fail(state, answer.error());
    if (answer->status >= 300) explain(*answer, state);
}

void http_transport::fail(call_state& state, base::error const& reason) {
    if (!state.id || std::exchange(state.answered, true) || !receiver_) return;
    receiver_->fail_request(*state.id, reason);
}

// A server that ends the stream by itself leaves a connection for the next request.
awaitable<void> http_transport::close_stream(request_id id) {
    co_await base::sleep_for(options_.grace);
    if (auto entry = calls_.find(id); entry != calls_.end()) tasks_.cancel(entry->second);
}

// The stream broke off, or was closed so that we ask again later.
awaitable<void> http_transport::resume(call_state& state, base::steady_time deadline) {
    int silent = 0;
    while (silent < options_.most_resumptions && !state.answered) {
        auto const delay = state.retry ? base::duration{*state.retry} : options_.resume_delay;
        if (base::system_clock().steady() + delay >= deadline) break;
        co_await base::sleep_for(delay);
        auto again = call("GET", deadline - base::system_clock().steady());
        again.headers.add("Accept", "text/event-stream");
        again.headers.add("Last-Event-ID", state.event_id);
        again.idempotent = true;
        auto answer = co_await exchange(std::move(again), state);
        if (answer && answer->status != 200) break;
        silent = state.heard ? 0 : silent + 1;
    }
    fail(state, state.no_result());
}

void http_transport::listen() {
    if (!receiver_ || older_ || std::exchange(listening_, true)) return;
    tasks_.spawn("mcp.listen", listen_on());
}

awaitable<void> http_transport::listen_on() {
    call_state state{options_.limits};
    auto delay = options_.resume_delay;
    for (;;) {
        auto listening = call("GET", stream_timeout);
        listening.headers.add("Accept", "text/event-stream");
        if (!state.event_id.empty()) listening.headers.add("Last-Event-ID", state.event_id);
        listening.idempotent = true;
        auto const answer = co_await exchange(std::move(listening), state);
        // 405: it has none; 404: another session will listen. A page is no stream.
        bool const is_away = !answer || answer->status >= 500 || answer->status == 429;
        bool const is_stream = answer && answer->status == 200 && state.reader.is_stream();
        if (!is_away && !is_stream) co_return;
        delay = state.heard ? options_.resume_delay : std::min(delay * 2, longest_resume_delay);
        if (state.retry) delay = std::max(delay, base::duration{*state.retry});
        co_await base::sleep_for(delay);
    }
}

awaitable<void> http_transport::close() {
    receiver_ = nullptr;
    tasks_.cancel();
    closings_.cancel();
    co_await tasks_.join();
    co_await closings_.join();
    if (older_) co_return co_await older_->close();
    if (session_.empty()) co_return;
    auto ending = call("DELETE", farewell);
    session_.clear();
    // 405 is allowed, and a session that cannot be ended ends by itself.
    (void)co_await client_.send(std::move(ending));
}

} // namespace

std::unique_ptr<transport> make_http_transport(
    boost::asio::any_io_executor executor, net::http_client& client, http_options options
) {
    return std::make_unique<http_transport>(std::move(executor), client, std::move(options));
}

} // namespace postrider::agent::mcp
