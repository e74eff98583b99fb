# Shared build rules: what every target of Triaxis is compiled with, and how a test is declared.

add_library(triaxis_options INTERFACE)
target_include_directories(triaxis_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(triaxis_options INTERFACE -Wall -Wextra -Wpedantic -Werror=switch)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 reports overlap in std::string's operator+ where there is none (GCC bug 105651).
    target_compile_options(triaxis_options INTERFACE -Wno-restrict)
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
    target_link_options(triaxis_options INTERFACE -fsanitize=address,undefined)
endif()

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
endfunction()

# Silent narrowing is an error of the arithmetic kind: the computing folders are compiled with this.
function(triaxis_strict_conversions name)
    target_compile_options(${name} PRIVATE -Wconversion -Wno-sign-conversion)
endfunction()

# triaxis_test(NAME SOURCES … LIBRARIES … [RANKS n] [TIMEOUT s])
# One Qt Test executable and one CTest entry. Its main source includes "<name>.moc".
function(triaxis_test name)
    cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS" ${ARGN})
    if(NOT T_TIMEOUT)
        set(T_TIMEOUT 120)
    endif()
    add_executable(${name} ${T_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_link_libraries(${name} PRIVATE triaxis_options ${T_LIBRARIES} Qt6::Test)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES
        TIMEOUT ${T_TIMEOUT}
        LABELS "${T_LABELS}"
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;TRIAXIS_BIN=${CMAKE_BINARY_DIR}/bin;TRIAXIS_SHARED=${CMAKE_SOURCE_DIR}/../shared")
endfunction()
