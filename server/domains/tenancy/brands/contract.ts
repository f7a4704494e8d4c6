import * as z from "zod";
import type { ThemeName } from "@/server/core/brand-colour";
import { operation } from "@/server/core/contract";
import { isPlainName } from "@/server/core/plain-name";
import { email, line, message, phone, success, timestamp } from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { PICTURE_MAX_MEGABYTES, PICTURE_TYPES, PICTURES, PRODUCT_NAME_MAX } from "./policy";

const hex = z.string().meta({ example: "#b45309" });
const contrast = z.number().meta({ example: 4.56 });

const Shades = z
  .object({
    fill: hex,
    hover: hex,
    foreground: hex,
    soft: hex,
    text: hex,
    /** The least contrast of each, to one: of `fill` on every surface, of words on `fill`, of `text` on every surface. */
    contrast: z.object({ fill: contrast, foreground: contrast, text: contrast }),
  })
  .meta({ id: "BrandShades" });

const picture = z
  .string()
  .nullable()
  .meta({ example: "https://example.com/media/brands/01JZ8XK5M0QW3R9T7V2B4N6C8D.png" });

const Brand = z
  .object({
    product_name: z.string().meta({ example: "Kaya Panel" }),
    /** As it was chosen; null: the platform's own colours. */
    color: z.string().nullable().meta({ example: "#F59E0B" }),
    /** What is made of it for both themes, so that everything stays readable. */
    palette: z.object({ light: Shades, dark: Shades } satisfies Record<ThemeName, unknown>).nullable(),
    logo_url: picture,
    logo_dark_url: picture,
    icon_url: picture,
    /** Whom customers ask for help. Null: the platform's address. */
    support_email: z.string().nullable().meta({ example: "destek@example.com" }),
    support_phone: z.string().nullable().meta({ example: "+90 312 555 00 34" }),
    updated_at: timestamp,
  })
  .meta({ id: "Brand" });
export type Brand = z.infer<typeof Brand>;

const output = z.object({ success, brand: Brand.nullable() });
const changed = z.object({ success, message, brand: Brand });

const OWN = {
  tag: "Branding",
  path: "/api/reseller/brand",
  access: "token",
  status: 200,
  errors: ["agreement_unsigned"],
} as const;

export const getBrand = operation({
  ...OWN,
  id: "getBrand",
  method: "GET",
  summary: "Get the reseller's brand",
  description:
    "Name, colour and pictures that the reseller, the team and the customers see in the panel, in mails and on the portal. " +
    "`brand` is null if there is none: they see the platform's.",
  ability: "reseller:read",
  output,
});

export const putBrand = operation({
  ...OWN,
  id: "putBrand",
  method: "PUT",
  summary: "Set up or change the reseller's brand",
  description: `From \`color\`, the colours of both themes are computed and stored; the answer has their contrasts. ${EXPECTED_TEXT}`,
  ability: "*",
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    product_name: line({ max: PRODUCT_NAME_MAX })
      .refine(isPlainName, { error: "validation.text" })
      .meta({ example: "Kaya Panel" }),
    /** `#RRGGBB`. Null: the platform's own colours. */
    color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, { error: "validation.color" })
      .transform((value) => value.toUpperCase())
      .meta({ example: "#F59E0B" })
      .nullish(),
    /** In the footer of mails, on sign-in pages and wherever help is offered. Null: the platform's; left out: as it is. */
    support_email: email.meta({ example: "destek@example.com" }).nullish(),
    support_phone: phone.meta({ example: "+90 312 555 00 34" }).nullish(),
    /** Null: there was none. */
    expected: Brand.pick({ product_name: true, color: true, support_email: true, support_phone: true })
      .partial({ support_email: true, support_phone: true })
      .nullish(),
  }),
  output: changed,
  errors: ["agreement_unsigned", "stale"],
});

const PICTURE = {
  ...OWN,
  path: "/api/reseller/brand/{picture}",
  ability: "*",
  params: z.object({ picture: z.enum(PICTURES) }),
  output: changed,
  record: "Brand",
  errors: ["agreement_unsigned", "record_not_found"],
} as const;

export const uploadBrandPicture = operation({
  ...PICTURE,
  id: "uploadBrandPicture",
  method: "POST",
  summary: "Upload a picture of the brand",
  description:
    "JPEG, PNG or WEBP, detected by content. A logo is scaled to at most 1,024 by 256 pixels, the icon to a square of 192; " +
    "both are re-encoded as PNG without metadata and are public. A brand that has no name yet gets that of the account.",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  upload: { field: "file", maxBytes: PICTURE_MAX_MEGABYTES * 1024 * 1024, types: PICTURE_TYPES },
});

export const removeBrandPicture = operation({
  ...PICTURE,
  id: "removeBrandPicture",
  method: "DELETE",
  summary: "Remove a picture of the brand",
  description: "Succeeds even if there is none.",
});
