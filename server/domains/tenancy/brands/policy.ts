export const PICTURE_SLOTS = ["logo", "logo-dark", "icon"] as const;
export type PictureSlotName = (typeof PICTURE_SLOTS)[number];

export const PICTURE_MEDIA_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;
export const PICTURE_MAX_MEGABYTES = 2;
export const PRODUCT_NAME_MAX_LENGTH = 60;
