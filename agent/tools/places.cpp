#include "agent/tools/places.hpp"

#include "agent/language/words.hpp"
#include "agent/tools/place_table.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace postrider::agent {

namespace {

constexpr std::size_t longest_place_name = 80;

// Stands where a zone's name does not.
constexpr std::string_view several;

std::string key_of(std::span<word const> words) {
    std::string key;
    for (auto const& word : words) key += (key.empty() ? "" : " ") + word.text;
    return key.starts_with("the ") ? key.substr(4) : key;
}

std::string key_of(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return key_of(words_of(name).words);
}

class index {
public:
    index() {
        add(several, places_with_several_zones());
        for (auto const& [zone, places] : zones_of_places()) add(zone, places);
        // "Europe/Paris" is known by its city, too. "Etc/GMT+5" is behind UTC: nobody means that.
        for (auto const& zone : base::time_zone_names())
            if (!zone.starts_with("Etc/"))
                for (auto const& name : {zone.substr(zone.rfind('/') + 1), zone})
                    zones_.try_emplace(key_of(name), zone);
    }

    std::string const* find(std::string const& key) const {
        auto const entry = zones_.find(key);
        return entry == zones_.end() ? nullptr : &entry->second;
    }

private:
    void add(std::string_view zone, std::string_view places) {
        for (std::size_t begin = 0; begin <= places.size();) {
            auto const end = std::min(places.find('|', begin), places.size());
            zones_.emplace(key_of(std::string(places.substr(begin, end - begin))), zone);
            begin = end + 1;
        }
    }

    std::unordered_map<std::string, std::string> zones_;
};

// By the whole text, then by what stands before its first comma.
std::string const* look_up(std::string_view text) {
    static index const places;
    auto const words = words_of(text).words;
    if (auto const* zone = places.find(key_of(words))) return zone;
    auto const comma =
        std::ranges::find_if(words, [](word const& w) { return w.before == gap::comma; });
    if (comma == words.end()) return nullptr;
    return places.find(key_of(std::span(words.begin(), comma)));
}

} // namespace

base::result<base::time_zone> find_place(std::string_view text) {
    auto const* zone_name = text.size() <= longest_place_name ? look_up(text) : nullptr;
    if (!zone_name) return base::find_time_zone(text);
    if (*zone_name == several)
        return base::error(
            base::errc::invalid,
            "there are several time zones in " + std::string(text) + ": name a city"
        );
    return base::find_time_zone(*zone_name);
}

} // namespace postrider::agent
