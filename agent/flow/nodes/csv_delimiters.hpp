#pragma once
// The delimiters of CSV by their names, which shared.json lists.
#include <boost/json/object.hpp>

#include <string_view>

namespace postrider::agent::flow {

inline char csv_delimiter_of(boost::json::object const& parameters) {
    std::string_view const name = parameters.at("delimiter").get_string();
    if (name == "semicolon") return ';';
    if (name == "tab") return '\t';
    return name == "pipe" ? '|' : ',';
}

} // namespace postrider::agent::flow
