#pragma once
// A scope made of one JSON object: {"$json": …, "$node": {"Name": …}, …}.
#include "agent/expression/expression.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

namespace postrider::agent {

class json_scope final : public scope {
public:
    explicit json_scope(std::string_view text)
        : names_(boost::json::parse(boost::json::string_view(text.data(), text.size())).as_object()
          ) {}

    boost::json::value const* variable(std::string_view name) const override {
        return member(names_, name);
    }
    boost::json::value const* node(std::string_view name) const override {
        auto const* nodes = member(names_, "$node");
        return nodes ? member(nodes->get_object(), name) : nullptr;
    }
    std::string identity() const override { return "execution 42"; }

private:
    static boost::json::value const* member(boost::json::object const& of, std::string_view name) {
        return of.if_contains(boost::json::string_view(name.data(), name.size()));
    }

    boost::json::object names_;
};

} // namespace postrider::agent
