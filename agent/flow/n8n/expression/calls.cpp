// Calls: which table has the method depends on what is known of the value.
#include "agent/flow/n8n/expression/converter.hpp"

#include <algorithm>

namespace postrider::agent::flow::n8n {

using script::node_kind;

namespace {

method const* method_in(std::span<method const> table, std::string_view name) {
    auto const place = std::ranges::find(table, name, &method::name);
    return place == table.end() ? nullptr : &*place;
}

method const* function_named(std::string_view name) {
    auto const* found = method_in(value_functions(), name);
    return found ? found : method_in(time_functions(), name);
}

method const* method_of(term const& value, std::string_view name) {
    if (value.is(shape::node)) return method_in(node_methods(), name);
    if (value.is(shape::instant) || value.is(shape::duration))
        return method_in(time_methods(), name);
    if (value.is(shape::item) || value.is(shape::files)) return nullptr;
    auto tables = {text_methods(), pattern_methods(), list_methods(), object_methods()};
    bool const list = value.is(shape::list) || value.is(shape::items);
    if (list)
        if (auto const* found = method_in(list_methods(), name)) return found;
    for (auto const& table : tables)
        if (auto const* found = method_in(table, name)) return found;
    // Text of an instant, as n8n's own methods of texts and dates take it.
    return value.is(shape::unknown) || value.is(shape::text) ? method_in(time_methods(), name)
                                                             : nullptr;
}

term called(
    converter& in,
    method const* found,
    term const& of,
    script::node const& call,
    std::string_view name
) {
    if (!found) return in.refuse("`" + std::string(name) + "()` has no counterpart");
    auto const count = call.size() - (call.is(node_kind::creation) ? 0 : 1);
    if (count < found->least || count > found->most)
        return in.refuse("`" + std::string(name) + "()` has other arguments here");
    return found->run(in, of, call);
}

} // namespace

term converter::call(script::node const& node) {
    for (std::size_t i = 1; i < node.size(); ++i)
        if (node[i].is(node_kind::spread)) return refuse("`...` stands in a call");
    auto const& callee = node[0];
    if (callee.is(node_kind::arrow)) {
        if (node.size() > 1 || !callee.names.empty())
            return refuse("a function that is called at once has parameters");
        return value_of(callee[0]);
    }
    if (callee.is(node_kind::name)) {
        auto const* found = function_named(callee.text);
        if (!found && callee.text.starts_with('$')) found = method_in(node_methods(), callee.text);
        return called(*this, found, {}, node, callee.text);
    }
    if (!callee.is(node_kind::member)) return refuse("a value is called");
    auto const receiver = value_of(callee[0]);
    if (refusal_) return {};
    if (receiver.is(shape::type)) {
        auto const name = receiver.text + "." + callee.text;
        return called(*this, function_named(name), receiver, node, name);
    }
    auto const* found = method_of(receiver, callee.text);
    bool const is_time = found && method_in(time_methods(), callee.text) == found;
    bool const is_text = !receiver.is(shape::instant) && !receiver.is(shape::duration);
    return called(
        *this, found, is_time && is_text ? as_instant(receiver) : receiver, node, callee.text
    );
}

term converter::creation(script::node const& node) {
    for (auto const& operand : node.operands)
        if (operand->is(node_kind::spread)) return refuse("`...` stands in a call");
    auto const name = "new " + node.text;
    return called(*this, function_named(name), {}, node, name);
}

} // namespace postrider::agent::flow::n8n
