import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  DEFAULT_LOCALE,
  directionOf,
  FALLBACK_LOCALE,
  LOCALE_LABELS,
  LOCALES,
  type Locale,
} from "@/server/core/locale";
import {
  email,
  message,
  password,
  personName,
  phone,
  success,
  timestamp,
  timezone,
  typedPassword,
} from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { Preferences, ShortProfile, User } from "@/server/domains/accounts/profile/contract";
import { IMAGE_MAX_BYTES, IMAGE_TYPES } from "./policy";

const EMAIL_TEXT =
  "A new `email` is shown immediately, with `email_verified_at` null, and gets a link by mail. The old address signs in until " +
  "the new one is verified; it is then notified and can undo the change for 72 hours. With a second factor or a passkey, a new " +
  "e-mail address or phone number needs a fresh proof of identity; an API key cannot change them.";
const PASSWORD_TEXT = "A new password ends all other tokens, sessions, trusted devices and reset links.";

export const putUser = operation({
  id: "putUser",
  method: "PUT",
  path: "/api/user",
  tag: "Profile",
  summary: "Change name, e-mail address, password or date format",
  description: `Omitted or null fields stay unchanged. ${EMAIL_TEXT} ${PASSWORD_TEXT}`,
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  body: z.object({
    name: personName.nullish().meta({ description: "Name of the person." }),
    email: email.nullish().meta({ description: "New e-mail address." }),
    current_password: typedPassword
      .max(1024)
      .nullish()
      .meta({ description: "Current password; required to change the password." }),
    password: password.nullish().meta({ description: "New password, at least eight characters." }),
    date_format: Preferences.shape.date_format
      .nullish()
      .meta({ description: "Order of day, month and year." }),
    hour_cycle: Preferences.shape.hour_cycle.nullish().meta({ description: "12-hour or 24-hour clock." }),
    week_start: Preferences.shape.week_start.nullish().meta({ description: "First day of the week." }),
  }),
  output: z.object({ success, user: ShortProfile, message }),
  errors: ["current_password_wrong", "identity_unproven"],
});

export const putProfile = operation({
  id: "putProfile",
  method: "PUT",
  path: "/api/auth/profile",
  tag: "Profile",
  summary: "Change name, e-mail address, phone number, time zone or password",
  description: `Omitted or null fields stay unchanged, except that a \`timezone\` of null is deleted. ${EMAIL_TEXT} ${PASSWORD_TEXT} ${EXPECTED_TEXT}`,
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  body: z
    .object({
      name: personName.nullish().meta({ description: "Name of the person." }),
      email: email.nullish().meta({ description: "New e-mail address." }),
      phone: phone.nullish().meta({
        description:
          "Stored in E.164 format when it is a valid number, read as international or Turkish; otherwise stored as written.",
      }),
      timezone: timezone.nullish().meta({ description: "IANA time zone; null deletes it." }),
      current_password: typedPassword
        .max(1024)
        .nullish()
        .meta({ description: "Current password; required to change the password." }),
      new_password: password.nullish().meta({ description: "New password, at least eight characters." }),
      new_password_confirmation: typedPassword
        .max(1024)
        .nullish()
        .meta({ description: "Must equal `new_password` when sent." }),
      expected: z
        .object({
          name: User.shape.name.nullish().meta({ description: "Value the caller last saw." }),
          email: User.shape.email.nullish().meta({ description: "Value the caller last saw." }),
          phone: User.shape.phone.nullish().meta({ description: "Value the caller last saw." }),
          timezone: User.shape.timezone.nullish().meta({ description: "Value the caller last saw." }),
        })
        .optional()
        .meta({ description: "Values the caller last saw; 409 if one of them has changed." }),
    })
    .refine(
      ({ new_password, new_password_confirmation: again }) =>
        !new_password || !again || new_password === again.normalize("NFC"),
      { path: ["new_password_confirmation"], error: "validation.confirmed" },
    ),
  output: z.object({
    success,
    user: User.pick({ id: true, name: true, email: true, phone: true }).meta({ description: "The account." }),
    message,
  }),
  errors: ["current_password_wrong", "identity_unproven", "stale"],
});

export const getPassword = operation({
  id: "getPassword",
  method: "GET",
  path: "/api/profile/password",
  tag: "Profile",
  summary: "Get whether the account has a password, and since when",
  description: "The password itself is never returned.",
  access: "token",
  withoutFactor: true,
  viewAs: false,
  output: z.object({
    success,
    has_password: z.boolean().meta({ description: "True when the account has a password." }),
    changed_at: timestamp
      .nullable()
      .meta({ description: "When the password was last changed; null if never." }),
  }),
});

