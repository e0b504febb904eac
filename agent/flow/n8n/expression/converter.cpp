#include "agent/flow/n8n/expression/converter.hpp"

#include "agent/expression/functions.hpp"

#include <algorithm>
#include <charconv>

namespace postrider::agent::flow::n8n {

using script::node_kind;

namespace {

constexpr std::size_t most_steps = 20'000; // of one expression

} // namespace

term converter::refuse(std::string reason) {
    if (!refusal_) refusal_ = std::move(reason);
    return {};
}

bool converter::spend(std::size_t steps) {
    steps_ += steps;
    if (!budget_.spend(steps)) refuse("the workflow's expressions take too long to convert");
    if (steps_ > most_steps) refuse("it takes too long to convert");
    return !refusal_;
}

void converter::remark(std::string text) {
    if (std::ranges::find(remarks_, text) == remarks_.end()) remarks_.push_back(std::move(text));
}

void converter::needs_variable(std::string name) {
    if (std::ranges::find(variables_, name) == variables_.end())
        variables_.push_back(std::move(name));
}

conversion converter::result(term const& value) const {
    return {
        .source = value.text,
        .shape = value.shape,
        .binding = value.binding,
        .optional = value.optional,
        .variables = variables_,
        .remarks = remarks_};
}

std::string converter::local_name(std::string_view name) {
    std::string result;
    for (char c : name) {
        bool const fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                          (c >= '0' && c <= '9' && !result.empty());
        if (fits) result += c;
    }
    if (!is_word_of_ours(result) || result == "cel" || expressions::is_function_prefix(result))
        result += "v";
    auto const taken = [&](std::string const& candidate) {
        return std::ranges::any_of(names_, [&](auto const& entry) {
            return entry.second.text == candidate;
        });
    };
    auto const base = result;
    if (name == "v") result += std::to_string(++locals_);
    while (taken(result)) result = base + std::to_string(++locals_);
    return result;
}

std::optional<std::string> converter::constant_text(script::node const& node) const {
    if (node.is(node_kind::text)) return node.text;
    if (node.is(node_kind::literal) && node.size() == 1) return node[0].text;
    return std::nullopt;
}

std::optional<double> converter::constant_number(script::node const& node) const {
    if (node.is(node_kind::unary) && node.text == "-") {
        auto const number = constant_number(node[0]);
        return number ? std::optional(-*number) : std::nullopt;
    }
    if (!node.is(node_kind::number)) return std::nullopt;
    double value = 0;
    auto const* const end = node.text.data() + node.text.size();
    auto const read = std::from_chars(node.text.data(), end, value);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(value) : std::nullopt;
}

term converter::value_of(script::node const& node) {
    if (refusal_ || !spend(1)) return {};
    auto value = written(node);
    spend(value.text.size() / bytes_of_step);
    return value;
}

term converter::condition_of(script::node const& node) {
    if (refusal_ || !spend(1)) return {};
    auto value = written_condition(node);
    spend(value.text.size() / bytes_of_step);
    return value;
}

term converter::written(script::node const& node) {
    switch (node.kind) {
    case node_kind::number:
        return {
            .text = node.text,
            .shape = shape::number,
            .simple = true,
            .constant = true,
            .value = node.text};
    case node_kind::text:
        return constant_of_text(node.text);
    case node_kind::literal:
        return literal(node);
    case node_kind::regex:
        return {.text = node.text, .shape = shape::pattern, .flags = node.extra};
    case node_kind::name:
        return name(node);
    case node_kind::member:
    case node_kind::index:
        return path(node);
    case node_kind::call:
        return call(node);
    case node_kind::creation:
        return creation(node);
    case node_kind::array:
        return array(node);
    case node_kind::object:
        return object(node);
    case node_kind::unary:
        return unary(node);
    case node_kind::binary:
        return binary(node);
    case node_kind::choice:
        return choice(node, false);
    case node_kind::binding:
        return bind(node, false);
    case node_kind::arrow:
        return refuse("a function is no value here");
    case node_kind::spread:
        return refuse("`...` stands where it has no counterpart");
    default:
        return {.text = "null", .simple = true};
    }
}

term converter::written_condition(script::node const& node) {
    if (node.is(node_kind::choice)) return choice(node, true);
    if (node.is(node_kind::binding)) return bind(node, true);
    bool const both = node.is(node_kind::binary) && node.text == "&&";
    if (!both && !(node.is(node_kind::binary) && node.text == "||"))
        return truth_of(value_of(node));
    auto const left = condition_of(node[0]);
    auto const right = condition_of(node[1]);
    return joined_conditions(left, right, both);
}

term converter::name(script::node const& node) {
    for (auto entry = names_.rbegin(); entry != names_.rend(); ++entry)
        if (entry->first == node.text) return entry->second;
    if (auto known = global_name(*this, node.text)) return std::move(*known);
    return refuse("`" + node.text + "` is not known here");
}

term converter::literal(script::node const& node) {
    std::optional<term> sum;
    for (std::size_t i = 0; i < node.size(); ++i) {
        if (node[i].is(node_kind::text) && node[i].text.empty() && (sum || node.size() > 1))
            continue;
        auto const part = as_text(value_of(node[i]));
        sum = sum ? sum_of(*sum, part) : part;
    }
    return sum.value_or(constant_of_text(""));
}

term converter::array(script::node const& node) {
    std::vector<term> lists; // of items in a row, and of what is spread
    std::string items;
    bool simple = true;
    auto const close = [&] {
        if (!items.empty()) lists.push_back(term_of("[" + items + "]", shape::list));
        items.clear();
    };
    for (auto const& item : node.operands) {
        bool const spread = item->is(node_kind::spread);
        auto const value = value_of(spread ? (*item)[0] : *item);
        simple = simple && value.simple && !spread;
        if (spread) {
            close();
            lists.push_back(value);
        } else {
            items += (items.empty() ? "" : ", ") + value.text;
        }
    }
    close();
    if (lists.empty()) return {.text = "[]", .shape = shape::list, .simple = true};
    auto result = lists.front();
    for (std::size_t i = 1; i < lists.size(); ++i) result = sum_of(result, lists[i]);
    result.shape = shape::list;
    result.simple = simple && lists.size() == 1;
    return result;
}

term converter::object(script::node const& node) {
    std::optional<term> merged;
    std::string members;
    bool simple = true;
    auto const add = [&](term next) {
        merged = merged ? calling(*merged, "merge", next.text, shape::object) : std::move(next);
    };
    auto const close = [&] {
        if (!members.empty()) add(term_of("{" + members + "}", shape::object));
        members.clear();
    };
    for (std::size_t i = 0; i < node.size(); i += 2) {
        if (node[i].is(node_kind::spread)) {
            close();
            add(value_of(node[i][0]));
            simple = false;
            continue;
        }
        auto const key = value_of(node[i]);
        auto const value = value_of(node[i + 1]);
        simple = simple && value.simple;
        members += (members.empty() ? "" : ", ") + within(key) + ": " + value.text;
    }
    close();
    if (!merged) return {.text = "{}", .shape = shape::object, .simple = true};
    merged->shape = shape::object;
    merged->simple = simple;
    return std::move(*merged);
}

term converter::choice(script::node const& node, bool is_condition) {
    auto condition = condition_of(node[0]);
    auto yes = is_condition ? condition_of(node[1]) : value_of(node[1]);
    auto no = is_condition ? condition_of(node[2]) : value_of(node[2]);
    // `!(a in …) ? b : c` reads better without the `!`.
    if (condition.binding == binding::sign && condition.text.starts_with("!(") &&
        condition.text.ends_with("\"\"])")) {
        condition.text = condition.text.substr(2, condition.text.size() - 3);
        condition.binding = binding::relation;
        std::swap(yes, no);
    }
    return {
        .text = within(condition, binding::either) + " ? " + within(yes, binding::either) + " : " +
                no.text,
        .shape = yes.shape == no.shape ? yes.shape : shape::unknown,
        .binding = binding::choice};
}

term converter::bind(script::node const& node, bool is_condition) {
    auto const value = value_of(node[0]);
    auto meaning = value;
    meaning.text = local_name(node.text);
    meaning.binding = binding::primary;
    meaning.simple = true;
    meaning.constant = false;
    bool const is_value = value.is(shape::type) || value.is(shape::node) ||
                          value.is(shape::pattern) || value.is(shape::files) || value.constant;
    if (is_value) meaning = value;
    auto result = with_name(node.text, meaning, [&] {
        return is_condition ? condition_of(node[1]) : value_of(node[1]);
    });
    if (is_value) return result;
    result.text = "cel.bind(" + meaning.text + ", " + value.text + ", " + result.text + ")";
    result.binding = binding::primary;
    result.simple = false;
    return result;
}

std::optional<converter::function_text> converter::function_of(
    script::node const& node, shape of, bool is_condition
) {
    // filter(Boolean), map(String)
    if (node.is(node_kind::name) &&
        (node.text == "Boolean" || node.text == "String" || node.text == "Number")) {
        auto const item = term{.text = "i", .shape = of, .simple = true};
        auto const value = node.text == "Boolean"  ? truth_of(item)
                           : node.text == "String" ? as_text(item)
                                                   : as_number(item);
        return function_text{"i", value.text, value.shape};
    }
    if (!node.is(node_kind::arrow) || node.names.empty() || node.names.size() > 2) {
        refuse("a function of one or two parameters is expected here");
        return std::nullopt;
    }
    auto const parameter = [&](std::string const& name, shape kind) {
        return term{.text = local_name(name), .shape = kind, .simple = true};
    };
    auto const item = parameter(node.names[0], of);
    names_.emplace_back(node.names[0], item);
    function_text result{.names = item.text};
    if (node.names.size() == 2) {
        auto const position = parameter(node.names[1], shape::number);
        names_.emplace_back(node.names[1], position);
        result.names = position.text + ", " + item.text;
    }
    auto const body = is_condition ? condition_of(node[0]) : value_of(node[0]);
    names_.resize(names_.size() - node.names.size());
    result.body = body.text;
    result.shape = body.shape;
    return result;
}

} // namespace postrider::agent::flow::n8n
