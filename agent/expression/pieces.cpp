#include "agent/expression/pieces.hpp"

#include "agent/expression/lexer.hpp"
#include "agent/expression/parser.hpp"
#include "agent/language/unicode.hpp"

#include <algorithm>
#include <optional>

namespace postrider::agent::expressions {

namespace {

constexpr std::string_view opening = "{{";
constexpr std::string_view blanks = " \t\r\n";

struct closing {
    std::size_t at = std::string_view::npos; // of the braces; npos: there are none
    std::optional<token> wrong;              // the first word that is none
};

// Closing braces within strings and those of objects are none.
closing find_closing(std::string_view rest) {
    closing result;
    lexer words{rest, dialect::cel};
    std::size_t open = 0;
    for (auto word = words.next(); word.kind != token_kind::end; word = words.next()) {
        if (word.kind == token_kind::wrong && !result.wrong) result.wrong = word;
        if (word.is(symbol::open_brace)) ++open;
        if (!word.is(symbol::close_brace)) continue;
        if (open == 0 && rest.substr(word.offset).starts_with("}}")) {
            result.at = word.offset;
            return result;
        }
        if (open > 0) --open;
    }
    return result;
}

// A part of the text, even when it is empty.
std::string_view trimmed(std::string_view text) {
    auto const begin = std::min(text.find_first_not_of(blanks), text.size());
    auto const end = text.find_last_not_of(blanks) + 1; // npos + 1 is 0
    return text.substr(begin, std::max(begin, end) - begin);
}

bool is_blank(piece const& piece) {
    return !piece.expression && piece.text.find_first_not_of(blanks) == piece.text.npos;
}

// One expression with nothing but blanks around it loses the blanks.
void keep_type_of_one(cut_text& cut) {
    auto const count = std::ranges::count_if(cut.pieces, [](piece const& piece) {
        return piece.expression.has_value();
    });
    cut.whole = count == 1 && std::ranges::all_of(cut.pieces, [](piece const& piece) {
                    return piece.expression || is_blank(piece);
                });
    if (cut.whole) std::erase_if(cut.pieces, is_blank);
}

} // namespace

std::optional<cutter::part> cutter::next() {
    if (at_ >= text_.size()) return std::nullopt;
    auto const begin = std::min(text_.find(opening, at_), text_.size());
    if (begin == at_) return read_expression();
    part literal{text_.substr(at_, begin - at_), {}};
    column_ += code_points(literal.text);
    at_ = begin;
    return literal;
}

cutter::part cutter::read_expression() {
    auto const whole = text_.substr(at_);
    auto const rest = whole.substr(opening.size());
    auto const end = find_closing(rest);
    auto const braces = column_;
    column_ += opening.size();
    if (end.at == rest.npos) {
        at_ = text_.size();
        auto error = end.wrong
                         ? moved(error_at(rest, end.wrong->offset, end.wrong->text), column_)
                         : moved(error_at(rest, 0, "this `{{` is not closed by `}}`"), braces);
        return {whole, std::move(error), column_};
    }
    auto const source = trimmed(rest.substr(0, end.at));
    auto const in_front = column_ + static_cast<std::size_t>(source.data() - rest.data());
    auto const size = opening.size() + end.at + opening.size();
    column_ += code_points(rest.substr(0, end.at)) + opening.size();
    at_ += size;
    auto parsed = expression::parse(source, calls_, limits_);
    if (!parsed) return {whole.substr(0, size), moved(parsed.error(), in_front), in_front};
    return {whole.substr(0, size), std::move(parsed), in_front};
}

boost::system::result<cut_text, std::vector<expression_error>> cut(
    std::string_view text, from_ai calls, expression_limits limits
) {
    cut_text parsed;
    std::vector<expression_error> wrong;
    cutter parts(text, calls, limits);
    while (auto part = parts.next()) {
        if (!part->expression)
            parsed.pieces.push_back({std::string(part->text), {}});
        else if (*part->expression)
            parsed.pieces.push_back({{}, std::move(**part->expression), part->column});
        else
            wrong.push_back(part->expression->error());
    }
    if (!wrong.empty()) return wrong;
    keep_type_of_one(parsed);
    return parsed;
}

bool looks_whole(std::string_view text) {
    auto const expression = trimmed(text);
    if (!expression.starts_with(opening)) return false;
    auto const rest = expression.substr(opening.size());
    auto const end = find_closing(rest).at;
    return end == rest.npos || end + opening.size() == rest.size();
}

} // namespace postrider::agent::expressions
