#pragma once
// The files of sql/ within the program. The generated file that defines them includes this alone: all of
// schema.hpp would take seconds to read.
#include <span>
#include <string_view>

namespace postrider::storage {

struct schema_file {
    std::string_view name;   // "tables/0001_engine", "functions/lanes"
    std::string_view digest; // of its text, SHA-256 in hex
    std::string_view sql;
};

// Each kind in the order in which its files are applied.
struct schema {
    std::string_view release; // "1.2.3", for people
    int number = 0;           // of sql/number: functions and views of a greater one are left alone
    std::span<schema_file const> tables;
    std::span<schema_file const> functions;
    std::span<schema_file const> views;
};

schema const& embedded_schema();

} // namespace postrider::storage
