/* crt/sm_70_rt.hpp: clang includes it for sm_70. The file is empty: that hardware is not simulated.
 * */
