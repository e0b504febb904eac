// Mails as effects: what may have been sent is never silently sent twice.
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/acting_step.hpp"
#include "agent/flow/nodes/mail_text.hpp"
#include "agent/flow/nodes/named_server.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/tools/tool.hpp"
#include "base/json/json.hpp"
#include "base/names.hpp"
#include "net/credential.hpp"
#include "net/mail_client.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;
using base::errc;
using base::error;

namespace {

constexpr std::chrono::minutes longest_talk{5};
constexpr std::chrono::seconds talk_grace{5};

constexpr base::names<net::mail_security, 3> securities{{
    {net::mail_security::starttls, "starttls"},
    {net::mail_security::tls, "tls"},
    {net::mail_security::none, "none"},
}};

// invalid: one of them is no address.
base::result<std::vector<std::string>> addresses_in(
    base::json_reader const& parameters, std::string_view name
) {
    std::vector<std::string> addresses;
    for (auto const& entry : parameters[name].items_or_none()) {
        addresses.push_back(entry.string_or(""));
        if (!net::is_mail_address(addresses.back()))
            return error(errc::invalid, fmt::format("'{}' has what is no e-mail address", name));
    }
    return addresses;
}

base::result<std::string> address_in(base::json_reader const& parameters, std::string_view name) {
    auto address = parameters[name].string_or("");
    if (!address.empty() && !net::is_mail_address(address))
        return error(errc::invalid, fmt::format("'{}' is no e-mail address", name));
    return address;
}

base::result<void> set_login(
    net::outgoing_mail& mail, node_services const& services, std::string const& name
) {
    constexpr net::credential_kind password[]{net::credential_kind::basic};
    auto const credential = credential_for(services, name, mail.host, mail.port, password);
    if (!credential) return credential.error();
    if (*credential) {
        mail.user = (*credential)->user;
        mail.password = (*credential)->value;
    }
    mail.may_be_private = may_be_in_network(services, *credential, mail.host, mail.port);
    bool const stays_here = mail.may_be_private && net::is_of_this_network(mail.host);
    if (mail.security == net::mail_security::none && !stays_here)
        return error(errc::refused, "a mail leaves this network with TLS only");
    return {};
}

base::result<net::outgoing_mail> mail_of(
    node_services const& services, json::object const& written, std::string const& key
) {
    json::value const root(written);
    base::json_reader const parameters{root};
    net::outgoing_mail mail;
    auto const server = parameters["server"].string_or("");
    mail.host = server.substr(0, server.rfind(':'));
    mail.port = server.substr(server.rfind(':') + 1);
    mail.security =
        base::named(securities, parameters["security"].string_or("")).value_or(mail.security);
    auto const login = set_login(mail, services, parameters["credential"].string_or(""));
    if (!login) return login.error();
    auto const timeout = base::duration_from_text(parameters["timeout"].string_or("")).value();
    if (timeout > longest_talk) return error(errc::invalid, "the time-out is longer than 5min");
    mail.deadline = timeout;

    mail_parts parts;
    auto const from = address_in(parameters, "from");
    auto const reply_to = address_in(parameters, "reply_to");
    auto to = addresses_in(parameters, "to");
    auto cc = addresses_in(parameters, "cc");
    auto bcc = addresses_in(parameters, "bcc");
    for (auto const* failed : {&from, &reply_to})
        if (!*failed) return failed->error();
    for (auto const* failed : {&to, &cc, &bcc})
        if (!*failed) return failed->error();
    for (auto const* list : {&*to, &*cc, &*bcc})
        mail.to.insert(mail.to.end(), list->begin(), list->end());
    mail.from = *from;
    parts.from = *from;
    parts.from_name = parameters["from_name"].string_or("");
    parts.to = std::move(*to);
    parts.cc = std::move(*cc);
    parts.reply_to = *reply_to;
    parts.subject = parameters["subject"].string_or("");
    parts.text = parameters["text"].string_or("");
    parts.html = parameters["html"].string_or("");
    parts.id = key + from->substr(from->find('@'));
    parts.sent_at = services.clock.now();
    mail.text = mail_text(parts);
    return mail;
}

base::awaitable<queue::step_value> deliver_mail(
    net::mail_client& client, net::outgoing_mail mail, json::object item
) {
    auto const sent = co_await client.send(std::move(mail));
    if (!sent) co_return sent.error();
    co_return json::value(std::move(item));
}

base::awaitable<queue::step_value> send_once(
    node_run& run, json::object const& parameters, std::string step
) {
    if (is_recorded(run, step)) co_return co_await recorded_result(run, step);
    auto const& services = run.services();
    auto const key = key_of_step(run, step);
    base::result<net::outgoing_mail> mail = error(errc::unavailable, "no mail is sent from here");
    if (services.mail) mail = mail_of(services, parameters, key);
    if (!mail) co_return co_await run.steps().record_value(step, mail.error());
    json::object item{
        {"recipients", mail->to.size()},
        {"message_id", key + mail->from.substr(mail->from.find('@'))}};
    acting_step acting{.name = step, .kind = "email.send"};
    if (parameters.at("when_interrupted") == "leave")
        acting.effect_class = queue::effect_class::at_most_once;
    acting.request = item;
    acting.tries = usual_tool_tries;
    acting.tries.timeout =
        std::chrono::ceil<std::chrono::milliseconds>(mail->deadline) + talk_grace;
    acting.tries.total.reset();
    auto const work = [&] { return deliver_mail(*services.mail, *mail, item); };
    co_return co_await act(run, std::move(acting), work);
}

base::awaitable<base::result<outputs>> send_mails(node_run& run) {
    items results;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        auto const parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto step = i == 0 ? std::string("send") : fmt::format("send-{}", i + 1);
        auto sent = co_await send_once(run, *parameters, std::move(step));
        if (!sent) co_return sent.error();
        results.push_back({std::move(*sent)});
    }
    outputs output;
    output.emplace("main", std::move(results));
    co_return output;
}

} // namespace

behaviour email_send_behaviour() {
    return durable{.execute = send_mails};
}

} // namespace postrider::agent::flow
