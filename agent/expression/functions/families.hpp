#pragma once
// The families of functions, each in the file of its name.
#include "agent/expression/functions.hpp"

namespace postrider::agent::expressions {

extern function_family const arrays_family;
extern function_family const bits_family;
extern function_family const calendar_family;
extern function_family const encodings_family;
extern function_family const format_family;
extern function_family const ids_family;
extern function_family const numbers_family;
extern function_family const objects_family;
extern function_family const optionals_family;
extern function_family const patterns_family;
extern function_family const search_family;
extern function_family const sets_family;
extern function_family const strings_family;
extern function_family const time_family;
extern function_family const types_family;

} // namespace postrider::agent::expressions
