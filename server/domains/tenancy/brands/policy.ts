/** Pictures of a brand by their place: the logo, the one for dark pages, and the mark in tabs and the narrow menu. */
export const PICTURES = ["logo", "logo-dark", "icon"] as const;
export type Picture = (typeof PICTURES)[number];

/** Accepted pictures, by their content. */
export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;
export const PICTURE_MAX_MEGABYTES = 2;
export const PRODUCT_NAME_MAX = 60;
