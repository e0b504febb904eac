#include "base/settings.hpp"

#include "base/ascii.hpp"
#include "base/setting_keys.hpp"
#include "base/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace postrider::base {

namespace {

constexpr std::string_view file_suffix = "_FILE";

// A secret's file usually ends with a line end that is no part of the secret.
std::optional<std::string> read_value(std::string const& path) {
    auto text = read_text_file(path);
    while (text && !text->empty() && (text->back() == '\n' || text->back() == '\r'))
        text->pop_back();
    return text;
}

std::string_view without_suffix(std::string_view text, std::string_view suffix) {
    if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
    return text;
}

using environment_lines = std::map<std::string, int, std::less<>>;

class loader {
public:
    loader(std::span<setting const> table, settings_sources const& sources)
        : table_(table),
          sources_(sources) {}

    loaded_settings load() && {
        for (auto const& row : table_)
            if (row.key.find('*') == row.key.npos || !row.always.empty())
                loaded_.values.put(key_of(row), {&row, std::string(row.fallback), "default"});
        read_file_layer();
        read_environment_file();
        read_environment_layer(sources_.environment, {});
        for (auto const& [key, value] : sources_.flags) {
            auto const* row = find(key);
            if (row) take(key, *row, value, flag_of(*row, sources_.reserved_prefix));
        }
        return std::move(loaded_);
    }

private:
    template<class... Args>
    void complain(fmt::format_string<Args...> text, Args&&... args) {
        loaded_.problems.push_back(fmt::format(text, std::forward<Args>(args)...));
    }

    setting const* find(std::string_view key) const {
        for (auto const& row : table_)
            if (row.key == key || name_in(row.key, key)) return &row;
        return nullptr;
    }

    void take(
        std::string const& key, setting const& row, std::string value, std::string const& source
    ) {
        if (value.empty()) return;
        if (auto problem = problem_with(row, value))
            return complain("{}: {} {}", source, key, *problem);
        loaded_.values.put(key, {&row, std::move(value), source});
    }

    void take_file(
        std::string const& key,
        setting const& row,
        std::string const& path,
        std::string const& source
    ) {
        auto value = read_value(path);
        if (!value) return complain("{}: cannot read the file {}", source, path);
        take(key, row, std::move(*value), source);
    }

    // Each variable that the row has in this environment, with the key that it sets.
    static std::map<std::string, std::string> variables_of(
        setting const& row, environment const& among
    ) {
        if (row.environment.empty()) return {};
        if (row.environment.find('*') == row.environment.npos)
            return {{std::string(row.environment), key_of(row)}};
        std::map<std::string, std::string> variables;
        for (auto const& [name, value] : among) {
            auto const stem = without_suffix(name, file_suffix);
            if (auto chosen = name_in(row.environment, stem))
                variables.emplace(stem, with_name(row.key, to_lower(*chosen)));
        }
        return variables;
    }

    // Names the line where a file sets the variable, else the variable.
    std::string place_of(std::string const& name, environment_lines const& lines) const {
        auto const line = lines.find(name);
        if (line == lines.end()) return name;
        return fmt::format("{}:{}", sources_.environment_file.path, line->second);
    }

    void read_variable(
        std::string const& name,
        std::string const& key,
        setting const& row,
        environment const& among,
        environment_lines const& lines
    ) {
        auto direct = among.find(name);
        auto filed = among.find(name + std::string(file_suffix));
        bool const has_direct = direct != among.end() && !direct->second.empty();
        bool const has_file = filed != among.end() && !filed->second.empty();
        if (has_direct && has_file)
            complain("{} and {}_FILE are both set: which one counts?", name, name);
        else if (has_direct)
            take(key, row, direct->second, place_of(name, lines));
        else if (has_file)
            take_file(key, row, filed->second, place_of(filed->first, lines));
    }

    void read_environment_file() {
        auto const& file = sources_.environment_file;
        for (auto const& problem : file.problems) complain("{}", problem);
        read_environment_layer(file.values, file.lines);
    }

