#include "server/telegram/styled_writer.hpp"

namespace postrider::telegram {

namespace {

constexpr std::string_view spoiler_mark = "||";
// What stands deeper is indented no further: two bytes open a level, which each of its lines would pay for.
constexpr std::size_t widest_indent = 24;

} // namespace

void styled_writer::begin_line() {
    bool const is_new = styled_.text.empty() || pending_ > 0;
    if (!styled_.text.empty()) styled_.text.append(pending_, '\n');
    pending_ = 0;
    if (!bullet_.empty()) {
        auto const outer = indents_.empty() ? 0 : indents_.back();
        styled_.text.append(indent_, 0, outer).append(bullet_);
        bullet_.clear();
    } else if (is_new) {
        styled_.text += indent_;
    }
}

void styled_writer::write(std::string_view words) {
    if (words.empty()) return;
    begin_line();
    styled_.text += words;
}

void styled_writer::write_with_spoilers(std::string_view words) {
    for (auto at = words.find(spoiler_mark); at != words.npos; at = words.find(spoiler_mark)) {
        write(words.substr(0, at));
        begin_line();
        mark_spoiler();
        words.remove_prefix(at + spoiler_mark.size());
    }
    write(words);
}

void styled_writer::write_code(std::string_view lines) {
    styled_.text += lines;
}

void styled_writer::mark_spoiler() {
    auto const end = styled_.text.size();
    if (!spoiler_) {
        spoiler_ = end;
    } else if (*spoiler_ + spoiler_mark.size() < end) {
        erased_.push_back(*spoiler_);
        erased_.push_back(end);
        styled_.spans.push_back({text_style::spoiler, *spoiler_, end});
        spoiler_.reset();
    }
    styled_.text += spoiler_mark;
}

void styled_writer::open(text_style style, std::string detail) {
    begin_line();
    open_.push_back(styled_.spans.size());
    styled_.spans.push_back({style, styled_.text.size(), styled_.text.size(), std::move(detail)});
}

void styled_writer::close(text_style style) {
    if (open_.empty() || styled_.spans[open_.back()].style != style) return;
    auto& span = styled_.spans[open_.back()];
    if (style == text_style::link && span.begin == styled_.text.size()) styled_.text += span.detail;
    if (style == text_style::block && styled_.text.ends_with('\n')) styled_.text.pop_back();
    span.end = styled_.text.size();
    open_.pop_back();
}

void styled_writer::begin_item(std::string bullet, std::string_view indentation) {
    if (!bullet_.empty()) begin_line(); // of an item that has only a list
    bullet_ = std::move(bullet);
    indent(indentation);
}

void styled_writer::end_item() {
    if (!bullet_.empty()) begin_line();
    end_indent();
}

void styled_writer::indent(std::string_view more) {
    indents_.push_back(indent_.size());
    if (indent_.size() < widest_indent) indent_ += more;
}

void styled_writer::end_indent() {
    indent_.resize(indents_.back());
    indents_.pop_back();
}

// Without the marks of spoilers: each offset behind one moves by its two bytes.
styled_text styled_writer::finish() {
    std::ranges::stable_sort(styled_.spans, [](auto const& left, auto const& right) {
        return left.begin != right.begin ? left.begin < right.begin : left.end > right.end;
    });
    if (erased_.empty()) return std::move(styled_);
    std::ranges::sort(erased_);
    auto moved = [&](std::size_t offset) {
        auto const before = std::ranges::lower_bound(erased_, offset) - erased_.begin();
        return offset - static_cast<std::size_t>(before) * spoiler_mark.size();
    };
    styled_text clean;
    std::size_t copied = 0;
    for (auto const offset : erased_) {
        clean.text.append(styled_.text, copied, offset - copied);
        copied = offset + spoiler_mark.size();
    }
    clean.text.append(styled_.text, copied);
    clean.spans = std::move(styled_.spans);
    for (auto& span : clean.spans) {
        span.begin = moved(span.begin);
        span.end = moved(span.end);
    }
    return clean;
}

} // namespace postrider::telegram
