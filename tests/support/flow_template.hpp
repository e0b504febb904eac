#pragma once
// Templates of flows as a person uses them: nothing changes but what is null in them.
#include "tests/support/paths.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

namespace postrider::tests {

// By "node.parameter", with the node's id.
using filled_in = std::map<std::string, boost::json::value>;

inline boost::json::object read_template(std::string const& name) {
    std::ifstream file(source("flows/templates/" + name + ".json"));
    std::stringstream text;
    text << file.rdbuf();
    return boost::json::parse(text.str()).as_object();
}

// The places that a person must fill in: "tell.chat".
inline std::set<std::string> open_places(boost::json::object const& document) {
    std::set<std::string> places;
    for (auto const& node : document.at("nodes").as_array()) {
        auto const* parameters = node.as_object().if_contains("parameters");
        if (!parameters) continue;
        for (auto const& [name, value] : parameters->as_object())
            if (value.is_null())
                places.insert(std::string(node.at("id").as_string()) + "." + std::string(name));
    }
    return places;
}

// The document with these values. They are those of all open places, and of no other.
inline std::string fill_in(boost::json::object document, filled_in const& values) {
    std::set<std::string> places;
    for (auto const& [place, value] : values) places.insert(place);
    if (places != open_places(document)) throw std::logic_error("other places are open");
    for (auto& node : document.at("nodes").as_array())
        for (auto const& [place, value] : values) {
            auto const dot = place.find('.');
            if (node.at("id").as_string() == place.substr(0, dot))
                node.at("parameters").as_object()[place.substr(dot + 1)] = value;
        }
    return boost::json::serialize(document);
}

} // namespace postrider::tests
