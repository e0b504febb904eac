#include "net/tls_trust.hpp"

#include "net/system_certificates.hpp"

#include <boost/asio/post.hpp>
#include <openssl/ssl.h>

namespace postrider::net {

namespace asio = boost::asio;

tls_trust::tls_trust(asio::any_io_executor executor, std::string const& ca_file)
    : executor_(std::move(executor)),
      context_(asio::ssl::context::tls_client),
      is_complete_(!ca_file.empty()) {
    SSL_CTX_set_min_proto_version(context_.native_handle(), TLS1_2_VERSION);
    context_.set_verify_mode(asio::ssl::verify_peer);
    if (!is_complete_) return;
    // What all clients share must not come to trust this file.
    context_.set_default_verify_paths();
    context_.load_verify_file(ca_file);
}

base::awaitable<asio::ssl::context*> tls_trust::context(base::steady_time deadline) {
    if (!is_complete_ && !reading_) begin_reading();
    while (!is_complete_) {
        auto const current = reading_;
        if (current->has_ended) {
            SSL_CTX_set1_cert_store(context_.native_handle(), system_certificates());
            reader_ = {};
            is_complete_ = true;
        } else if (!co_await current->ended.wait_for(deadline - base::system_clock().steady())) {
            co_return nullptr;
        }
    }
    co_return &context_;
}

void tls_trust::begin_reading() {
    auto const shared = std::make_shared<reading>(executor_);
    reader_ = std::jthread([executor = executor_, shared] {
        (void)system_certificates();
        asio::post(executor, [shared] {
            shared->has_ended = true;
            shared->ended.notify();
        });
    });
    reading_ = shared;
}

} // namespace postrider::net
