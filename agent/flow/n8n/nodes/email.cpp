#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view email_types[]{"emailSend"};

void map_email(translation& in) {
    in.become("email.send");
    in.put_value("server", "smtp.example.org:587");
    in.put_value("credential", boost::json::value(in.credential("credential", "mail")));
    in.warn(
        "n8n_credential",
        "server",
        "the mail server's address is a part of n8n's credential",
        "write it here"
    );
    if (!in.put("from", "fromEmail")) in.put_value("from", "someone@example.org");
    for (auto [key, path] :
         {std::pair{"to", "toEmail"}, {"cc", "options.ccEmail"}, {"bcc", "options.bccEmail"}})
        if (auto const* address = in.find(path))
            in.put_value(key, boost::json::array{in.converted(key, *address)});
    in.put("reply_to", "options.replyTo");
    if (!in.put("subject", "subject")) in.put_value("subject", " ");
    in.put("text", "text");
    in.put_markup("html", "html");
    if (!in.draft.parameters.contains("text") && !in.draft.parameters.contains("html"))
        in.put("text", "message");
}

} // namespace

extern constinit mapping const email_mapping{
    .types = email_types, .map = map_email, .items = passing::own};

} // namespace postrider::agent::flow::n8n
