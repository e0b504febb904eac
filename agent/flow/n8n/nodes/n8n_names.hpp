#pragma once
// The members that items have in n8n, made of those that they have here: for code, which reads n8n's.
#include "agent/flow/n8n/expression/term.hpp"

#include <string>
#include <string_view>

namespace postrider::agent::flow::n8n {

enum class script_language { expression, javascript };

// An object of these members of the item that is called so; "" = items have the same names here. Files and what items
// here do not have are left out.
std::string n8n_members(renamed_members renamed, std::string_view item, script_language language);

} // namespace postrider::agent::flow::n8n
