//! Whether the CPU has what the build assumes.
//!
//! The standard detection macros cannot tell: for a feature that the build assumes they answer yes
//! without asking. So this asks the CPU itself.

/// The first instruction-set extension that this build assumes and this CPU (or the operating
/// system) lacks; `None` if all is well.
///
/// To be asked first thing in `main`: otherwise the process dies of an illegal instruction.
#[cold]
#[inline(never)]
pub fn cpu_lacks() -> Option<&'static str> {
    imp::cpu_lacks()
}

#[cfg(target_arch = "x86_64")]
mod imp {
    #![expect(unsafe_code, reason = "reads a control register")]

    use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

    /// An answer of CPUID.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Register {
        /// Leaf 1.
        Leaf1Ecx,
        /// Leaf 7, sub-leaf 0.
        Leaf7Ebx,
        Leaf7Ecx,
        /// Leaf `8000_0001h`.
        ExtendedEcx,
    }

    /// What the operating system must save when it switches tasks (bits of XCR0).
    const NONE: u64 = 0;
    const YMM: u64 = 0b110;
    const ZMM: u64 = 0b1110_0110;

    struct Feature {
        name: &'static str,
        is_assumed: bool,
        register: Register,
        bit: u32,
        state: u64,
    }

    macro_rules! features {
        ($($name:tt: $register:ident $bit:literal $state:ident;)*) => {
            &[$(Feature {
                name: $name,
                is_assumed: cfg!(target_feature = $name),
                register: Register::$register,
                bit: $bit,
                state: $state,
            }),*]
        };
    }

    /// What compilers make use of in code such as ours. Bits from Intel's manual, volume 2A, CPUID.
    static FEATURES: &[Feature] = features! {
        "sse3": Leaf1Ecx 0 NONE;
        "pclmulqdq": Leaf1Ecx 1 NONE;
        "ssse3": Leaf1Ecx 9 NONE;
        "fma": Leaf1Ecx 12 YMM;
        "sse4.1": Leaf1Ecx 19 NONE;
        "sse4.2": Leaf1Ecx 20 NONE;
        "movbe": Leaf1Ecx 22 NONE;
        "popcnt": Leaf1Ecx 23 NONE;
        "avx": Leaf1Ecx 28 YMM;
        "f16c": Leaf1Ecx 29 YMM;
        "lzcnt": ExtendedEcx 5 NONE;
        "sse4a": ExtendedEcx 6 NONE;
        "bmi1": Leaf7Ebx 3 NONE;
        "avx2": Leaf7Ebx 5 YMM;
        "bmi2": Leaf7Ebx 8 NONE;
        "adx": Leaf7Ebx 19 NONE;
        "avx512f": Leaf7Ebx 16 ZMM;
        "avx512dq": Leaf7Ebx 17 ZMM;
        "avx512ifma": Leaf7Ebx 21 ZMM;
        "avx512cd": Leaf7Ebx 28 ZMM;
        "avx512bw": Leaf7Ebx 30 ZMM;
        "avx512vl": Leaf7Ebx 31 ZMM;
        "avx512vbmi": Leaf7Ecx 1 ZMM;
        "avx512vbmi2": Leaf7Ecx 6 ZMM;
        "gfni": Leaf7Ecx 8 NONE;
        "vaes": Leaf7Ecx 9 YMM;
        "vpclmulqdq": Leaf7Ecx 10 YMM;
        "avx512vnni": Leaf7Ecx 11 ZMM;
        "avx512bitalg": Leaf7Ecx 12 ZMM;
        "avx512vpopcntdq": Leaf7Ecx 14 ZMM;
    };

    pub(super) fn cpu_lacks() -> Option<&'static str> {
        let cpu = Cpu::ask();
        FEATURES.iter().find(|feature| feature.is_assumed && !cpu.has(feature)).map(|f| f.name)
    }

    struct Cpu {
        registers: [(Register, u32); 4],
        /// The register states that the operating system saves.
        state: u64,
    }

    impl Cpu {
        fn ask() -> Cpu {
            let highest = __cpuid(0).eax;
            let leaf1 = __cpuid(1);
            let leaf7 = if highest >= 7 { Some(__cpuid_count(7, 0)) } else { None };
            let extended =
                if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
            let has_xgetbv = leaf1.ecx >> 27 & 1 != 0;
            Cpu {
                registers: [
                    (Register::Leaf1Ecx, leaf1.ecx),
                    (Register::Leaf7Ebx, leaf7.map_or(0, |leaf| leaf.ebx)),
                    (Register::Leaf7Ecx, leaf7.map_or(0, |leaf| leaf.ecx)),
                    (Register::ExtendedEcx, extended),
                ],
                // SAFETY: the OSXSAVE bit just read says that XGETBV is there, and XCR0 always is.
                state: if has_xgetbv { unsafe { _xgetbv(0) } } else { 0 },
            }
        }

        fn has(&self, feature: &Feature) -> bool {
            let in_silicon = self.registers.iter().any(|&(register, bits)| {
                register == feature.register && bits >> feature.bit & 1 != 0
            });
            in_silicon && self.state & feature.state == feature.state
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::arch::is_x86_feature_detected;

        #[test]
        fn this_cpu_has_what_this_build_assumes() {
            assert_eq!(super::cpu_lacks(), None);
        }

        #[test]
        fn a_feature_that_is_not_there_is_named() {
            let bare = Cpu { registers: [(Register::Leaf1Ecx, 0); 4], state: 0 };
            assert!(FEATURES.iter().all(|feature| !bare.has(feature)));
            // AVX2 in silicon does not help if the operating system does not save its registers.
            let mut cpu = Cpu::ask();
            cpu.state = 0;
            let avx2 = FEATURES.iter().find(|feature| feature.name == "avx2").unwrap();
            assert!(!cpu.has(avx2));
        }

        /// Tells something for features that the build does not assume, as in an x86-64-v2 build.
        #[test]
        fn the_answers_are_those_of_the_standard_library() {
            let cpu = Cpu::ask();
            macro_rules! check {
                ($($name:tt)*) => {$({
                    let feature = FEATURES.iter().find(|f| f.name == $name).unwrap();
                    assert_eq!(cpu.has(feature), is_x86_feature_detected!($name), $name);
                })*};
            }
            check! {
                "sse3" "pclmulqdq" "ssse3" "fma" "sse4.1" "sse4.2" "movbe" "popcnt" "avx" "f16c"
                "lzcnt" "sse4a" "bmi1" "avx2" "bmi2" "adx" "avx512f" "avx512dq" "avx512ifma"
                "avx512cd" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2" "gfni" "vaes"
                "vpclmulqdq" "avx512vnni" "avx512bitalg" "avx512vpopcntdq"
            }
        }
    }
}

/// Elsewhere a build assumes only what its whole architecture has.
#[cfg(not(target_arch = "x86_64"))]
mod imp {
    pub(super) fn cpu_lacks() -> Option<&'static str> {
        None
    }
}
