#include "agent/flow/n8n/javascript/parser.hpp"

#include "agent/flow/n8n/javascript/parser_state.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace postrider::agent::flow::n8n::javascript {

namespace {

struct operator_rank {
    std::string_view spelling;
    int rank;
};
constexpr std::array<operator_rank, 20> operator_ranks{{
    {"??", 1}, {"||", 2}, {"&&", 3}, {"==", 4}, {"!=", 4}, {"===", 4}, {"!==", 4},
    {"<", 5},  {">", 5},  {"<=", 5}, {">=", 5}, {"in", 5}, {"+", 6},   {"-", 6},
    {"*", 7},  {"/", 7},  {"%", 7},  {"**", 8}, {"&", 0},  {"|", 0},
}};

} // namespace

void throw_exception_from_error(refusal const& refusal, boost::source_location const&) {
    throw std::runtime_error(refusal.reason);
}

boost::system::result<node_pointer, refusal> parse(std::string_view source) {
    parser reading(source, 0);
    auto tree = reading.whole();
    if (reading.mistake()) return refusal{*reading.mistake()};
    return tree;
}

token const& parser::ahead(std::size_t offset) const {
    static token const end;
    return failed() || at_ + offset >= tokens_.size() ? end : tokens_[at_ + offset];
}

token parser::take() {
    auto taken = ahead();
    if (at_ + 1 < tokens_.size()) ++at_;
    return taken;
}

bool parser::accept(std::string_view symbol) {
    if (!ahead().is(symbol)) return false;
    take();
    return true;
}

bool parser::accept_word(std::string_view word) {
    if (!ahead().is_word(word)) return false;
    take();
    return true;
}

void parser::expect(std::string_view symbol) {
    if (!accept(symbol)) refuse("a `" + std::string(symbol) + "` is missing");
}

node_pointer parser::refuse(std::string reason) {
    if (!mistake_) mistake_ = std::move(reason);
    return std::make_shared<node const>();
}

node_pointer parser::make(node fresh) {
    for (auto const& operand : fresh.operands)
        fresh.depth = std::max(fresh.depth, operand->depth + 1);
    if (fresh.depth > deepest_script) return refuse("it is nested too deeply");
    return std::make_shared<node const>(std::move(fresh));
}

node_pointer parser::make(node_kind kind, std::string text, std::vector<node_pointer> operands) {
    return make(node{.kind = kind, .text = std::move(text), .operands = std::move(operands)});
}

node_pointer parser::whole() {
    auto tree = expression();
    while (accept(";")) continue;
    if (!failed() && ahead().is("=")) return refuse("an assignment has no counterpart");
    if (!failed() && ahead().kind != token_kind::end)
        return refuse("something follows the expression");
    return tree;
}

node_pointer parser::expression() {
    if (depth_ >= deepest_script) return refuse("it is nested too deeply");
    ++depth_;
    auto result = begins_arrow() ? arrow() : choice();
    --depth_;
    return result;
}

node_pointer parser::choice() {
    auto condition = binary(1);
    if (!accept("?")) return condition;
    auto yes = expression();
    expect(":");
    auto no = expression();
    return make(node_kind::choice, {}, {std::move(condition), std::move(yes), std::move(no)});
}

node_pointer parser::binary(int least) {
    auto left = unary();
    for (;;) {
        auto const& next = ahead();
        bool const word = next.is_word("in");
        if (next.is_word("instanceof")) return refuse("`instanceof` has no counterpart");
        auto const rank = std::ranges::find(operator_ranks, next.text, &operator_rank::spelling);
        if ((next.kind != token_kind::symbol && !word) || rank == operator_ranks.end()) return left;
        if (rank->rank == 0) return refuse("operators of bits are not converted");
        if (rank->rank < least) return left;
        auto spelling = take().text;
        if (++depth_ > deepest_script) return refuse("it is nested too deeply");
        auto right = binary(spelling == "**" ? rank->rank : rank->rank + 1);
        --depth_;
        left = make(node_kind::binary, std::move(spelling), {std::move(left), std::move(right)});
    }
}

node_pointer parser::unary() {
    for (std::string_view symbol : {"!", "-", "+"})
        if (ahead().is(symbol)) {
            take();
            if (++depth_ > deepest_script) return refuse("it is nested too deeply");
            auto operand = unary();
            --depth_;
            return make(node_kind::unary, std::string(symbol), {std::move(operand)});
        }
    if (accept_word("typeof")) return make(node_kind::unary, "typeof", {postfix()});
    for (std::string_view word : {"await", "delete", "void", "yield", "function", "class", "async"})
        if (ahead().is_word(word) && !ahead(1).is("."))
            return refuse("`" + std::string(word) + "` has no counterpart");
    if (ahead().is("++") || ahead().is("--") || ahead().is("~"))
        return refuse("`" + ahead().text + "` has no counterpart");
    return postfix();
}

