#include "agent/mcp/peer.hpp"

#include "base/json/json.hpp"
#include "base/log.hpp"

#include <boost/asio/redirect_error.hpp>

#include <algorithm>

namespace postrider::agent::mcp {

using base::awaitable;
using base::errc;
using base::error;

namespace {} // namespace

struct peer::pending_request {
    pending_request(
        boost::asio::any_io_executor const& executor, request_options const& its_options
    )
        : options(its_options),
          last_start(base::system_clock().steady()),
          end(last_start + its_options.total_timeout),
          alarm(executor) {}

    base::steady_time deadline() const { return std::min(end, last_start + options.timeout); }

    // Of one that was sent.
    void fail(error reason) {
        bool const hides_what_was_done =
            reason == errc::invalid || reason == errc::too_large || reason == errc::cancelled;
        if (options.may_act && hides_what_was_done) reason.code = errc::ambiguous;
        outcome = std::move(reason);
        alarm.cancel();
    }

    request_options const& options;
    base::steady_time last_start; // of its timeout
    base::steady_time end;
    boost::asio::steady_timer alarm; // cancelled when there is something to look at
    std::optional<double> progress;
    std::optional<base::result<rpc_outcome>> outcome;
};

// Whichever way the asking coroutine goes, the request is pending no longer, and the other side
// learns that nobody waits for its answer.
class peer::withdrawal {
public:
    withdrawal(peer& owner, request_id id, bool withdraws)
        : owner_(owner),
          id_(std::move(id)),
          withdraws_(withdraws) {}
    ~withdrawal() {
        auto const entry = owner_.pending_.find(id_);
        bool const unanswered = !entry->second->outcome;
        owner_.pending_.erase(entry);
        if (unanswered && withdraws_) owner_.withdraw(id_);
    }
    withdrawal(withdrawal const&) = delete;
    withdrawal& operator=(withdrawal const&) = delete;

private:
    peer& owner_;
    request_id id_;
    bool withdraws_;
};

peer::peer(boost::asio::any_io_executor executor, transport& carrier, peer_options options)
    : transport_(carrier),
      options_(std::move(options)),
      tasks_(std::move(executor)) {}

peer::~peer() = default;

awaitable<base::result<void>> peer::open() {
    auto opened = co_await transport_.open(*this);
    open_ = opened.has_value();
    co_return opened;
}

awaitable<base::result<rpc_outcome>> peer::request(
    std::string method, json::object params, request_options options
) {
    if (!open_) co_return error(errc::unavailable, closed_because_);
    if (pending_.size() >= options_.most_pending)
        co_return error(errc::overloaded, "too many requests are without an answer");
    request_id const id{++last_id_};
    if (options.on_progress) {
        auto& meta = params["_meta"];
        if (!meta.is_object()) meta = json::object();
        meta.get_object()["progressToken"] = to_json(id);
    }
    pending_request pending{co_await boost::asio::this_coro::executor, options};
    pending_.emplace(id, &pending);
    // The revisions with a handshake forbid to cancel it.
    withdrawal const at_end{*this, id, method != "initialize"};
    send_options const sending{.deadline = pending.end, .headers = options.headers};
    auto sent = transport_.send(rpc_request{id, std::move(method), std::move(params)}, sending);
    if (!sent) pending.outcome = sent.error();
    while (!pending.outcome && base::system_clock().steady() < pending.deadline()) {
        pending.alarm.expires_at(pending.deadline());
        boost::system::error_code ec;
        co_await pending.alarm.async_wait(
            boost::asio::redirect_error(boost::asio::use_awaitable, ec)
        );
        auto const state = co_await boost::asio::this_coro::cancellation_state;
        if (state.cancelled() != boost::asio::cancellation_type::none)
            throw boost::system::system_error(boost::asio::error::operation_aborted);
    }
    if (!pending.outcome)
        co_return error(
            errc::ambiguous,
            "no answer within " + base::to_text(pending.deadline() - pending.last_start)
        );
    co_return std::move(*pending.outcome);
}

base::result<void> peer::notify(std::string method, json::object params) {
    if (!open_) return error(errc::unavailable, closed_because_);
    return transport_.send(rpc_notification{std::move(method), std::move(params)}, {});
}

awaitable<void> peer::close() {
    open_ = false;
    for (auto& [id, pending] : pending_) {
        if (!pending->outcome) pending->fail(error(errc::cancelled, "the connection was closed"));
    }
    tasks_.cancel();
    co_await tasks_.join();
    co_await transport_.close();
}

void peer::receive(message arrived) {
    std::visit([this](auto& content) { take(std::move(content)); }, arrived);
}

void peer::fail_request(request_id const& id, base::error const& reason) {
    if (auto* pending = find_pending(id))
        pending->fail(reason);
    else
        ++ignored_;
}

void peer::lose(base::error const& reason) {
    open_ = false;
    closed_because_ = reason.detail;
    for (auto& [id, pending] : pending_) {
        if (!pending->outcome) pending->fail(error(errc::ambiguous, reason.detail));
    }
}

void peer::take(rpc_request request) {
    if (request.method == "ping") return send_answer(request.id, json::value(json::object()));
    if (!options_.on_request) {
        rpc_error unknown{rpc_code::method_not_found, "unknown method " + request.method, {}};
        return send_answer(request.id, std::move(unknown));
    }
    if (running_.contains(request.id)) {
        rpc_error repeated{rpc_code::invalid_request, "this id is in use", {}};
        return send_answer(request.id, std::move(repeated));
    }
    if (running_.size() >= options_.most_running) {
        rpc_error busy{rpc_code::server_error, "too many requests at once", {}};
        return send_answer(request.id, std::move(busy));
    }
    auto const id = request.id;
    running_[id] = {}; // the task may end before spawn() does
    auto const task = tasks_.spawn("mcp.answer", answer(std::move(request)));
    if (auto entry = running_.find(id); entry != running_.end()) entry->second = task;
}

void peer::take(rpc_notification notification) {
    if (notification.method == "notifications/progress") return take_progress(notification.params);
    if (notification.method == "notifications/cancelled") {
        auto const* id = notification.params.if_contains("requestId");
        auto const read = id ? read_request_id(*id) : std::nullopt;
        if (!read) return;
        if (auto entry = running_.find(*read); entry != running_.end()) {
            auto const task = entry->second;
            running_.erase(entry); // so that no answer is sent
            tasks_.cancel(task);
        }
        return;
    }
    if (options_.on_notification) options_.on_notification(notification);
}

void peer::take(rpc_result result) {
    settle(result.id, rpc_outcome(std::move(result.value)));
}

void peer::take(rpc_failure failure) {
    // Without an id it answers something that the other side could not read; nobody knows which.
    if (failure.id)
        settle(*failure.id, rpc_outcome(std::move(failure.error)));
    else
        ++ignored_;
}

void peer::take_progress(json::object const& params) {
    auto const* token = params.if_contains("progressToken");
    auto const id = token ? read_answered_id(*token) : std::nullopt;
    auto* pending = id ? find_pending(*id) : nullptr;
    if (!pending || !pending->options.on_progress) return;
    json::value const document(params);
    base::json_reader const report{document};
    auto const progress = report["progress"].number();
    if (report.failed() || (pending->progress && progress <= *pending->progress)) return;
    pending->progress = progress;
    pending->last_start = base::system_clock().steady();
    pending->alarm.cancel();
    progress_report note{.progress = progress, .total = {}, .message = {}};
    if (report["total"]) note.total = report["total"].number_or(0);
    note.message = report["message"].string_or("");
    pending->options.on_progress(note);
}

void peer::withdraw(request_id const& id) {
    if (!open_ || transport_.abandon(id)) return;
    // Where even that cannot be sent, the answer will be late and ignored.
    (void)notify("notifications/cancelled", {{"requestId", to_json(id)}});
}

peer::pending_request* peer::find_pending(request_id const& id) {
    auto const entry = pending_.find(id);
    return entry == pending_.end() || entry->second->outcome ? nullptr : entry->second;
}

void peer::settle(request_id const& id, base::result<rpc_outcome> outcome) {
    auto* pending = find_pending(id);
    if (!pending) {
        ++ignored_;
        return;
    }
    pending->outcome = std::move(outcome);
    pending->alarm.cancel();
}

awaitable<void> peer::answer(rpc_request request) {
    auto const id = request.id;
    rpc_outcome outcome = rpc_error{rpc_code::internal_error, "internal error", {}};
    bool withdrawn = false;
    try {
        outcome = co_await options_.on_request(std::move(request));
    } catch (boost::system::system_error const& e) {
        withdrawn = e.code() == boost::asio::error::operation_aborted;
        if (!withdrawn) base::log::error("mcp.answer_failed", {{"error", e.code().message()}});
    } catch (std::exception const& e) {
        base::log::error("mcp.answer_failed", {{"error", e.what()}});
    }
    if (running_.erase(id) > 0 && !withdrawn) send_answer(id, std::move(outcome));
}

void peer::send_answer(request_id const& id, rpc_outcome outcome) {
    message reply = rpc_result{id, {}};
    if (auto* value = std::get_if<json::value>(&outcome))
        reply = rpc_result{id, std::move(*value)};
    else
        reply = rpc_failure{id, std::move(std::get<rpc_error>(outcome))};
    // A side that does not read its answers does not get them.
    (void)transport_.send(reply, {});
}

} // namespace postrider::agent::mcp
