#include "agent/json_schema/compiler.hpp"

#include "agent/json_schema/values.hpp"

namespace postrider::agent::json_schema {

namespace json = boost::json;

namespace {

constexpr std::size_t most_problems = 20;
constexpr std::size_t most_schemas = 50'000;
constexpr std::size_t longest_places = 8u << 20; // with bases, of all schemas together
constexpr std::size_t most_patterns = 200;
constexpr std::size_t deepest_document = 128;

using vocabulary = std::span<word const> (*)();
constexpr vocabulary vocabularies[] = {
    reference_words,
    value_words,
    number_words,
    string_words,
    array_words,
    object_words,
    in_place_words,
    unevaluated_words,
};

void add_problem(problems& listed, problem added) {
    bool const is_new = std::ranges::find(listed, added) == listed.end();
    if (is_new && listed.size() < most_problems) listed.push_back(std::move(added));
}

} // namespace

compiler::compiler(json::value const& document, compile_options options)
    : document_(document),
      options_(std::move(options)) {}

void compiler::refuse(std::string pointer, std::string message) {
    add_problem(problems_, {std::move(pointer), std::move(message)});
}

void compiler::refuse_part(node& owner, std::string pointer, std::string message) {
    if (!options_.skips_unusable) return refuse(std::move(pointer), std::move(message));
    owner.is_partial = true;
    add_problem(skipped_, {std::move(pointer), std::move(message)});
}

json::value const* compiler::find_word(json::object const& words, std::string_view name) const {
    auto const* value = words.if_contains(json::string_view(name.data(), name.size()));
    bool const is_none = value && value->is_null() && options_.skips_unusable && name != "const";
    return is_none ? nullptr : value;
}

boost::system::result<schema, problems> compiler::compile() {
    std::string const base(nameless);
    if (deeper_than(document_, deepest_document)) {
        refuse("", "is nested too deeply");
        return problems_;
    }
    directory_.add_resource(base, {&document_, ""});
    auto const root = directory_.find({base, options_.at});
    if (!root) {
        refuse(options_.at, root.error().detail);
        return problems_;
    }
    choose_draft();
    auto const* first = node_for(*root, base);
    drain();
    while (!unresolved_.empty()) {
        auto const next = std::move(unresolved_.front());
        unresolved_.pop_front();
        follow(next);
        drain();
    }
    if (problems_.empty()) refuse_loops(*nodes_, *this);
    if (!problems_.empty()) return problems_;
    return schema(std::shared_ptr<node const>(nodes_, first), std::move(skipped_));
}

void compiler::choose_draft() {
    auto const* named = base::child_of(document_, "$schema");
    if (!named || !named->is_string()) return;
    auto const uri = text_of(named->get_string());
    auto const says = [&](std::string_view text) { return uri.find(text) != uri.npos; };
    if (says("draft-07") || says("draft-06")) options_.draft = draft::v7;
    if (says("2020-12")) options_.draft = draft::v2020_12;
}

bool compiler::is_too_much() {
    if (nodes_->size() <= most_schemas && places_ <= longest_places) return false;
    refuse("", "has too many subschemas, or names that are too long");
    return true;
}

node* compiler::node_for(spot at, std::string const& base) {
    auto [entry, fresh] = node_of_.try_emplace(at.value, nullptr);
    if (!fresh) return entry->second;
    auto& compiled = nodes_->emplace_back();
    compiled.pointer = std::move(at.pointer);
    compiled.base = base;
    places_ += compiled.pointer.size() + compiled.base.size();
    entry->second = &compiled;
    source_of_[&compiled] = at.value;
    unread_.push_back(&compiled);
    return &compiled;
}

node const* compiler::subschema(
    json::value const& value,
    node const& parent,
    std::string_view name,
    std::optional<std::string_view> step
) {
    if (is_too_much()) return &parent;
    auto pointer = base::below(parent.pointer, name);
    return node_for({&value, step ? base::below(pointer, *step) : std::move(pointer)}, parent.base);
}

void compiler::drain() {
    for (; !unread_.empty(); unread_.pop_front()) {
        if (is_too_much()) return unread_.clear();
        auto& compiled = *unread_.front();
        read(*source_of_.at(&compiled), compiled);
    }
}

void compiler::read(json::value const& source, node& compiled) {
    if (auto const* allows = source.if_bool()) {
        compiled.refuses_all = !*allows;
        return;
    }
    auto const* words = source.if_object();
    if (!words) return refuse_part(compiled, compiled.pointer, std::string(no_schema));
    // In draft 7 a reference stands alone; its neighbours may still be referred to.
    auto const* referred = words->if_contains("$ref");
    bool const alone = options_.draft == draft::v7 && referred && referred->is_string();
    if (!alone) read_id(*words, {&source, compiled.pointer}, compiled);
    for (auto const vocabulary : vocabularies) {
        for (auto const& [name, read_word] : vocabulary()) {
            auto const* value = find_word(*words, name);
            if (!value) continue;
            auto const dropped = dropped_keywords_;
            auto holds = read_word(definition(*this, compiled, *words, name, *value));
            if (holds && dropped == dropped_keywords_)
                compiled.keywords.push_back({name, std::move(holds)});
        }
        if (alone) break;
    }
}

void compiler::read_id(json::object const& words, spot const& at, node& compiled) {
    auto const* id = find_word(words, "$id");
    if (!id) return;
    auto const pointer = base::below(at.pointer, "$id");
    if (!id->is_string()) return refuse_part(compiled, pointer, "must be a string");
    auto const to = resolve(compiled.base, text_of(id->get_string()));
    if (!to) return refuse_part(compiled, pointer, to.error().detail);
    // The anchors of draft 7.
    if (!to->fragment.empty()) return directory_.add_anchor(to->uri, to->fragment, at);
    compiled.base = to->uri;
    directory_.add_resource(compiled.base, at);
}

void compiler::add_anchor(std::string const& name, node const& at) {
    directory_.add_anchor(at.base, name, {source_of_.at(&at), at.pointer});
}

std::shared_ptr<link const> compiler::reference(
    std::string destination, std::string pointer, node& origin
) {
    auto compiled = std::make_shared<link>();
    unresolved_.push_back({compiled, std::move(destination), std::move(pointer), &origin});
    return compiled;
}

void compiler::follow(pending_reference const& reference) {
    auto& from = *reference.from;
    auto const to = resolve(from.base, reference.to);
    if (!to) return refuse_part(from, reference.pointer, to.error().detail);
    auto const entry = directory_.find(*to);
    if (!entry) {
        auto message = quote(reference.to) + " " + entry.error().detail;
        return refuse_part(from, reference.pointer, std::move(message));
    }
    auto const* target = node_for(*entry, to->uri);
    reference.into->to = target;
    from.in_place.push_back(target);
}

base::result<pattern> compiler::pattern_of(std::string_view text) {
    if (auto entry = patterns_.find(text); entry != patterns_.end()) return entry->second;
    if (patterns_.size() == most_patterns)
        return base::error(base::errc::too_large, "is one pattern too many");
    auto compiled = pattern::compile(text);
    if (compiled) patterns_.emplace(text, *compiled);
    return compiled;
}

boost::system::result<schema, problems> compile(
    json::value const& document, compile_options const& options
) {
    return compiler(document, options).compile();
}

} // namespace postrider::agent::json_schema
