#include "agent/language/words.hpp"
#include "agent/tools/place_table.hpp"
#include "agent/tools/places.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace postrider::agent::places_test {
namespace {

using base::errc;
using testing::HasSubstr;

std::string zone_of(std::string_view place) {
    auto const found = find_place(place);
    return found ? found->name() : found.error().detail;
}

std::vector<std::string> split(std::string_view places) {
    std::vector<std::string> names;
    boost::split(names, places, boost::is_any_of("|"));
    return names;
}

TEST(places, are_found_as_people_write_them) {
    EXPECT_EQ(zone_of("Asia/Tokyo"), "Asia/Tokyo");
    EXPECT_EQ(zone_of("asia/tokyo"), "Asia/Tokyo");
    EXPECT_EQ(zone_of("TOKYO"), "Asia/Tokyo");
    EXPECT_EQ(zone_of("東京"), "Asia/Tokyo");
    EXPECT_EQ(zone_of("new york"), "America/New_York");
    EXPECT_EQ(zone_of("New York City, NY"), "America/New_York");
    EXPECT_EQ(zone_of("São Paulo"), "America/Sao_Paulo");
    EXPECT_EQ(zone_of("Sao Paulo"), "America/Sao_Paulo");
    EXPECT_EQ(zone_of("Zürich"), "Europe/Zurich");
    EXPECT_EQ(zone_of("St. Louis"), "America/Chicago");
    EXPECT_EQ(zone_of("Paris, France"), "Europe/Paris");
    EXPECT_EQ(zone_of("the Netherlands"), "Europe/Amsterdam");
    EXPECT_EQ(zone_of("Лондон"), "Europe/London");
    EXPECT_EQ(zone_of("دبئی"), "Asia/Dubai");
    EXPECT_EQ(zone_of("Côte d'Ivoire"), "Africa/Abidjan");
}

TEST(places, with_several_zones_are_not_guessed) {
    auto const found = find_place("the USA");

    ASSERT_FALSE(found);
    EXPECT_EQ(found.error(), errc::invalid);
    EXPECT_THAT(found.error().detail, HasSubstr("name a city"));
}

TEST(places, that_nobody_knows_are_not_found) {
    for (auto const& place : {std::string("Atlantis"), std::string(), std::string(100'000, 'a')}) {
        auto const found = find_place(place);
        ASSERT_FALSE(found) << found->name();
        EXPECT_EQ(found.error(), errc::not_found);
    }
    EXPECT_THAT(zone_of("Amsterdan"), HasSubstr("did you mean Europe/Amsterdam?"));
}

// POSIX turns the sign of these round.
TEST(places, are_no_zones_of_an_offset) {
    EXPECT_FALSE(find_place("GMT 5"));
}

TEST(places, of_the_table_are_there_once_and_their_zones_exist) {
    std::set<std::string> seen;
    for (auto const& [zone, places] : zones_of_places()) {
        EXPECT_TRUE(base::find_time_zone(zone)) << zone;
        for (auto const& place : split(places)) {
            EXPECT_TRUE(seen.insert(folded(place)).second) << place;
            EXPECT_EQ(zone_of(place), zone) << place;
        }
    }
    for (auto const& place : split(places_with_several_zones()))
        EXPECT_TRUE(seen.insert(folded(place)).second) << place;
}

} // namespace
} // namespace postrider::agent::places_test
