/** Required to open an account (docs/contract.md 2.2). Turkish keys: transfer abroad, recording of calls. */
export const MANDATORY_CONSENTS = ["terms", "privacy", "yurtdisi", "cagri_kayit"] as const;
export const OPTIONAL_CONSENTS = ["marketing", "analytics", "cookie_marketing"] as const;
export const CONSENTS = [...MANDATORY_CONSENTS, ...OPTIONAL_CONSENTS] as const;
export type ConsentKey = (typeof CONSENTS)[number];
export type MandatoryConsent = (typeof MANDATORY_CONSENTS)[number];
