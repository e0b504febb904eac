// What is said of documents that cannot be read, and how collections are called.
#include "agent/knowledge/collection.hpp"
#include "agent/knowledge/document.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::knowledge::document_test {
namespace {

TEST(document, says_in_a_sentence_why_it_cannot_be_read) {
    EXPECT_EQ(
        sentence_of({base::errc::refused, "the host x is not allowed"}),
        "The host x is not allowed."
    );
    EXPECT_EQ(sentence_of({base::errc::invalid, "It is broken."}), "It is broken.");
    EXPECT_EQ(sentence_of(base::errc::timeout), "The server that has it did not answer in time.");
    EXPECT_EQ(sentence_of(base::errc::internal), "The document cannot be read.");
}

TEST(collection, has_no_name_by_which_removed_documents_are_found) {
    EXPECT_TRUE(is_collection_name("hand-book"));
    EXPECT_FALSE(is_collection_name("-"));
}

} // namespace
} // namespace postrider::agent::knowledge::document_test
