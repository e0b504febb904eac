// Mails to a server that behaves well or not.
#include "net/mail_client.hpp"
#include "tests/support/fake_smtp.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/net/certificates.hpp"

#include <boost/asio/ssl/context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace postrider::tests::mail_client_test {
namespace {

using base::errc;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct mail_client : testing::Test {
    void serve(fake_smtp::answers unusual = {}) {
        server.emplace(io.executor(), std::move(unusual));
    }
    void TearDown() override {
        if (server) io.run(server->finish());
    }
    net::outgoing_mail mail() {
        net::outgoing_mail draft;
        draft.host = "127.0.0.1";
        draft.port = server->port();
        draft.security = net::mail_security::none;
        draft.from = "shop@example.org";
        draft.to = {"eve@example.org", "ann@example.org"};
        draft.text = "Subject: hi\r\n\r\n.hello\r\n";
        draft.may_be_private = true;
        return draft;
    }
    base::result<void> send(net::outgoing_mail draft) {
        return io.run(client.send(std::move(draft)));
    }

    loop io;
    std::optional<fake_smtp> server;
    net::mail_client client;
};

// covers: X.23
TEST_F(mail_client, sends_a_mail_to_everyone_with_a_login) {
    serve();
    auto draft = mail();
    draft.user = "shop";
    draft.password = base::secret("hunter2");

    ASSERT_TRUE(send(std::move(draft)));

    EXPECT_THAT(server->mails(), ElementsAre("Subject: hi\r\n\r\n..hello"));
    EXPECT_THAT(server->lines(), Contains("AUTH PLAIN"));
    EXPECT_THAT(server->lines(), Contains("AHNob3AAaHVudGVyMg=="));
    EXPECT_THAT(server->lines(), Contains("MAIL FROM:<shop@example.org>"));
    EXPECT_THAT(server->lines(), Contains("RCPT TO:<ann@example.org>"));
}

struct refused_mail {
    std::string_view word;
    std::string_view answer;
    errc failure;
};

TEST_F(mail_client, says_whether_a_mail_may_have_been_sent) {
    refused_mail const cases[]{
        {"", "554 go away", errc::refused},
        {"", "421 later", errc::unavailable},
        {"RCPT", "550 no such user", errc::refused},
        {"RCPT", "450 greylisted", errc::unavailable},
        {"MAIL", "", errc::unavailable},
        {".", "554 spam", errc::refused},
        {".", "451 try again", errc::unavailable},
        {".", "", errc::ambiguous}};
    for (auto const& entry : cases) {
        SCOPED_TRACE(std::string(entry.word) + " " + std::string(entry.answer));
        serve({{std::string(entry.word), std::string(entry.answer)}});
        auto const sent = send(mail());
        ASSERT_FALSE(sent);
        EXPECT_EQ(sent.error(), entry.failure) << sent.error().detail;
        EXPECT_EQ(sent.error().detail.find("example.org"), std::string::npos);
        io.run(server->finish());
    }
    server.reset();
}

TEST_F(mail_client, says_that_the_login_is_wrong) {
    serve({{"AHNob3AAeA==", "535 no"}});
    auto draft = mail();
    draft.user = "shop";
    draft.password = base::secret("x");
    EXPECT_EQ(send(std::move(draft)).error(), errc::unauthorized);
}

TEST_F(mail_client, sends_nothing_without_the_security_that_it_must_have) {
    serve();
    auto draft = mail();
    draft.security = net::mail_security::starttls;
    EXPECT_EQ(send(std::move(draft)).error(), errc::refused);
    draft = mail();
    draft.may_be_private = false;
    EXPECT_EQ(send(std::move(draft)).error(), errc::refused);
    EXPECT_THAT(server->mails(), IsEmpty());
}

// No connection is made to it.
TEST_F(mail_client, leaves_this_network_with_tls_only) {
    serve();
    auto draft = mail();
    draft.host = "1.1.1.1";
    auto const sent = send(std::move(draft));
    EXPECT_EQ(sent.error(), errc::refused);
    EXPECT_THAT(sent.error().detail, HasSubstr("with TLS only"));
}

base::awaitable<void> send_and_note(
    net::mail_client& client, net::outgoing_mail draft, base::error& failure
) {
    auto const sent = co_await client.send(std::move(draft));
    if (!sent) failure = sent.error();
}

base::awaitable<void> send_and_cancel(
    net::mail_client& client,
    net::outgoing_mail draft,
    fake_smtp const& server,
    base::error& failure
) {
    base::task_group tasks(co_await boost::asio::this_coro::executor);
    tasks.spawn("mail", send_and_note(client, std::move(draft), failure));
    while (server.lines().empty()) co_await base::sleep_for(std::chrono::milliseconds{1});
    tasks.cancel();
    co_await tasks.join();
}

TEST_F(mail_client, ends_cleanly_when_its_sender_is_cancelled) {
    serve({{"EHLO", "250-here"}}); // and nothing more
    base::error failure;

    io.run(send_and_cancel(client, mail(), *server, failure));

    EXPECT_EQ(failure, errc::unavailable) << failure.detail;
    EXPECT_THAT(server->mails(), IsEmpty());
}

TEST_F(mail_client, does_not_begin_behind_the_deadline) {
    serve();
    auto draft = mail();
    draft.deadline = base::duration::zero();

    EXPECT_EQ(send(std::move(draft)).error(), errc::timeout);
    EXPECT_THAT(server->lines(), IsEmpty());
}

TEST_F(mail_client, waits_no_longer_than_it_may_and_ends_when_it_is_closed) {
    serve({{"", "220-not ready"}});
    auto draft = mail();
    draft.deadline = std::chrono::milliseconds{50};
    EXPECT_EQ(send(std::move(draft)).error(), errc::timeout);
    client.close();
    EXPECT_EQ(send(mail()).error(), errc::unavailable);
}

struct mail_by_tls : mail_client {
    ~mail_by_tls() override { ::unlink(ca_file.c_str()); }

