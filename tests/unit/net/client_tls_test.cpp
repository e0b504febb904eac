#include "net/connection.hpp"
#include "net/http_client.hpp"
#include "net/system_certificates.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/net/certificates.hpp"
#include "tests/unit/net/scripted_server.hpp"

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <fstream>
#include <unistd.h>

namespace postrider::net::client_tls_test {
namespace {

using base::errc;
using tests::loop;
using tests::scripted_server;

constexpr auto hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

int note_server_name(SSL* ssl, int*, void* into) {
    auto name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    *static_cast<std::string*>(into) = name ? name : "";
    return SSL_TLSEXT_ERR_OK;
}

class tls_client : public testing::Test {
protected:
    loop io;
    tests::certificate_authority authority;
    boost::asio::ssl::context context{boost::asio::ssl::context::tls_server};
    std::string ca_file =
        testing::TempDir() + "postrider-ca-" + std::to_string(::getpid()) + ".pem";
    std::unique_ptr<scripted_server> server;

    void serve(
        std::string const& names, std::vector<scripted_server::answers> scripts = {{hello}}
    ) {
        auto leaf = authority.issue(names);
        context.use_certificate(boost::asio::buffer(leaf.pem), boost::asio::ssl::context::pem);
        context.use_private_key(boost::asio::buffer(leaf.key_pem), boost::asio::ssl::context::pem);
        server = std::make_unique<scripted_server>(io.executor(), std::move(scripts), &context);
    }

    base::result<http_answer> ask(std::string host, std::string trusted) {
        auto http = client(trusted);
        return io.run(http->send(call(host)));
    }
    std::unique_ptr<http_client> client(std::string const& trusted) {
        std::ofstream{ca_file} << trusted;
        http_client_options options;
        if (!trusted.empty()) options.ca_file = ca_file;
        return make_http_client(io.executor(), options);
    }
    http_call call(std::string const& host) const {
        http_call request;
        request.origin = "https://" + host + ":" + server->port();
        request.target = "/";
        return request;
    }

    void TearDown() override {
        if (server) io.run(server->finish());
        ::unlink(ca_file.c_str());
    }
};

TEST_F(tls_client, trusts_the_given_authority) {
    serve("DNS:localhost,IP:127.0.0.1", {{hello}, {hello}});

    EXPECT_EQ(ask("localhost", authority.pem())->body, "hello");
    EXPECT_EQ(ask("127.0.0.1", authority.pem())->body, "hello");
}

TEST_F(tls_client, an_unknown_authority_is_unavailable) {
    serve("DNS:localhost");

    EXPECT_EQ(ask("localhost", "").error().code, errc::unavailable);
    EXPECT_TRUE(server->requests().empty());
}

TEST_F(tls_client, another_authority_is_unavailable) {
    serve("DNS:localhost");

    EXPECT_EQ(
        ask("localhost", tests::certificate_authority{}.pem()).error().code, errc::unavailable
    );
    EXPECT_TRUE(server->requests().empty());
}

TEST_F(tls_client, a_certificate_for_another_name_is_unavailable) {
    serve("DNS:other.example");

    EXPECT_EQ(ask("localhost", authority.pem()).error().code, errc::unavailable);
    EXPECT_EQ(ask("127.0.0.1", authority.pem()).error().code, errc::unavailable);
    EXPECT_TRUE(server->requests().empty());
}

TEST_F(tls_client, clients_share_the_systems_certificates_and_no_others) {
    std::ofstream{ca_file} << authority.pem();

    tls_trust plain(io.executor(), "");
    tls_trust other(io.executor(), "");
    tls_trust own(io.executor(), ca_file);
    auto const store_of = [this](tls_trust& trust) {
        return SSL_CTX_get_cert_store(
            io.run(trust.context(base::system_clock().steady() + std::chrono::seconds(10)))
                ->native_handle()
        );
    };

    EXPECT_EQ(store_of(plain), system_certificates());
    EXPECT_EQ(store_of(plain), system_certificates()) << "again";
    EXPECT_EQ(store_of(other), system_certificates());
    EXPECT_NE(store_of(own), system_certificates());
}

TEST_F(tls_client, says_which_host_it_wants) {
    std::string asked;
    serve("DNS:localhost");
    // What the macros SSL_CTX_set_tlsext_servername_arg and _callback expand to, without C casts.
    SSL_CTX_ctrl(context.native_handle(), SSL_CTRL_SET_TLSEXT_SERVERNAME_ARG, 0, &asked);
    SSL_CTX_callback_ctrl(
        context.native_handle(),
        SSL_CTRL_SET_TLSEXT_SERVERNAME_CB,
        reinterpret_cast<void (*)()>(&note_server_name)
    );

    EXPECT_TRUE(ask("localhost", authority.pem()));
    EXPECT_EQ(asked, "localhost");
}

TEST_F(tls_client, refuses_old_protocols) {
    serve("DNS:localhost");
    SSL_CTX_set_security_level(context.native_handle(), 0);
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context.native_handle(), TLS1_1_VERSION);

    EXPECT_EQ(ask("localhost", authority.pem()).error().code, errc::unavailable);
}

TEST_F(tls_client, uses_a_connection_again) {
    serve("DNS:localhost", {{hello, hello}});
    auto http = client(authority.pem());

    EXPECT_TRUE(io.run(http->send(call("localhost"))));
    EXPECT_TRUE(io.run(http->send(call("localhost"))));

    EXPECT_EQ(server->connections(), 1u);
}

TEST_F(tls_client, a_handshake_that_stalls_is_a_timeout) {
    using boost::asio::ip::tcp;
    tcp::acceptor deaf{io.context, {boost::asio::ip::address_v4::loopback(), 0}};
    auto http = client(authority.pem());
    http_call request;
    request.origin = "https://127.0.0.1:" + std::to_string(deaf.local_endpoint().port());
    request.target = "/";
    request.connect_timeout = std::chrono::milliseconds{50};

    EXPECT_EQ(io.run(http->send(request)).error().code, errc::timeout);
}

TEST_F(tls_client, an_end_without_a_goodbye_does_not_end_a_body) {
    // Without close_notify anybody on the way may have cut the answer.
    serve("DNS:localhost", {{"HTTP/1.1 200 OK\r\n\r\nuntil the end"}});

    EXPECT_EQ(ask("localhost", authority.pem()).error().code, errc::ambiguous);
}

TEST_F(tls_client, an_unreadable_authority_file_is_told_at_once) {
    http_client_options options;
    options.ca_file = "/nonexistent/ca.pem";

    EXPECT_THROW(make_http_client(io.executor(), options), boost::system::system_error);
}

} // namespace
} // namespace postrider::net::client_tls_test
