// Mails to a server that behaves well or not.
#include "net/mail_client.hpp"
#include "tests/support/fake_smtp.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST_F(mail_client, waits_no_longer_than_it_may_and_ends_when_it_is_closed) {
    serve({{"", "220-not ready"}});
    auto draft = mail();
    draft.deadline = std::chrono::milliseconds{50};
    EXPECT_EQ(send(std::move(draft)).error(), errc::timeout);
    client.close();
    EXPECT_EQ(send(mail()).error(), errc::unavailable);
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
