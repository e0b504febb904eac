// The node email.send against a mail server, and the mails that it makes.
#include "agent/flow/nodes/mail_text.hpp"
#include "base/texts.hpp"
#include "net/base64.hpp"
#include "net/mail_client.hpp"
#include "tests/support/fake_smtp.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/configured_tool.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"
#include "tests/unit/agent/flow/flows_chapter.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::email_send_node_test {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

struct mail_world {
    explicit mail_world(
        json::object more = {}, fake_smtp::answers unusual = {}, std::string flow = {}
    )
        : document(flow.empty() ? sending(std::move(more)) : std::move(flow)) {
        w.emplace(document);
        server.emplace(w->io.executor(), std::move(unusual));
        net::credential login;
        login.kind = net::credential_kind::basic;
        login.user = "shop";
        login.value = base::secret("hunter2-and-more");
        login.hosts = {"127.0.0.1"};
        credentials.emplace("mail", login);
        login.hosts = {"smtp.example.org"};
        credentials.emplace("other", login);
        login.hosts = {"1.1.1.1"};
        credentials.emplace("internet", std::move(login));
        w->tools["http_request"] = configured("http_request", {{"allowed_hosts", "127.0.0.1"}});
        w->adjust = [this](agent::flow::node_services& services) {
            services.mail = &client;
            services.credentials = &credentials;
        };
    }
    ~mail_world() { w->io.run(server->finish()); }

    // The server's port is known only when it runs, so the test puts it in place of 25.
    static std::string sending(json::object more) {
        json::object parameters{
            {"server", "127.0.0.1:25"},
            {"security", "none"},
            {"from", "shop@example.org"},
            {"to", {"{{ $json.email }}"}},
            {"subject", "Order {{ $json.id }}"},
            {"text", "Thanks"}};
        for (auto& [name, value] : more) parameters[name] = value;
        return flow_builder("sending")
            .trigger("In", "manual")
            .node("Send", "email.send", std::move(parameters))
            .text();
    }
    std::string result(json::object data = {{"email", "eve@example.org"}, {"id", 7}}) {
        base::replace_all(document, "127.0.0.1:25\"", "127.0.0.1:" + server->port() + "\"");
        w->graph = compiled(document);
        auto const outcome = w->run(std::move(data));
        if (outcome.state != queue::job_state::completed) return to_string(outcome.error);
        return flow_world::ended(outcome);
    }

    std::string document;
    std::optional<flow_world> w;
    std::optional<fake_smtp> server;
    net::mail_client client;
    net::credentials credentials;
};

// covers: X.23 E.14
TEST(email_send_node, sends_a_mail_once_and_records_it_as_an_effect) {
    mail_world m({{"credential", "mail"}, {"bcc", {"boss@example.org"}}});

    EXPECT_THAT(m.result(), StartsWith(R"([{"recipients":2,"message_id":")"));
    m.result();

    ASSERT_THAT(m.server->mails(), SizeIs(1));
    EXPECT_THAT(m.server->mails()[0], HasSubstr("\r\nSubject: Order 7\r\n"));
    EXPECT_THAT(m.server->mails()[0], Not(HasSubstr("boss")));
    EXPECT_THAT(m.server->lines(), Contains("RCPT TO:<boss@example.org>"));
    auto const& intent = m.w->record.effects.at("send/send");
    EXPECT_EQ(intent.effect_class, queue::effect_class::at_least_once);
    EXPECT_THAT(json::serialize(intent.request), Not(HasSubstr("eve")));
}

struct bad_mail {
    json::object parameters;
    std::string_view failure;
};

// Nothing is sent.
TEST(email_send_node, refuses_mails_that_are_none) {
    bad_mail const cases[]{
        {{{"to", {"Eve <eve@example.org>"}}}, "'to' has what is no e-mail address"},
        {{{"from", "shop@example.org\r\nBcc: x@y"}}, "'from' is no e-mail address"},
        {{{"reply_to", "nobody"}}, "'reply_to' is no e-mail address"},
        {{{"credential", "none"}}, "no credential with a password"},
        {{{"credential", "other"}}, "not for this server"},
        {{{"server", "smtp.example.org:25"}}, "with TLS only"},
        {{{"server", "1.1.1.1:25"}, {"credential", "internet"}}, "with TLS only"},
        {{{"server", "10.0.0.1:587"}, {"security", "tls"}}, "not public"},
        {{{"timeout", "6min"}}, "longer than 5min"}};
    for (auto const& entry : cases) {
        SCOPED_TRACE(entry.failure);
        mail_world m(entry.parameters);
        EXPECT_THAT(m.result(), HasSubstr(std::string(entry.failure)));
        EXPECT_THAT(m.server->lines(), IsEmpty());
    }
}

TEST(email_send_node, that_was_perhaps_sent_is_sent_again_or_left_as_it_says) {
    mail_world left({{"when_interrupted", "leave"}}, {{".", ""}});
    EXPECT_THAT(left.result(), StartsWith("ambiguous"));
    EXPECT_THAT(left.server->mails(), SizeIs(1));
}

TEST(mail_text, holds_any_text_and_lets_none_add_a_line_to_its_head) {
    agent::flow::mail_parts parts;
    parts.from = "shop@example.org";
    parts.from_name = "Ann \"the\" shop";
    parts.to = {"a@b", "c@d"};
    parts.subject = "Grüße\r\nBcc: x@y";
    parts.text = "Hello";
    parts.html = "<p>Hello</p>";
    parts.id = "key@example.org";
    auto const mail = agent::flow::mail_text(parts);

    EXPECT_THAT(mail, StartsWith("Date: Thu, 01 Jan 1970 00:00:00 +0000\r\n"));
    EXPECT_THAT(mail, HasSubstr("From: \"Ann \\\"the\\\" shop\" <shop@example.org>\r\n"));
    EXPECT_THAT(mail, HasSubstr("To: a@b,\r\n c@d\r\n"));
    EXPECT_THAT(mail, HasSubstr("Subject: =?utf-8?B?" + net::to_base64(parts.subject) + "?=\r\n"));
    EXPECT_THAT(mail, Not(HasSubstr("\r\nBcc")));
    EXPECT_THAT(mail, HasSubstr("multipart/alternative"));
    EXPECT_THAT(mail, HasSubstr(net::to_base64(parts.html)));
    for (std::size_t line = 0, end = 0; end != mail.npos; line = end + 2) {
        end = mail.find("\r\n", line);
        EXPECT_LE((end == mail.npos ? mail.size() : end) - line, 78U);
    }
}

TEST(email_send_node, runs_the_example_of_the_document) {
    auto document = chapter_example("E-mail");
    base::replace_all(document, "smtp.example.org:587", "127.0.0.1:25");
    base::replace_all(document, "\"security\": \"starttls\"", "\"security\": \"none\"");
    mail_world m({}, {}, document);

    EXPECT_THAT(
        m.result({{"email", "eve@example.org"}, {"name", "<Eve>"}}), HasSubstr("recipients")
    );

    ASSERT_THAT(m.server->mails(), SizeIs(1));
    EXPECT_THAT(m.server->mails()[0], HasSubstr(net::to_base64("<p>Thank you, &lt;Eve&gt;.</p>")));
}

} // namespace
} // namespace postrider::tests::email_send_node_test
