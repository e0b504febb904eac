#pragma once
// The one stream of a server that speaks HTTP+SSE, the transport of revision 2024-11-05: its first
// event names the address that messages are posted to, and all that the server says comes as events
// behind it. On the executor's one thread.
//
// A stream that has ended is the end of the connection: the receiver loses it. So does an event that is
// too large, since nobody knows which request it answers.
#include "agent/mcp/http_transport.hpp"
#include "net/sse_reader.hpp"

namespace postrider::agent::mcp {

// Whether a server that refuses the handshake so may be one: the answer says nothing of who asks or how
// often, and has no error that only newer revisions know.
bool may_be_older(net::http_answer const& refusal, message_limits limits);
// Whether the reason why it names no address says more than that refusal.
bool says_more(base::error const& reason, net::http_answer const& refusal, message_limits limits);

class endpoint_stream {
public:
    // All of them outlive it.
    endpoint_stream(
        boost::asio::any_io_executor executor,
        net::http_client& client,
        http_options const& options,
        message_receiver& receiver
    );

    // Sends the GET that asks for the stream, and waits for the address: a target of the same origin.
    //   not_found   the server opens no stream
    //   invalid     the stream names no address in time, or one that messages must not go to
    // Otherwise as refusal_of(). Called once.
    base::awaitable<base::result<std::string>> open(net::http_call asking);
    // The receiver hears nothing any more. Await it before destruction.
    base::awaitable<void> close();

private:
    base::awaitable<void> read(net::http_call asking);
    void take(std::string_view bytes);
    void take_endpoint(std::string_view reference);
    void take_messages(std::string_view text);
    void end(base::error reason);

    net::http_client& client_;
    http_options const& options_;
    message_receiver* receiver_; // until the end
    net::sse_reader events_;
    std::optional<base::result<std::string>> endpoint_; // or why there is none
    base::signal named_;
    base::task_group tasks_;
};

} // namespace postrider::agent::mcp
