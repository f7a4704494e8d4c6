import * as z from "zod";
import type { ThemeName } from "@/server/core/brand-colour";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { isPlainName } from "@/server/core/plain-name";
import { email, phone, textLine, updatedAt } from "@/server/core/schema";
import { EXPECTED_DESCRIPTION } from "@/server/core/stale";
import { PICTURE_MAX_MEGABYTES, PICTURE_MEDIA_TYPES, PICTURE_SLOTS, PRODUCT_NAME_MAX_LENGTH } from "./policy";

const hex = z.string().meta({ example: "#b45309" });
const contrast = z.number().meta({ example: 4.56 });

const Shades = f.namedObject("BrandShades", "Shades of the brand colour for one theme.", {
  fill: hex.meta({ description: "Background colour, for example of a button: the chosen colour." }),
  hover: hex.meta({ description: "Colour of `fill` on hover.", example: "#92400e" }),
  border: hex.meta({
    description: "Border of `fill`, focus ring and marks. Equals `fill` if its contrast is at least 3:1.",
  }),
  foreground: hex.meta({ description: "Text colour on `fill`.", example: "#ffffff" }),
  soft: hex.meta({ description: "Tint for soft backgrounds.", example: "#fef3c7" }),
  text: hex.meta({ description: "Text colour on the page.", example: "#92400e" }),
  contrast: z
    .object({
      fill: contrast.meta({ description: "Lowest contrast of `fill` on any surface." }),
      border: contrast.meta({ description: "Lowest contrast of `border` on any surface." }),
      foreground: contrast.meta({ description: "Contrast of `foreground` on `fill`." }),
      text: contrast.meta({ description: "Lowest contrast of `text` on any surface." }),
    })
    .meta({ description: "Contrast ratios from 1 to 21; 4.56 means 4.56:1." }),
});

const pictureUrl = z
  .string()
  .nullable()
  .meta({ example: "https://example.com/media/brands/01JZ8XK5M0QW3R9T7V2B4N6C8D.png" });

const Brand = f.namedObject("Brand", "Name, colours and pictures of a reseller's panel.", {
  product_name: f.text("Name of the product.", "Kaya Panel"),
  color: f.nullable(z.string(), "Chosen colour; null for the platform's colours.", "#F59E0B"),
  palette: f.nullable(
    z.object({ light: Shades, dark: Shades } satisfies Record<ThemeName, unknown>),
    "Accessible shades for both themes, computed from `color`; null without a colour.",
  ),
  logo_url: pictureUrl.meta({ description: "URL of the logo; null if none." }),
  logo_dark_url: pictureUrl.meta({
    description: "URL of the logo for dark backgrounds; null if none.",
    example: null,
  }),
  icon_url: pictureUrl.meta({ description: "URL of the icon; null if none.", example: null }),
  support_email: f.nullable(
    z.string(),
    "Support address for customers; null for the platform's.",
    "destek@example.com",
  ),
  support_phone: f.nullable(
    z.string(),
    "Support phone number for customers; null if none.",
    "+90 312 555 00 34",
  ),
  updated_at: updatedAt,
});
export type Brand = z.infer<typeof Brand>;

const output = f.success({ brand: f.nullable(Brand, "Brand of the reseller; null if none.") });
const changeOutput = f.changeOutput({ brand: Brand });

const BRAND_OPERATION = {
  tag: "Branding",
  path: "/api/reseller/brand",
  access: "token",
  errors: ["agreement_unsigned"],
} as const;

export const getBrand = operation({
  ...BRAND_OPERATION,
  id: "getBrand",
  method: "GET",
  summary: "Get the reseller's brand",
  description:
    "Name, colours, pictures and support contact that the reseller, the team and the customers see in the " +
    "panel, in emails and on the portal. `brand` is null if the reseller has none. The platform's is then " +
    "used.",
  ability: "reseller:read",
  output,
});

export const putBrand = operation({
  ...BRAND_OPERATION,
  id: "putBrand",
  method: "PUT",
  summary: "Set up or change the reseller's brand",
  description: `Computes the shades of both themes from \`color\` and returns them with their contrasts. Pictures are uploaded with \`uploadBrandPicture\`. ${EXPECTED_DESCRIPTION}`,
  ability: "*",
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    product_name: textLine({ max: PRODUCT_NAME_MAX_LENGTH })
      .refine(isPlainName, { error: "validation.text" })
      .meta({ description: "Name of the product.", example: "Kaya Panel" }),
    color: f.nullish(
      z
        .string()
        .regex(/^#[0-9a-fA-F]{6}$/, { error: "validation.color" })
        .transform((value) => value.toUpperCase()),
      "Colour as `#RRGGBB`. Null resets it to the platform's colours; when omitted, it stays unchanged.",
      "#F59E0B",
    ),
    support_email: f.nullish(
      email,
      "Support address in emails, on sign-in pages and in the panel. Null resets it to the platform's; when " +
        "omitted, it stays unchanged.",
      "destek@example.com",
    ),
    support_phone: f.nullish(
      phone,
      "Support phone number. Null removes it; when omitted, it stays unchanged.",
      "+90 312 555 00 34",
    ),
    expected: f.nullish(
      Brand.pick({ product_name: true, color: true, support_email: true, support_phone: true }).partial({
        support_email: true,
        support_phone: true,
      }),
      "Values the caller last saw; null if there was no brand.",
    ),
  }),
  output: changeOutput,
  errors: ["agreement_unsigned", "stale"],
});

const PICTURE_OPERATION = {
  ...BRAND_OPERATION,
  path: "/api/reseller/brand/{picture}",
  ability: "*",
  params: z.object({
    picture: f.oneOf(
      PICTURE_SLOTS,
      "`logo`, `logo-dark` for dark backgrounds, or `icon` for browser tabs and the narrow menu.",
    ),
  }),
  output: changeOutput,
  record: "Brand",
  errors: ["agreement_unsigned", "record_not_found"],
} as const;

export const uploadBrandPicture = operation({
  ...PICTURE_OPERATION,
  id: "uploadBrandPicture",
  method: "POST",
  summary: "Upload a picture of the brand",
  description:
    "JPEG, PNG or WEBP of at most 2 MB, detected by content. A logo is scaled to at most 1,024 by 256 " +
    "pixels, an icon to 192 by 192. Pictures are stored as PNG without metadata and are public. A reseller " +
    "who has no brand yet gets one named after the account.",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  upload: { field: "file", maxBytes: PICTURE_MAX_MEGABYTES * 1024 * 1024, types: PICTURE_MEDIA_TYPES },
});

export const removeBrandPicture = operation({
  ...PICTURE_OPERATION,
  id: "removeBrandPicture",
  method: "DELETE",
  summary: "Remove a picture of the brand",
  description: "Also succeeds if the brand has no such picture. 404 if the reseller has no brand.",
});