    void serve_tls(std::string const& names, bool is_at_once) {
        auto const leaf = authority.issue(names);
        context.use_certificate(boost::asio::buffer(leaf.pem), boost::asio::ssl::context::pem);
        context.use_private_key(boost::asio::buffer(leaf.key_pem), boost::asio::ssl::context::pem);
        server.emplace(
            io.executor(), fake_smtp::answers{}, fake_smtp::security{context, is_at_once}
        );
    }
    base::result<void> send_by_tls(bool is_at_once, bool trusts_the_authority = true) {
        std::ofstream{ca_file} << authority.pem();
        net::mail_client sender(trusts_the_authority ? ca_file : "");
        auto draft = mail();
        draft.security = is_at_once ? net::mail_security::tls : net::mail_security::starttls;
        draft.user = "shop";
        draft.password = base::secret("hunter2");
        return io.run(sender.send(std::move(draft)));
    }

    certificate_authority authority;
    boost::asio::ssl::context context{boost::asio::ssl::context::tls_server};
    std::string ca_file =
        testing::TempDir() + "postrider-mail-ca-" + std::to_string(::getpid()) + ".pem";
};

// covers: X.23
TEST_F(mail_by_tls, goes_to_a_server_that_proves_its_name) {
    for (bool const is_at_once : {true, false}) {
        SCOPED_TRACE(is_at_once);
        serve_tls("IP:127.0.0.1", is_at_once);
        auto const sent = send_by_tls(is_at_once);
        EXPECT_TRUE(sent) << to_string(sent.error());

        EXPECT_THAT(server->mails(), ElementsAre("Subject: hi\r\n\r\n..hello"));
        EXPECT_THAT(server->lines(), Contains("AHNob3AAaHVudGVyMg=="));
        auto const starts = std::ranges::count(server->lines(), "STARTTLS");
        EXPECT_EQ(starts, is_at_once ? 0 : 1);
        io.run(server->finish());
    }
    server.reset();
}

TEST_F(mail_by_tls, does_not_go_to_a_server_that_proves_nothing) {
    for (bool const is_at_once : {true, false})
        for (bool const has_other_name : {true, false}) {
            SCOPED_TRACE(testing::Message() << is_at_once << has_other_name);
            serve_tls(has_other_name ? "DNS:other.example" : "IP:127.0.0.1", is_at_once);
            auto const sent = send_by_tls(is_at_once, has_other_name);

            EXPECT_EQ(sent.error(), errc::refused) << sent.error().detail;
            EXPECT_THAT(sent.error().detail, HasSubstr("certificate"));
            EXPECT_THAT(server->mails(), IsEmpty());
            for (auto const& line : server->lines())
                EXPECT_THAT(line, testing::AnyOf(StartsWith("EHLO"), "STARTTLS"));
            io.run(server->finish());
        }
    server.reset();
}

TEST(mail_address, is_one_address_and_nothing_more) {
    for (auto const* good : {"a@b", "first.last+tag@sub.example.org"})
        EXPECT_TRUE(net::is_mail_address(good)) << good;
    for (auto const* bad :
         {"", "a", "@b", "a@", "a@b@c", "a b@c", "Ann <a@b>", "a@b,c@d", "a@b\r\nBcc: c@d", "ä@b"})
        EXPECT_FALSE(net::is_mail_address(bad)) << bad;
}

} // namespace
} // namespace postrider::tests::mail_client_test
