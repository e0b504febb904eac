#pragma once
// One side of a connection: what it asked and what it is asked, whichever side is the server. On the
// executor's one thread.
//
// Every request ends: with the other side's answer, or with an error within its time. `ping` is
// answered here. Late, repeated and unknown answers are ignored.
#include "agent/mcp/transport.hpp"

#include <functional>
#include <map>
#include <variant>

namespace postrider::agent::mcp {

using rpc_outcome = std::variant<json::value, rpc_error>;

struct progress_report {
    double progress = 0; // only ever grows
    std::optional<double> total;
    std::string message;
};

struct request_options {
    base::duration timeout = base::duration{std::chrono::seconds{60}}; // begins anew with progress
    base::duration total_timeout = base::duration{std::chrono::minutes{10}};
    std::function<void(progress_report const&)> on_progress = {};
    std::vector<std::pair<std::string, std::string>> headers = {}; // see send_options
    // It may do what an answer that cannot be used does not undo: once sent, it is then ambiguous
    // instead of invalid, too_large or cancelled.
    bool may_act = false;
};

struct peer_options {
    // Answers a request of the other side. Cancelled when that side withdraws it. Without one every
    // method is unknown.
    std::function<base::awaitable<rpc_outcome>(rpc_request)> on_request = {};
    // All but those of progress and cancellation.
    std::function<void(rpc_notification const&)> on_notification = {};
    std::size_t most_pending = 256; // requests of ours without an answer
    std::size_t most_running = 32;  // requests of theirs that are being answered
};

class peer final : private message_receiver {
public:
    // The transport outlives the peer.
    peer(boost::asio::any_io_executor executor, transport& carrier, peer_options options);
    ~peer() override;
    peer(peer const&) = delete;
    peer& operator=(peer const&) = delete;

    base::awaitable<base::result<void>> open();

    // Cancelling the awaiting coroutine withdraws the request. Errors, besides those that the
    // transport has for this request:
    //   unavailable, overloaded  not sent
    //   ambiguous                sent, and no answer came: within its time, or before the connection
    //                            was lost
    base::awaitable<base::result<rpc_outcome>> request(
        std::string method, json::object params, request_options options
    );
    base::result<void> notify(std::string method, json::object params = {});

    // Ends what is pending as cancelled, and closes the transport. Await it before destruction.
    base::awaitable<void> close();

    bool is_open() const noexcept { return open_; }
    bool awaits() const noexcept { return !pending_.empty(); }  // an answer
    std::uint64_t ignored() const noexcept { return ignored_; } // answers that nobody waited for

private:
    struct pending_request;
    class withdrawal;

    void receive(message arrived) override;
    void fail_request(request_id const& id, base::error const& reason) override;
    void lose(base::error const& reason) override;

    void take(rpc_request request);
    void take(rpc_notification notification);
    void take(rpc_result result);
    void take(rpc_failure failure);
    void take_progress(json::object const& params);
    void withdraw(request_id const& id);
    pending_request* find_pending(request_id const& id);
    void settle(request_id const& id, base::result<rpc_outcome> outcome);
    base::awaitable<void> answer(rpc_request request);
    void send_answer(request_id const& id, rpc_outcome outcome);

    transport& transport_;
    peer_options options_;
    bool open_ = false;
    std::string closed_because_ = "the connection is closed";
    std::int64_t last_id_ = 0;
    std::uint64_t ignored_ = 0;
    std::map<request_id, pending_request*> pending_;
    std::map<request_id, base::task_group::task_id> running_;
    base::task_group tasks_;
};

} // namespace postrider::agent::mcp
