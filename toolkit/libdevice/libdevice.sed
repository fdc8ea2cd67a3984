# On the bitcode as text, each value with a name. The library must mean the same under every option
# of a user. Options may contract a product with a sum, reorder sums and make quotients approximate,
# in code that is linked from bitcode as well; intrinsics they leave alone. A function takes the
# processor of the program that it is linked into.
s/^(.* =) f(add|mul|div) ((nnan|ninf|nsz|arcp|contract|afn|reassoc|fast) )*float (.*), ([^,]*)$/\1 call float @llvm.nvvm.\2.rn.f(float \5, float \6)/
s/^(.* =) f(add|mul|div) ((nnan|ninf|nsz|arcp|contract|afn|reassoc|fast) )*double (.*), ([^,]*)$/\1 call double @llvm.nvvm.\2.rn.d(double \5, double \6)/
s/^  (%[^ ]*) = fsub ((nnan|ninf|nsz|arcp|contract|afn|reassoc|fast) )*float (.*), ([^,]*)$/  \1.neg = fneg float \5\n  \1 = call float @llvm.nvvm.add.rn.f(float \4, float \1.neg)/
s/^  (%[^ ]*) = fsub ((nnan|ninf|nsz|arcp|contract|afn|reassoc|fast) )*double (.*), ([^,]*)$/  \1.neg = fneg double \5\n  \1 = call double @llvm.nvvm.add.rn.d(double \4, double \1.neg)/
/ call /s/@llvm\.fmuladd\.f/@llvm.fma.f/
/^attributes/s/ "[^"]*"(="[^"]*")?//g
