#pragma once
// Settings in layers: flags > environment > environment file > file > defaults, each value checked against one table
// (base/setting.hpp) that also makes the help, the documentation and the printed configuration.
//
// load_settings() never stops at the first mistake: it returns every problem at once, unknown keys
// with the key that was probably meant. An empty value in a layer counts as not given there. For
// any environment name NAME, NAME_FILE names a file that holds the value; for a secret in the file,
// so does KEY_file. Reads files, and no environment: that comes in as a map.
#include "base/clock.hpp"
#include "base/environment_file.hpp"
#include "base/secret.hpp"
#include "base/setting.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::base {

using environment = std::map<std::string, std::string, std::less<>>;

struct settings_sources {
    std::map<std::string, std::string, std::less<>> flags; // key → value
    base::environment environment;
    base::environment_file environment_file = {};
    std::string reserved_prefix; // an environment name with this prefix must be known
    std::string file;            // TOML; "" = none
    bool file_required = false;  // otherwise a missing file is an empty one
};

class settings {
public:
    // Of a key of the table, with its "*" replaced. The value is fit for its type when
    // load_settings() reported no problem. An unknown key is a defect: std::logic_error.
    std::string const& text(std::string_view key) const;
    base::secret secret(std::string_view key) const;
    std::int64_t integer(std::string_view key) const;
    duration span(std::string_view key) const;
    std::vector<std::string> words(std::string_view key) const;
    std::vector<std::int64_t> numbers(std::string_view key) const;

    // The names that the user chose: names("models") of [models.default] and [models.big].
    std::vector<std::string> names(std::string_view table) const;

    struct line {
        std::string key;
        std::string value;  // masked
        std::string source; // "default", "postrider.toml:3", "postrider.env:1", "--listen"
        setting const* row = nullptr; // of the table
    };
    // The effective configuration in the table's order.
    std::vector<line> effective() const;

    struct entry {
        setting const* row;
        std::string value;
        std::string source;
    };
    void put(std::string key, entry value);
    bool has(std::string_view key) const { return entries_.contains(key); }
    // Those whose keys begin so, by what stands behind: "url" of "tools.web_search.url".
    settings within(std::string_view prefix) const;

private:
    entry const& at(std::string_view key) const;
    std::map<std::string, entry, std::less<>> entries_;
};

struct loaded_settings {
    settings values;
    std::vector<std::string> problems; // empty = all is well
};

// The table must outlive the settings.
loaded_settings load_settings(std::span<setting const> table, settings_sources const& sources);

// The key that the environment and the flags set: "bots.main.owners" of "bots.*.owners", for which
// the name main is always there.
std::string key_of(setting const& row);

// "--log-level" of POSTRIDER_LOG_LEVEL: every key that is in the environment and no secret is a
// flag.
// "" where there is none.
std::string flag_of(setting const& row, std::string_view reserved_prefix);

} // namespace postrider::base
