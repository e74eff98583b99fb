# Shared build rules: what every target of Triaxis is compiled with, and how a test is declared.

add_library(triaxis_options INTERFACE)
target_include_directories(triaxis_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(triaxis_options INTERFACE -Wall -Wextra -Wpedantic -Werror=switch)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 reports overlap in std::string's operator+, and bounds in its moves, where there is nothing wrong (GCC bug 105651).
    target_compile_options(triaxis_options INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
                           -Wno-stringop-overread)
endif()
if(TRIAXIS_WERROR)
    target_compile_options(triaxis_options INTERFACE -Werror)
endif()
if(TRIAXIS_NATIVE)
    target_compile_options(triaxis_options INTERFACE -march=native)
endif()
if(TRIAXIS_SANITIZE)
    target_compile_options(triaxis_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                                     -fno-omit-frame-pointer)
    target_link_options(triaxis_options INTERFACE -fsanitize=address,undefined -Wl,--export-dynamic-symbol=dlclose)
    target_sources(triaxis_options INTERFACE
        $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${CMAKE_SOURCE_DIR}/tests/sanitizer/keep_modules.cpp>)
endif()

# Two hundred programs are linked for the tests: gold, of the same package as the usual linker, needs half of its time.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold TRIAXIS_HAS_GOLD)
if(TRIAXIS_HAS_GOLD AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    target_link_options(triaxis_options INTERFACE -fuse-ld=gold)
endif()

# Headers that almost every source reads are parsed once for each family of targets: a quarter of the time it takes to build.
# Sources still include what they use; -DTRIAXIS_PRECOMPILE=OFF builds without, and shows a forgotten include.
option(TRIAXIS_PRECOMPILE "Parse common headers once" ON)
if(TRIAXIS_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(triaxis_options INTERFACE -fpch-preprocess)
endif()
# Tests are compiled once and run for seconds: less optimisation saves a third of the time of their compilation.
set(triaxis_test_options -O1 -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
set(triaxis_common_headers <algorithm> <array> <chrono> <cmath> <cstdint> <cstdio> <cstring> <filesystem> <fstream>
    <functional> <limits> <map> <memory> <optional> <set> <sstream> <string> <utility> <vector> <nlohmann/json.hpp>)

# triaxis_precompiled(NAME LIBRARIES … HEADERS …): a family, for targets that link the same libraries.
function(triaxis_precompiled name)
    if(NOT TRIAXIS_PRECOMPILE)
        return()
    endif()
    cmake_parse_arguments(P "" "" "LIBRARIES;HEADERS;OPTIONS" ${ARGN})
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${name}.cpp CONTENT "")
    add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/generated/${name}.cpp)
    target_link_libraries(${name} PRIVATE triaxis_options nlohmann_json::nlohmann_json ${P_LIBRARIES})
    target_compile_options(${name} PRIVATE ${P_OPTIONS})
    target_precompile_headers(${name} PRIVATE ${triaxis_common_headers} ${P_HEADERS})
endfunction()

# triaxis_use_precompiled(FAMILY TARGET …)
function(triaxis_use_precompiled family)
    if(TRIAXIS_PRECOMPILE)
        foreach(target IN LISTS ARGN)
            target_precompile_headers(${target} REUSE_FROM ${family})
        endforeach()
    endif()
endfunction()

# triaxis_library(NAME FOLDER …): a static library of every source of the named folders below the current one.
function(triaxis_library name)
    set(sources)
    foreach(folder IN LISTS ARGN)
        file(GLOB found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
        list(APPEND sources ${found})
    endforeach()
    add_library(${name} STATIC ${sources})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(${name} PRIVATE triaxis_options)
    triaxis_use_precompiled(triaxis_common ${name})
endfunction()

# Silent narrowing is an error of the arithmetic kind: the computing folders are compiled with this.
function(triaxis_strict_conversions name)
    target_compile_options(${name} PRIVATE -Wconversion -Wno-sign-conversion)
endfunction()

# What every Qt Test executable is linked with. Its first source includes "<source>.moc", made by one call of moc: AUTOMOC would
# scan, and compile an empty source, for each of two hundred programs. Qt names the folders of the test in definitions, which
# would tie the common headers to one folder; no test looks for data there.
function(triaxis_qt_test name)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_link_libraries(${name} PRIVATE triaxis_options ${ARGN} Qt6::Test)
    target_compile_options(${name} PRIVATE ${triaxis_test_options})
    get_target_property(sources ${name} SOURCES)
    list(GET sources 0 main)
    get_filename_component(base ${main} NAME_WE)
    set(moc ${CMAKE_CURRENT_BINARY_DIR}/${name}_moc/${base}.moc)
    qt_generate_moc(${CMAKE_CURRENT_SOURCE_DIR}/${main} ${moc} TARGET ${name})
    target_sources(${name} PRIVATE ${moc})
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${name}_moc)
    get_target_property(libraries ${name} LINK_LIBRARIES)
    if("${libraries}" MATCHES "Qt6::Widgets")
        triaxis_use_precompiled(triaxis_ui_test_headers ${name})
    elseif(NOT "${libraries}" MATCHES "Qt6::Gui") # which defines more than the common headers were parsed with
        triaxis_use_precompiled(triaxis_test_headers ${name})
    endif()
endfunction()

# triaxis_test(NAME SOURCES … LIBRARIES … [RANKS n] [TIMEOUT s])
# One Qt Test executable and one CTest entry. The first source is the test.
function(triaxis_test name)
    cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS" ${ARGN})
    if(NOT T_TIMEOUT)
        set(T_TIMEOUT 120)
    endif()
    add_executable(${name} ${T_SOURCES})
    triaxis_qt_test(${name} ${T_LIBRARIES})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES
        TIMEOUT ${T_TIMEOUT}
        LABELS "${T_LABELS}"
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;TRIAXIS_BIN=${CMAKE_BINARY_DIR}/bin;TRIAXIS_SHARED=${CMAKE_SOURCE_DIR}/../shared")
endfunction()
