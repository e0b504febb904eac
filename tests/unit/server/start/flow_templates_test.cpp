// The flows to begin with: each file of the folder is listed, and shows what a person must fill in.
#include "agent/flow/validate/validate.hpp"
#include "server/start/flow_templates.hpp"
#include "tests/support/flow_template.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::server::flow_templates_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

struct rectangle {
    double x, y, width, height;
};

bool overlap(rectangle const& left, rectangle const& right) {
    return left.x < right.x + right.width && right.x < left.x + left.width &&
           left.y < right.y + right.height && right.y < left.y + left.height;
}

// As the editor draws them.
std::vector<rectangle> drawn(json::object const& document) {
    constexpr double card_width = 220, card_height = 84, part_width = 112, part_height = 64;
    auto const is_part = [&](json::value const& node) {
        for (auto const& link : document.at("connections").as_array())
            if (link.at("from") == node.at("id") && link.as_object().contains("type")) return true;
        return false;
    };
    std::vector<rectangle> rectangles;
    for (auto const& node : document.at("nodes").as_array()) {
        auto const x = node.at("position").at(0).to_number<double>();
        auto const y = node.at("position").at(1).to_number<double>();
        if (is_part(node))
            rectangles.push_back({x, y, part_width, part_height});
        else
            rectangles.push_back({x, y, card_width, card_height});
    }
    for (auto const& note : document.at("notes").as_array())
        rectangles.push_back(
            {note.at("x").to_number<double>(),
             note.at("y").to_number<double>(),
             note.at("width").to_number<double>(),
             note.at("height").to_number<double>()}
        );
    return rectangles;
}

std::vector<agent::flow::problem> problems_of(json::object const& document) {
    static auto const types = agent::flow::builtin_types();
    return agent::flow::examine(json::serialize(document), types).problems;
}

// "tell.chat", of /nodes/3/parameters/chat.
std::string place_of(json::object const& document, agent::flow::problem const& problem) {
    auto const& nodes = document.at("nodes").as_array();
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        auto const before = "/nodes/" + std::to_string(at) + "/parameters/";
        if (problem.path.starts_with(before))
            return std::string(nodes[at].at("id").as_string()) + "." +
                   problem.path.substr(before.size());
    }
    return problem.path;
}

TEST(flow_templates, are_all_files_of_their_folder) {
    std::set<std::string> files;
    for (auto const& file : std::filesystem::directory_iterator(tests::source("flows/templates")))
        files.insert(file.path().stem());

    for (auto const& name : files)
        EXPECT_TRUE(find_flow_template(name)) << name << " is no line of flow_templates.def";
    EXPECT_EQ(flow_templates().size(), files.size() + 2) << "and the shipped agents";
}

TEST(flow_templates, explain_themselves) {
    for (auto const& shipped : flow_templates()) {
        SCOPED_TRACE(shipped.name);
        EXPECT_THAT(shipped.title, Not(IsEmpty()));
        EXPECT_THAT(shipped.title, SizeIs(testing::Le(40u)));
        EXPECT_THAT(shipped.description, SizeIs(testing::Le(150u)));
        EXPECT_EQ(std::ranges::count(shipped.description, '.'), 1) << "one sentence";
        EXPECT_TRUE(shipped.description.ends_with("."));
        EXPECT_EQ(shipped.document.at("notes").at(0).at("color"), "yellow") << "what to do first";
        auto const places = drawn(shipped.document);
        for (std::size_t at = 0; at < places.size(); ++at)
            for (std::size_t other = 0; other < at; ++other)
                EXPECT_FALSE(overlap(places[at], places[other])) << at << " lies on " << other;
    }
}

TEST(flow_templates, miss_nothing_but_what_is_a_persons_own) {
    for (auto const& shipped : flow_templates()) {
        SCOPED_TRACE(shipped.name);
        std::set<std::string> missing;
        for (auto const& problem : problems_of(shipped.document)) {
            EXPECT_EQ(problem.code, "missing_parameter") << to_text(problem);
            EXPECT_TRUE(missing.insert(place_of(shipped.document, problem)).second)
                << to_text(problem) << " is told twice";
        }
        EXPECT_EQ(missing, tests::open_places(shipped.document));
        auto const& notes = json::serialize(shipped.document.at("notes"));
        EXPECT_EQ(notes.find("**Fill in**") != notes.npos, !missing.empty());
    }
}

TEST(flow_templates, become_documents_of_other_names) {
    auto const* digest = find_flow_template("rss_digest");
    ASSERT_TRUE(digest);

    auto document = json::parse(new_flow_document("news", digest)).as_object();
    EXPECT_EQ(document.at("name"), "news");
    document["name"] = "rss_digest";
    EXPECT_EQ(document, digest->document);
    EXPECT_THAT(json::parse(new_flow_document("mine", nullptr)).at("nodes").as_array(), IsEmpty());
    EXPECT_FALSE(find_flow_template("rss"));
    EXPECT_THAT(no_such_template("rss_digets"), HasSubstr("did you mean rss_digest?"));
}

} // namespace
} // namespace postrider::server::flow_templates_test
