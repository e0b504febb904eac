#pragma once
// A mail as it is sent: head and body of RFC 5322 with CR LF. Whatever stands in the parts, none of them adds a line
// to the head. Pure.
#include "base/clock.hpp"

#include <string>
#include <vector>

namespace postrider::agent::flow {

struct mail_parts {
    std::string from; // an address
    std::string from_name = {};
    std::vector<std::string> to = {};
    std::vector<std::string> cc = {};
    std::string reply_to = {};
    std::string subject = {};
    std::string text = {};
    std::string html = {};
    std::string id; // "KEY@DOMAIN": the same for the same mail
    base::sys_time sent_at = {};
};

std::string mail_text(mail_parts const& mail);

} // namespace postrider::agent::flow
