# Part of the installed package: generated projects call these functions.

# The warnings that runtime and generated code are clean under.
function(penstock_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
endfunction()

# Where it is installed, the mold linker (a tenth of a second less for each binary).
function(penstock_link target)
  find_program(PENSTOCK_MOLD mold)
  if(PENSTOCK_MOLD)
    target_link_options(${target} PRIVATE -fuse-ld=mold)
  endif()
endfunction()

# Links `target` with the runtime, with the house's warnings.
function(penstock_target target)
  target_link_libraries(${target} PRIVATE penstock::penstock)
  penstock_warnings(${target})
  penstock_link(${target})
endfunction()
