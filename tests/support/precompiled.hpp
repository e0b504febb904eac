// What nearly every test includes; built once, without optimisation, for all test programs.
#include "base/json.hpp"
#include "base/precompiled.hpp"
#include "storage/database.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>