export const uploadAvatar = operation({
  id: "uploadAvatar",
  method: "POST",
  path: "/api/user/avatar",
  tag: "Profile",
  summary: "Upload the account's picture",
  description:
    "JPEG, PNG or WEBP, detected by content. The picture is rotated upright, cropped to a centred square, scaled to 256 " +
    "pixels and re-encoded as WEBP without metadata.",
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  upload: { field: "file", maxBytes: IMAGE_MAX_BYTES, types: IMAGE_TYPES },
  output: z.object({
    success,
    message,
    avatar_url: z
      .string()
      .meta({ description: "URL of the picture.", example: "https://example.com/media/avatars/ayse.webp" }),
  }),
});

export const removeAvatar = operation({
  id: "removeAvatar",
  method: "DELETE",
  path: "/api/user/avatar",
  tag: "Profile",
  summary: "Remove the account's picture",
  description: "Succeeds even without a picture.",
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  output: z.object({
    success,
    message,
    avatar_url: z.null().meta({ description: "Always null: the picture is removed." }),
  }),
});

const LocaleCode = z.enum(LOCALES);

/** An example that has every language. */
const ofEach = <T>(value: (locale: Locale) => T) =>
  Object.fromEntries(LOCALES.map((locale) => [locale, value(locale)])) as Record<Locale, T>;
const VERSION = "3f1c9a52b7d04e68";

/** 120 a minute per address (docs/contract.md 8). */
const limit = { points: 120, per: 60, by: "ip", named: true } as const;
const cacheControl = "public, max-age=300";

export const getI18nMeta = operation({
  id: "getI18nMeta",
  method: "GET",
  path: "/api/i18n/meta",
  tag: "Interface language",
  summary: "List the supported interface languages",
  description:
    "`default` is the language used when Accept-Language matches none, `fallback` the language of missing keys.",
  access: "public",
  limit,
  cacheControl,
  output: z.object({
    supported: z
      .array(LocaleCode)
      .meta({ description: "Codes of the supported languages.", example: [...LOCALES] }),
    fallback: LocaleCode.meta({ description: "Language used for missing keys.", example: FALLBACK_LOCALE }),
    labels: z
      .record(LocaleCode, z.string().meta({ description: "Name of the language, in that language." }))
      .meta({ description: "Names of the languages, each in its own language.", example: LOCALE_LABELS }),
    default: LocaleCode.meta({ description: "Language used when none matches.", example: DEFAULT_LOCALE }),
    directions: z
      .record(LocaleCode, z.enum(["ltr", "rtl"]).meta({ description: "Writing direction of the language." }))
      .meta({ description: "Writing direction of each language.", example: ofEach(directionOf) }),
    versions: z
      .record(
        LocaleCode,
        z.string().nullable().meta({ description: "Hash of the dictionary; null if it cannot be read." }),
      )
      .meta({
        description: "Hash of each dictionary; null if it cannot be read.",
        example: ofEach(() => VERSION),
      }),
  }),
});

export const getDictionary = operation({
  id: "getDictionary",
  method: "GET",
  path: "/api/i18n/{locale}.json",
  tag: "Interface language",
  summary: "Get the dictionary of a language",
  description: "`version` is a hash of the content, also sent as an ETag.",
  access: "public",
  limit,
  cacheControl,
  params: z.object({
    locale: z.string().meta({ description: "Language code: tr, en, ru, de, ar, fr or it.", example: "en" }),
  }),
  output: z.object({
    locale: LocaleCode.meta({ description: "Language code: tr, en, ru, de, ar, fr or it.", example: "en" }),
    version: z.string().meta({ description: "Hash of the content.", example: VERSION }),
    translations: z
      .record(z.string(), z.unknown())
      .meta({ description: "Texts by namespace and key.", example: { common: { save: "Save" } } }),
  }),
  errors: ["locale_unsupported", "dictionary_missing"],
});

export const putUserLocale = operation({
  id: "putUserLocale",
  method: "PUT",
  path: "/api/user/locale",
  tag: "Interface language",
  summary: "Set or clear the interface language",
  description: "Null clears the preference; Accept-Language then decides.",
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  body: z.object({
    locale: LocaleCode.nullish().meta({ description: "Interface language; null clears it." }),
  }),
  output: z.object({
    success,
    locale: LocaleCode.nullable().meta({ description: "Stored interface language; null if none." }),
    effective_locale: LocaleCode.meta({ description: "Language in use now." }),
    message,
  }),
});
