#include "server/api/preview.hpp"

#include "agent/expression/template.hpp"

#include <boost/json/array.hpp>

namespace postrider::api {

namespace {

namespace json = boost::json;

class given_names final : public agent::scope {
public:
    explicit given_names(json::object const& data) : data_(data) {}

    json::value const* variable(std::string_view name) const override {
        return find(data_, name.substr(1)); // without its $
    }
    json::value const* node(std::string_view name) const override {
        auto const* nodes = find(data_, "nodes");
        return nodes && nodes->is_object() ? find(nodes->get_object(), name) : nullptr;
    }

    std::string identity() const override { return "preview"; }

private:
    static json::value const* find(json::object const& object, std::string_view name) {
        return object.if_contains({name.data(), name.size()});
    }

    json::object const& data_;
};

json::object error_of(std::string const& path, agent::expression_error const& error) {
    return {
        {"path", path},
        {"expression", error.expression},
        {"column", error.column},
        {"message", error.reason}};
}

json::object failed(json::array errors) {
    return {{"errors", std::move(errors)}};
}

json::object gave(json::value value) {
    auto text = agent::text_of(value);
    return {{"value", std::move(value)}, {"text", std::move(text)}};
}

} // namespace

json::object preview_expression(std::string const& source, json::object const& data) {
    auto const read = agent::expression::parse(source, agent::from_ai::allowed);
    if (!read) return failed({error_of("", read.error())});
    auto value = read->evaluate(given_names(data));
    if (!value) return failed({error_of("", value.error())});
    return gave(std::move(*value));
}

json::object preview_parameter(json::value const& parameter, json::object const& data) {
    auto const read = agent::parameter_template::compile(parameter, agent::from_ai::allowed);
    if (!read) {
        json::array all;
        for (auto const& problem : read.error())
            all.push_back(error_of(problem.path, problem.error));
        return failed(std::move(all));
    }
    auto value = read->evaluate(given_names(data));
    if (!value) return failed({error_of(value.error().path, value.error().error)});
    return gave(std::move(*value));
}

} // namespace postrider::api
