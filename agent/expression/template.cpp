#include "agent/expression/template.hpp"

#include "agent/expression/parser.hpp"
#include "agent/expression/pieces.hpp"
#include "agent/expression/values.hpp"
#include "base/html.hpp"
#include "base/json/pointer.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace postrider::agent {

namespace json = boost::json;

namespace {

// A string of the parameter that is to be evaluated.
struct hole {
    std::string path; // JSON Pointer
    expressions::cut_text text;
    bool may_be_html = false;
};

// The texts that hold expressions, with their paths, until the call gives false: then it is false.
// Parameters are no deeper than what base::parse_json() lets in, hence recursive.
template<class Call>
bool visit(json::value const& value, std::string& path, Call const& call) {
    if (auto const* text = value.if_string()) {
        auto const shown = expressions::view(*text);
        return shown.find("{{") == shown.npos || call(shown, std::as_const(path));
    }
    auto const length = path.size();
    auto const below = [&](std::string const& step, json::value const& inner) {
        path.resize(length);
        path.append(1, '/').append(step);
        return visit(inner, path, call);
    };
    bool going = true;
    if (auto const* array = value.if_array()) {
        for (std::size_t i = 0; going && i < array->size(); ++i)
            going = below(std::to_string(i), (*array)[i]);
    } else if (auto const* object = value.if_object()) {
        for (auto member = object->begin(); going && member != object->end(); ++member)
            going = below(base::pointer_step(member->key()), member->value());
    }
    path.resize(length);
    return going;
}

bool contains(std::vector<std::string> const& paths, std::string const& path) {
    return std::ranges::find(paths, path) != paths.end();
}

class compiler {
public:
    compiler(from_ai calls, expression_limits limits, markup_rule const& markup)
        : calls_(calls),
          limits_(limits),
          markup_(markup) {}

    void read(json::value const& parameter) {
        std::string path;
        visit(parameter, path, [this](std::string_view text, std::string const& at) {
            read_text(text, at);
            return true;
        });
    }

    std::vector<hole> holes;
    std::vector<parameter_error> errors;

private:
    void read_text(std::string_view text, std::string const& path) {
        auto cut = expressions::cut(text, calls_, limits_);
        if (cut) {
            holes.push_back({path, std::move(*cut), contains(markup_.members, path)});
        } else {
            for (auto& error : cut.error()) errors.push_back({path, std::move(error)});
        }
    }

    from_ai calls_;
    expression_limits limits_;
    markup_rule const& markup_;
};

expression_result<json::value> evaluate_piece(
    expressions::piece const& piece, scope const& names, expressions::budget& budget
) {
    auto value = piece.expression->evaluate(names, budget);
    if (!value) return expressions::moved(value.error(), piece.column);
    return value;
}

bool append_as_html(
    expressions::bounded_text& text, json::value const& value, expressions::budget& budget
) {
    expressions::bounded_text plain{budget};
    return expressions::append_text(plain, value) && text.append(base::html_escaped(plain.text()));
}

// A text that is one expression keeps the type of its value.
bool keeps_value(hole const& hole, bool is_html, json::value const& value) {
    return hole.text.whole && !(is_html && value.is_string());
}

// Into HTML, values are inserted escaped.
expression_result<json::value> evaluate_text(
    hole const& hole, bool is_html, scope const& names, expressions::budget& budget
) {
    expressions::bounded_text rendered{budget};
    for (auto const& piece : hole.text.pieces) {
        bool fits = true;
        if (piece.expression) {
            auto value = evaluate_piece(piece, names, budget);
            if (!value || keeps_value(hole, is_html, *value)) return value;
            fits = is_html && !piece.expression->is_call_of("html_raw")
                       ? append_as_html(rendered, *value, budget)
                       : expressions::append_text(rendered, *value);
        } else {
            fits = rendered.append(piece.text);
        }
        if (fits) continue;
        auto const& source = piece.expression ? piece.expression->source() : piece.text;
        return expressions::moved(
            expressions::error_at(source, 0, budget.failure().reason), piece.column
        );
    }
    return json::value(json::string_view(rendered.text()));
}

} // namespace

struct parameter_template::data {
    json::value shape;       // the parameter as it was given
    std::vector<hole> holes; // those that may be HTML behind the others
    markup_rule markup;
};

std::string to_text(parameter_error const& error) {
    return error.path.empty() ? to_text(error.error) : error.path + ": " + to_text(error.error);
}

expression_error found_expression::error_at(expression_mention const& place, std::string reason)
    const {
    auto error = expressions::error_at(read->source(), 0, std::move(reason));
    error.column = column + place.column;
    return error;
}

void for_each_expression(
    json::value const& parameter,
    from_ai calls,
    std::function<bool(found_expression const&)> const& call
) {
    std::string path;
    visit(parameter, path, [&](std::string_view text, std::string const& at) {
        expressions::cutter parts(text, calls, {});
        while (auto part = parts.next())
            if (part->expression &&
                !call({at, std::move(*part->expression), part->column, part->text}))
                return false;
        return true;
    });
}

void throw_exception_from_error(
    parameter_error const& error, boost::source_location const& /*where*/
) {
    throw std::runtime_error(to_text(error));
}

void throw_exception_from_error(
    parameter_errors const& errors, boost::source_location const& where
) {
    throw_exception_from_error(errors.front(), where);
}

boost::system::result<parameter_template, parameter_errors> parameter_template::compile(
    json::value const& parameter, from_ai calls, expression_limits limits, markup_rule markup
) {
    compiler pieces{calls, limits, markup};
    pieces.read(parameter);
    if (!pieces.errors.empty()) return std::move(pieces.errors);
    std::stable_partition(pieces.holes.begin(), pieces.holes.end(), [](auto const& hole) {
        return !hole.may_be_html;
    });
    return parameter_template(std::make_shared<data const>(data{
        parameter, std::move(pieces.holes), std::move(markup)}));
}

boost::system::result<json::value, parameter_error> parameter_template::evaluate(
    scope const& names, expression_limits limits
) const {
    expressions::budget budget{limits};
    auto filled = data_->shape;
    std::optional<std::vector<std::string>> html;
    for (auto const& hole : data_->holes) {
        if (hole.may_be_html && !html) html = data_->markup.html(filled.as_object());
        auto value = evaluate_text(hole, html && contains(*html, hole.path), names, budget);
        if (!value) return parameter_error{hole.path, value.error()};
        filled.at_pointer(hole.path) = std::move(*value);
    }
    return filled;
}

bool parameter_template::constant() const noexcept {
    return data_->holes.empty();
}

expression_references parameter_template::references() const {
    expression_references result;
    std::set<std::string> variables;
    std::set<std::string> nodes;
    for (auto const& hole : data_->holes)
        for (auto const& piece : hole.text.pieces) {
            if (!piece.expression) continue;
            auto const references = piece.expression->references();
            variables.insert(references.variables.begin(), references.variables.end());
            nodes.insert(references.nodes.begin(), references.nodes.end());
            for (auto const& call : references.from_ai)
                if (std::ranges::find(result.from_ai, call.key, &from_ai_call::key) ==
                    result.from_ai.end())
                    result.from_ai.push_back(call);
        }
    result.variables.assign(variables.begin(), variables.end());
    result.nodes.assign(nodes.begin(), nodes.end());
    return result;
}

} // namespace postrider::agent
