#include "server/telegram/json_scanner.hpp"

#include <charconv>

namespace postrider::telegram {

namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

bool is_hex(char c) noexcept {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::optional<std::int64_t> integer(std::string_view text) {
    std::int64_t number = 0;
    auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

using token = json_scanner::token;

} // namespace

token json_scanner::next() {
    if (over_) return *over_;
    skip_space();
    if (expect_ == expect::nothing)
        return stop(at_ == text_.size() ? token::end : token::malformed);
    if (expect_ == expect::comma_or_end && eat(',')) {
        expect_ = objects_.back() ? expect::key : expect::value;
        skip_space();
    }
    if (at_ == text_.size()) return stop(token::cut_off);
    begins_ = start_ = stop_ = at_;
    depth_ = objects_.size();
    char const c = text_[at_];
    switch (expect_) {
    case expect::comma_or_end:
        return close(c == '}');
    case expect::key_or_end:
        if (c == '}') return close(true);
        [[fallthrough]];
    case expect::key:
        return c == '"' ? quoted(token::key) : stop(token::malformed);
    case expect::value_or_end:
        if (c == ']') return close(false);
        [[fallthrough]];
    default:
        return value(c);
    }
}

token json_scanner::value(char first) {
    switch (first) {
    case '{':
        return open(true);
    case '[':
        return open(false);
    case '"':
        return quoted(token::string);
    case 't':
        return literal("true");
    case 'f':
        return literal("false");
    case 'n':
        return literal("null");
    default:
        return number();
    }
}

token json_scanner::open(bool object) {
    ++at_;
    stop_ = at_;
    objects_.push_back(object);
    expect_ = object ? expect::key_or_end : expect::value_or_end;
    return object ? token::begin_object : token::begin_array;
}

token json_scanner::close(bool object) {
    if (text_[at_] != (object ? '}' : ']') || objects_.back() != object)
        return stop(token::malformed);
    ++at_;
    stop_ = at_;
    objects_.pop_back();
    depth_ = objects_.size();
    value_done();
    return object ? token::end_object : token::end_array;
}

token json_scanner::quoted(token kind) {
    start_ = ++at_;
    while (at_ < text_.size()) {
        char const c = text_[at_];
        if (static_cast<unsigned char>(c) < 0x20) return stop(token::malformed);
        if (c == '"') {
            stop_ = at_++;
            if (kind != token::key) {
                value_done();
                return kind;
            }
            skip_space();
            if (at_ == text_.size()) return stop(token::cut_off);
            if (!eat(':')) return stop(token::malformed);
            expect_ = expect::value;
            return kind;
        }
        ++at_;
        if (c != '\\') continue;
        if (at_ == text_.size()) break;
        char const escaped = text_[at_++];
        if (escaped == 'u') {
            for (int i = 0; i < 4; ++i, ++at_) {
                if (at_ == text_.size()) return stop(token::cut_off);
                if (!is_hex(text_[at_])) return stop(token::malformed);
            }
        } else if (std::string_view("\"\\/bfnrt").find(escaped) == std::string_view::npos) {
            return stop(token::malformed);
        }
    }
    return stop(token::cut_off);
}

token json_scanner::number() {
    // A number that ends with the text may go on behind a cut: as a value it is not told then.
    auto fail = [this] { return stop(at_ == text_.size() ? token::cut_off : token::malformed); };
    eat('-');
    if (!eat('0') && !digits()) return fail();
    if (eat('.') && !digits()) return fail();
    if (eat('e') || eat('E')) {
        if (!eat('+')) eat('-');
        if (!digits()) return fail();
    }
    stop_ = at_;
    value_done();
    return token::number;
}

token json_scanner::literal(std::string_view word) {
    auto const here = text_.substr(at_, word.size());
    if (here != word)
        return stop(word.substr(0, here.size()) == here ? token::cut_off : token::malformed);
    at_ += word.size();
    stop_ = at_;
    value_done();
    return token::literal;
}

token json_scanner::stop(token reason) {
    over_ = reason;
    return reason;
}

void json_scanner::skip_space() noexcept {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
        ++at_;
}

bool json_scanner::eat(char c) noexcept {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
}

bool json_scanner::digits() noexcept {
    auto const before = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return at_ > before;
}

void json_scanner::value_done() noexcept {
    expect_ = objects_.empty() ? expect::nothing : expect::comma_or_end;
}

update_outline outline_update(std::string_view body, bool cut) {
    json_scanner scanner(body);
    update_outline outline;
    if (scanner.next() != token::begin_object) return outline;
    for (bool is_update_id = false;;) {
        auto const token = scanner.next();
        if (token == token::end || token == token::cut_off || token == token::malformed) {
            outline.json = token == token::end || (cut && token == token::cut_off);
            return outline;
        }
        if (scanner.depth() != 1) continue;
        if (token == token::key) {
            is_update_id = scanner.text() == "update_id";
        } else if (is_update_id) {
            bool const whole = !cut || scanner.ends() < body.size();
            outline.update_id =
                token == token::number && whole ? integer(scanner.text()) : std::nullopt;
            is_update_id = false;
        }
    }
}

std::optional<std::vector<std::string_view>> array_elements(
    std::string_view json, std::string_view name
) {
    json_scanner scanner(json);
    std::optional<std::vector<std::string_view>> elements;
    if (scanner.next() != token::begin_object) return std::nullopt;
    bool is_name = false;
    bool inside = false;
    std::size_t element = 0;
    for (;;) {
        auto const token = scanner.next();
        if (token == token::cut_off || token == token::malformed) return std::nullopt;
        if (token == token::end) return elements;
        if (scanner.depth() == 1) {
            inside = is_name && token == token::begin_array;
            if (inside) elements.emplace();
            is_name = token == token::key && scanner.text() == name;
        } else if (inside && scanner.depth() == 2) {
            bool const opens = token == token::begin_object || token == token::begin_array;
            bool const closes = token == token::end_object || token == token::end_array;
            if (!closes) element = scanner.begins();
            if (!opens) elements->push_back(json.substr(element, scanner.ends() - element));
        }
    }
}

} // namespace postrider::telegram
