export const LEGAL_TEXTS = [
  "terms",
  "privacy",
  "yurtdisi",
  "cagri_kayit",
  "marketing",
  "analytics",
  "cookie_marketing",
  "agreement",
] as const;
export type LegalTextKey = (typeof LEGAL_TEXTS)[number];

export const LEGAL_TEXT_MAX_LENGTH = 60_000;