    // `lines`: of the file that the variables are from; none of the process' own.
    void read_environment_layer(environment const& among, environment_lines const& lines) {
        std::vector<std::string> known_names;
        for (auto const& row : table_)
            for (auto const& [name, key] : variables_of(row, among)) {
                known_names.push_back(name);
                read_variable(name, key, row, among, lines);
            }
        if (sources_.reserved_prefix.empty()) return;
        for (auto const& [name, value] : among) {
            if (!name.starts_with(sources_.reserved_prefix)) continue;
            auto const stem = without_suffix(name, file_suffix);
            if (std::ranges::find(known_names, stem) == known_names.end() &&
                std::ranges::find(known_names, name) == known_names.end())
                complain_of_unknown(
                    lines.empty() ? "the environment" : place_of(name, lines), name, known_names
                );
        }
    }

    void complain_of_unknown(
        std::string const& source, std::string const& key, std::vector<std::string> const& known
    ) {
        complain("{}: unknown key {}{}", source, key, suggestion(key, known));
    }

    void read_file_layer() {
        if (sources_.file.empty()) return;
        auto text = read_text_file(sources_.file);
        if (!text) {
            std::error_code ec;
            if (std::filesystem::is_directory(sources_.file, ec))
                complain("{} is a folder: name the settings file in it", sources_.file);
            else if (sources_.file_required || !is_absent(sources_.file))
                complain("cannot read the file {}", sources_.file);
            return;
        }
        auto parsed = toml::parse(*text);
        if (!parsed) {
            auto position = parsed.error().source().begin;
            return complain(
                "{}:{}: {}", sources_.file, position.line, parsed.error().description()
            );
        }
        read_table(parsed.table(), "");
    }

    void read_table(toml::table const& table, std::string const& path) {
        for (auto const& [segment, node] : table) {
            auto key =
                path.empty() ? std::string(segment.str()) : path + "." + std::string(segment.str());
            open_names(key);
            auto const* inner = node.as_table();
            if (inner && is_section(key))
                read_table(*inner, key);
            else if (inner)
                complain_of_section(key, *inner);
            else
                read_node(key, node);
        }
    }

    bool is_section(std::string const& key) const {
        return std::ranges::any_of(table_, [&](setting const& row) {
            return section_like(row.key, key) == key;
        });
    }

    void complain_of_section(std::string const& key, toml::table const& table) {
        std::vector<std::string> sections;
        for (auto const& row : table_)
            if (auto section = section_like(row.key, key); !section.empty())
                sections.push_back(std::move(section));
        complain(
            "{}:{}: unknown section [{}]{}",
            sources_.file,
            table.source().begin.line,
            key,
            suggestion(key, sections)
        );
    }

    // [models.big] makes every key of models.* exist for "big".
    void open_names(std::string const& key) {
        for (auto const& row : table_) {
            auto star = row.key.find(".*.");
            if (star == row.key.npos) continue;
            auto prefix = row.key.substr(0, star + 1);
            if (!key.starts_with(prefix) || key.size() == prefix.size()) continue;
            auto name = key.substr(prefix.size());
            if (name.find('.') != name.npos) continue;
            auto full = with_name(row.key, name);
            loaded_.values.put(full, {&row, std::string(row.fallback), "default"});
        }
    }

    void read_node(std::string const& key, toml::node const& node) {
        auto source = fmt::format("{}:{}", sources_.file, node.source().begin.line);
        if (auto const* row = find(key)) {
            bool const is_list =
                row->type == setting_type::words || row->type == setting_type::numbers;
            if (node.is_array() && !is_list)
                return complain("{}: {} takes one value, and no list", source, key);
            auto value = text_of(node);
            if (!value) return complain("{}: {} is not a plain value", source, key);
            return take(key, *row, std::move(*value), source);
        }
        constexpr std::string_view suffix = "_file";
        if (key.ends_with(suffix)) {
            auto stem = key.substr(0, key.size() - suffix.size());
            auto const* row = find(stem);
            auto path = node.value<std::string>();
            if (row && row->type == setting_type::secret && path)
                return take_file(stem, *row, *path, source);
        }
        std::vector<std::string> known;
        for (auto const& row : table_) known.push_back(key_like(row.key, key));
        complain_of_unknown(source, key, known);
    }