node_pointer parser::postfix() {
    auto result = ahead().is_word("new") ? creation() : primary();
    while (!failed()) {
        if (accept(".") || accept("?.")) {
            if (ahead().is("[") || ahead().is("(")) continue; // a?.[0], a?.()
            auto const name = take();
            if (name.kind != token_kind::name) return refuse("a member has no name");
            result = make(node_kind::member, name.text, {std::move(result)});
        } else if (accept("[")) {
            auto index = expression();
            expect("]");
            result = make(node_kind::index, {}, {std::move(result), std::move(index)});
        } else if (ahead().is("(")) {
            auto operands = arguments();
            operands.insert(operands.begin(), std::move(result));
            result = make(node_kind::call, {}, std::move(operands));
        } else if (ahead().is("+=") || ahead().is("++") || ahead().is("-=") || ahead().is("--")) {
            return refuse("an assignment has no counterpart");
        } else {
            return result;
        }
    }
    return result;
}

// new Date(…): the name may have members, new Intl.NumberFormat().
node_pointer parser::creation() {
    take();
    auto type = take();
    if (type.kind != token_kind::name) return refuse("`new` names no type");
    auto operands = ahead().is("(") ? arguments() : std::vector<node_pointer>();
    return make(node_kind::creation, std::move(type.text), std::move(operands));
}

std::vector<node_pointer> parser::arguments() {
    std::vector<node_pointer> all;
    expect("(");
    while (!failed() && !ahead().is(")")) {
        all.push_back(item());
        if (!accept(",")) break;
    }
    expect(")");
    return all;
}

node_pointer parser::item() {
    if (accept("...")) return make(node_kind::spread, {}, {expression()});
    return expression();
}

node_pointer parser::primary() {
    auto const token = take();
    switch (token.kind) {
    case token_kind::number:
        return make(node_kind::number, token.text);
    case token_kind::text:
        return make(node_kind::text, token.text);
    case token_kind::regex:
        return make(node{.kind = node_kind::regex, .text = token.text, .extra = token.flags});
    case token_kind::literal:
        return literal(token);
    case token_kind::name:
        return make(node_kind::name, token.text);
    case token_kind::symbol:
        break;
    default:
        return refuse("the expression ends too early");
    }
    if (token.is("[")) return array();
    if (token.is("{")) return object();
    if (!token.is("(")) return refuse("`" + token.text + "` stands where a value should stand");
    auto inner = expression();
    if (!failed() && ahead().is("=")) inner = changed_copy(*inner);
    expect(")");
    return inner;
}

// (sum[key] = value, sum), as functions of reduce() end: the object with one more member. Nothing is assigned.
node_pointer parser::changed_copy(node const& place) {
    take();
    if (!place.is(node_kind::index) && !place.is(node_kind::member))
        return refuse("an assignment has no counterpart");
    auto value = expression();
    if (!accept(",") || failed()) return refuse("an assignment has no counterpart");
    auto const last = expression();
    if (failed() || !same_tree(place[0], *last)) return refuse("an assignment has no counterpart");
    auto key = place.is(node_kind::member) ? make(node_kind::text, place.text) : place.operands[1];
    auto spread = make(node_kind::spread, {}, {place.operands[0]});
    return make(node_kind::object, {}, {spread, spread, std::move(key), std::move(value)});
}

node_pointer parser::literal(token const& token) {
    std::vector<node_pointer> operands;
    for (std::size_t i = 0; i < token.pieces.size() && !failed(); ++i) {
        operands.push_back(make(node_kind::text, token.pieces[i]));
        if (i == token.sources.size()) break;
        if (depth_ + 1 >= deepest_script) return refuse("it is nested too deeply");
        parser inner(token.sources[i], depth_ + 1);
        operands.push_back(inner.whole());
        if (inner.mistake()) return refuse(*inner.mistake());
    }
    return make(node_kind::literal, {}, std::move(operands));
}

node_pointer parser::array() {
    std::vector<node_pointer> items;
    while (!failed() && !ahead().is("]")) {
        items.push_back(item());
        if (!accept(",")) break;
    }
    expect("]");
    return make(node_kind::array, {}, std::move(items));
}

node_pointer parser::object() {
    std::vector<node_pointer> entries;
    while (!failed() && !ahead().is("}")) {
        if (ahead().is("...")) {
            auto spread = item();
            entries.push_back(spread);
            entries.push_back(std::move(spread));
        } else {
            bool const is_short = ahead().kind == token_kind::name && !ahead(1).is(":");
            auto const name = ahead().text;
            entries.push_back(object_key());
            if (!is_short) expect(":");
            entries.push_back(is_short ? make(node_kind::name, name) : expression());
        }
        if (!accept(",")) break;
    }
    expect("}");
    return make(node_kind::object, {}, std::move(entries));
}

node_pointer parser::object_key() {
    if (accept("[")) {
        auto key = expression();
        expect("]");
        return key;
    }
    auto const key = take();
    if (key.kind != token_kind::name && key.kind != token_kind::text &&
        key.kind != token_kind::number)
        return refuse("a member of an object has no name");
    return make(node_kind::text, key.text);
}

} // namespace postrider::agent::flow::n8n::javascript
