#include "agent/formats/csv.hpp"

#include <fmt/format.h>

namespace postrider::agent::formats {

namespace {

class csv_reader {
public:
    csv_reader(std::string_view text, char delimiter) : rest_(text), delimiter_(delimiter) {
        constexpr std::string_view mark = "\xEF\xBB\xBF";
        if (rest_.starts_with(mark)) rest_.remove_prefix(mark.size());
    }

    base::result<std::vector<csv_row>> read() {
        std::vector<csv_row> rows;
        std::size_t cells = 0;
        while (!rest_.empty()) {
            if (skip_line_end()) continue; // an empty line
            csv_row row;
            if (auto const reason = read_row(row); !reason.empty())
                return base::error(base::errc::invalid, fmt::format("line {}: {}", line_, reason));
            cells += row.size();
            if (row.size() > most_csv_columns || rows.size() == most_csv_rows ||
                cells > most_csv_cells)
                return base::error(
                    base::errc::too_large,
                    fmt::format(
                        "more than {} columns, {} rows or {} fields",
                        most_csv_columns,
                        most_csv_rows,
                        most_csv_cells
                    )
                );
            rows.push_back(std::move(row));
        }
        return rows;
    }

private:
    bool skip_line_end() {
        std::size_t const size = rest_.starts_with("\r\n") ? 2 : rest_.starts_with('\n') ? 1 : 0;
        rest_.remove_prefix(size);
        if (size > 0) ++line_;
        return size > 0;
    }

    // Why it is none; "" = nothing. A row with too many fields ends early.
    std::string_view read_row(csv_row& row) {
        while (row.size() <= most_csv_columns) {
            std::string field;
            if (auto const reason = read_field(field); !reason.empty()) return reason;
            row.push_back(std::move(field));
            if (rest_.empty() || skip_line_end()) return {};
            if (rest_.front() != delimiter_) return "there are characters behind a closing quote";
            rest_.remove_prefix(1);
        }
        return {};
    }

    std::string_view read_field(std::string& field) {
        if (rest_.starts_with('"')) return read_quoted(field);
        while (!rest_.empty() && rest_.front() != delimiter_ && rest_.front() != '\n' &&
               !rest_.starts_with("\r\n")) {
            if (rest_.front() == '"') return "a field with a quote must itself stand in quotes";
            field += rest_.front();
            rest_.remove_prefix(1);
        }
        return {};
    }

    std::string_view read_quoted(std::string& field) {
        for (rest_.remove_prefix(1);; rest_.remove_prefix(1)) {
            if (rest_.empty()) return "a quote is not closed";
            if (rest_.front() == '\n') ++line_;
            if (rest_.front() == '"') {
                rest_.remove_prefix(1);
                if (!rest_.starts_with('"')) return {}; // two stand for a quote
            }
            field += rest_.front();
        }
    }

    std::string_view rest_;
    char delimiter_;
    int line_ = 1;
};

} // namespace

base::result<std::vector<csv_row>> read_csv(std::string_view text, char delimiter) {
    return csv_reader(text, delimiter).read();
}

void append_csv(std::string& to, csv_row const& row, char delimiter) {
    std::string_view before;
    std::string_view const between(&delimiter, 1);
    for (std::string_view field : row) {
        to += before;
        before = between;
        // A row of one empty field would be an empty line.
        bool const needs_quotes = field.find_first_of("\"\r\n") != field.npos ||
                                  field.find(delimiter) != field.npos ||
                                  (field.empty() && row.size() == 1);
        if (needs_quotes) to += '"';
        for (char const c : field) to.append(c == '"' ? 2 : 1, c);
        if (needs_quotes) to += '"';
    }
    to += "\r\n";
}

} // namespace postrider::agent::formats
