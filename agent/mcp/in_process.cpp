#include "agent/mcp/in_process.hpp"

#include "agent/mcp/memory_transport.hpp"

namespace postrider::agent::mcp {

namespace {

using base::awaitable;

// The client's end of a pair, with the server's end behind it.
class in_process_transport final : public transport {
public:
    in_process_transport(
        boost::asio::any_io_executor const& executor, server const& serving, served_session session
    )
        : serving_(serving),
          session_(std::move(session)),
          ends_(make_memory_transports(executor)),
          answering_(executor, *ends_.second, {.on_request = [this](rpc_request request) {
                         return serving_.answer(std::move(request), session_);
                     }}) {}

    awaitable<base::result<void>> open(message_receiver& receiver) override {
        auto const opened = co_await answering_.open();
        if (!opened) co_return opened.error();
        co_return co_await ends_.first->open(receiver);
    }
    base::result<void> send(message const& content, send_options const& options) override {
        return ends_.first->send(content, options);
    }
    bool abandon(request_id const& id) override { return ends_.first->abandon(id); }
    void use_revision(std::string const& revision) override { ends_.first->use_revision(revision); }
    void listen() override { ends_.first->listen(); }
    awaitable<void> close() override {
        co_await ends_.first->close();
        co_await answering_.close();
    }
    std::string diagnostics() const override { return {}; }

private:
    server const& serving_;
    served_session session_;
    std::pair<std::unique_ptr<transport>, std::unique_ptr<transport>> ends_;
    peer answering_;
};

} // namespace

std::unique_ptr<transport> make_in_process_transport(
    boost::asio::any_io_executor const& executor, server const& serving, served_session session
) {
    return std::make_unique<in_process_transport>(executor, serving, std::move(session));
}

} // namespace postrider::agent::mcp