    static std::optional<std::string> text_of(toml::node const& node) {
        if (auto const* text = node.as_string()) return text->get();
        if (auto const* number = node.as_integer()) return std::to_string(number->get());
        if (auto const* number = node.as_floating_point()) return fmt::format("{}", number->get());
        if (auto const* flag = node.as_boolean()) return flag->get() ? "true" : "false";
        auto const* list = node.as_array();
        if (!list) return std::nullopt;
        std::string text;
        for (auto const& item : *list) {
            auto element = item.is_array() ? std::nullopt : text_of(item);
            if (!element) return std::nullopt;
            text += (text.empty() ? "" : ",") + *element;
        }
        return text;
    }

    std::span<setting const> table_;
    settings_sources const& sources_;
    loaded_settings loaded_;
};

std::int64_t to_integer(std::string_view text) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace

settings::entry const& settings::at(std::string_view key) const {
    auto found = entries_.find(key);
    if (found == entries_.end()) throw std::logic_error("no such setting: " + std::string(key));
    return found->second;
}

void settings::put(std::string key, entry value) {
    entries_.insert_or_assign(std::move(key), std::move(value));
}

settings settings::within(std::string_view prefix) const {
    settings found;
    for (auto const& [key, value] : entries_)
        if (key.starts_with(prefix)) found.put(key.substr(prefix.size()), value);
    return found;
}

std::string const& settings::text(std::string_view key) const {
    return at(key).value;
}

secret settings::secret(std::string_view key) const {
    return base::secret(at(key).value);
}

std::int64_t settings::integer(std::string_view key) const {
    return to_integer(at(key).value);
}

duration settings::span(std::string_view key) const {
    return duration_from_text(at(key).value).value_or(duration{0});
}

std::vector<std::string> settings::words(std::string_view key) const {
    return split_words(at(key).value);
}

std::vector<std::int64_t> settings::numbers(std::string_view key) const {
    std::vector<std::int64_t> all;
    for (auto const& word : words(key)) all.push_back(to_integer(word));
    return all;
}

std::vector<std::string> settings::names(std::string_view table) const {
    std::vector<std::string> result;
    for (auto const& [key, value] : entries_) {
        auto name = name_in(value.row->key, key);
        if (name && value.row->key.starts_with(std::string(table) + ".*") &&
            std::ranges::find(result, *name) == result.end())
            result.push_back(*name);
    }
    return result;
}

std::vector<settings::line> settings::effective() const {
    std::vector<line> lines;
    std::vector<entry const*> order;
    std::map<entry const*, std::string_view> keys;
    for (auto const& [key, value] : entries_) {
        order.push_back(&value);
        keys.emplace(&value, key);
    }
    // Rows of one table are contiguous, so their addresses are its order.
    std::ranges::stable_sort(order, std::less<>{}, [](entry const* e) { return e->row; });
    lines.reserve(order.size());
    for (auto const* e : order)
        lines.push_back({std::string(keys.at(e)), masked(*e->row, e->value), e->source, e->row});
    return lines;
}

loaded_settings load_settings(std::span<setting const> table, settings_sources const& sources) {
    return loader(table, sources).load();
}

std::string key_of(setting const& row) {
    return row.always.empty() ? std::string(row.key) : with_name(row.key, row.always);
}

std::string flag_of(setting const& row, std::string_view reserved_prefix) {
    if (row.environment.empty() || row.type == setting_type::secret) return {};
    auto name = row.environment;
    if (name.starts_with(reserved_prefix)) name.remove_prefix(reserved_prefix.size());
    auto flag = "--" + to_lower(std::string(name));
    std::ranges::replace(flag, '_', '-');
    return flag;
}

} // namespace postrider::base
