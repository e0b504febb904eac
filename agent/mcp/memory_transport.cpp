#include "agent/mcp/memory_transport.hpp"

#include <boost/asio/post.hpp>

namespace postrider::agent::mcp {

namespace {

using base::awaitable;
using base::errc;
using base::error;

// One end, shared with what is on its way to it.
struct inbox {
    message_receiver* receiver = nullptr; // while open
    bool closed = false;
};

class memory_transport final : public transport {
public:
    memory_transport(
        boost::asio::any_io_executor executor,
        message_limits limits,
        std::shared_ptr<inbox> own,
        std::shared_ptr<inbox> other
    )
        : executor_(std::move(executor)),
          limits_(limits),
          own_(std::move(own)),
          other_(std::move(other)) {}
    ~memory_transport() override { end(); }

    awaitable<base::result<void>> open(message_receiver& receiver) override {
        if (own_->closed || other_->closed)
            co_return error(errc::unavailable, "the other side is closed");
        own_->receiver = &receiver;
        co_return base::result<void>{};
    }

    base::result<void> send(message const& content, send_options const&) override {
        if (own_->closed || other_->closed)
            return error(errc::unavailable, "the other side is closed");
        auto deliver = [to = other_, limits = limits_, text = to_text(content)] {
            if (!to->receiver) return;
            auto arrived = parse_message(text, limits);
            if (arrived) to->receiver->receive(std::move(*arrived));
        };
        boost::asio::post(executor_, std::move(deliver));
        return {};
    }

    bool abandon(request_id const&) override { return false; }
    void use_revision(std::string const&) override {}
    void listen() override {}
    std::string diagnostics() const override { return {}; }

    awaitable<void> close() override {
        end();
        co_return;
    }

private:
    void end() {
        if (std::exchange(own_->closed, true)) return;
        own_->receiver = nullptr;
        auto tell = [to = other_] {
            if (auto* receiver = std::exchange(to->receiver, nullptr))
                receiver->lose(error(errc::unavailable, "the other side was closed"));
        };
        boost::asio::post(executor_, std::move(tell));
    }

    boost::asio::any_io_executor executor_;
    message_limits limits_;
    std::shared_ptr<inbox> own_;
    std::shared_ptr<inbox> other_;
};

} // namespace

std::pair<std::unique_ptr<transport>, std::unique_ptr<transport>> make_memory_transports(
    boost::asio::any_io_executor executor, message_limits limits
) {
    auto left = std::make_shared<inbox>();
    auto right = std::make_shared<inbox>();
    return {
        std::make_unique<memory_transport>(executor, limits, left, right),
        std::make_unique<memory_transport>(std::move(executor), limits, right, left)};
}

} // namespace postrider::agent::mcp
