// Linked into every program of a sanitized build. LeakSanitizer names the module of an allocation at the end of the program:
// what Open MPI unloads before has no name by then, and no suppression (tests/sanitizer/leaks.supp) would match it.

extern "C" __attribute__((visibility("default"))) int dlclose(void*)
{
    return 0;
}
