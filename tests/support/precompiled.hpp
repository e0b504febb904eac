// What nearly every test includes; built once, without optimisation, for all test programs.
#include "base/json/json.hpp"
#include "base/precompiled.hpp"
#include "storage/database.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
