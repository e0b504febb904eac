#pragma once
// A form as a page, and what a person sent with it. `form` has the parameters of the node (agent/flow/nodes/
// form.json). Pure.
#include "net/http.hpp"

#include <boost/json/object.hpp>

#include <map>
#include <string>
#include <string_view>

namespace postrider::hooks {

// The hidden field that tells one filling of the form from another: no field of a flow has the name.
inline constexpr std::string_view submission_field = "postrider-submission";

// What is wrong, by the names of the fields, in words for the person.
using form_mistakes = std::map<std::string, std::string, std::less<>>;

struct read_form {
    boost::json::object item; // a member for each field of the form; null = left empty
    form_mistakes mistakes;
};
// `sent`: texts by name. What no field asks for is left out.
read_form check_form(boost::json::object const& form, boost::json::object const& sent);

// The fields with what was sent before, and what is wrong with it.
net::http_response form_page(
    int status,
    boost::json::object const& form,
    boost::json::object const& sent,
    form_mistakes const& mistakes,
    std::string_view submission
);

// Behind a form that has arrived.
net::http_response thanks_page(boost::json::object const& form);

} // namespace postrider::hooks
