export const PICTURES = ["logo", "logo-dark", "icon"] as const;
export type Picture = (typeof PICTURES)[number];

export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;
export const PICTURE_MAX_MEGABYTES = 2;
export const PRODUCT_NAME_MAX_LENGTH = 60;
