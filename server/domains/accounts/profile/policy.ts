/** Modules that this platform offers; an account may be restricted to some of them. */
export const PLATFORM_MODULES = ["appointment", "saas"] as const;
