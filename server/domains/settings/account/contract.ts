import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import {
  DEFAULT_LOCALE,
  FALLBACK_LOCALE,
  getTextDirection,
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
  timestamp,
  timezone,
  typedPassword,
} from "@/server/core/schema";
import { EXPECTED_DESCRIPTION, expectedValues } from "@/server/core/stale";
import { Preferences, ShortProfile, User } from "@/server/domains/accounts/profile/contract";
import { IMAGE_MAX_BYTES, IMAGE_TYPES } from "./policy";

const EMAIL_TEXT =
  "A new `email` is shown immediately, with `email_verified_at` null, and gets a link by mail. The old address signs in until " +
  "the new one is verified; it is then notified and can undo the change for 72 hours. With a second factor or a passkey, a new " +
  "e-mail address or phone number needs a recent proof of identity; an API key cannot change them.";
const PASSWORD_TEXT =
  "A new password needs the current one, or a recent proof of identity for an account without a password. It revokes all " +
  "other tokens, sessions, trusted devices and reset links; an API key cannot change it.";

const PROFILE = {
  tag: "Profile",
  access: "token",
  ability: "profile:write",
  isOpenWithoutFactor: true,
} as const;

export const putUser = operation({
  id: "putUser",
  method: "PUT",
  path: "/api/user",
  ...PROFILE,
  summary: "Change name, e-mail address, password or date format",
  description: `Omitted or null fields stay unchanged. ${EMAIL_TEXT} ${PASSWORD_TEXT}`,
  body: z.object({
    name: f.nullish(personName, "Name of the person."),
    email: f.nullish(email, "New e-mail address."),
    current_password: f.nullish(
      typedPassword.max(1024),
      "Current password; required to change the password, and checked whenever it is sent.",
      "the-old-passphrase",
    ),
    password: f.nullish(password, "New password, at least eight characters."),
    date_format: f.nullish(
      Preferences.shape.date_format,
      "Order of day (d), month (m) and year (y) in numeric dates; `auto` follows the language.",
    ),
    hour_cycle: f.nullish(
      Preferences.shape.hour_cycle,
      "`h23`: 24-hour clock. `h12`: 12-hour clock. `auto` follows the language.",
    ),
    week_start: f.nullish(
      Preferences.shape.week_start,
      "First day of the week; `auto` follows the language.",
    ),
  }),
  output: f.success({ user: ShortProfile, message }),
  errors: ["current_password_wrong", "identity_unproven"],
});

export const putProfile = operation({
  id: "putProfile",
  method: "PUT",
  path: "/api/auth/profile",
  ...PROFILE,
  summary: "Change name, e-mail address, phone number, time zone or password",
  description: `Omitted or null fields stay unchanged, except that a \`timezone\` of null is deleted. ${EMAIL_TEXT} ${PASSWORD_TEXT} ${EXPECTED_DESCRIPTION}`,
  body: z
    .object({
      name: f.nullish(personName, "Name of the person."),
      email: f.nullish(email, "New e-mail address."),
      phone: f.nullish(
        phone,
        "Phone number, international or Turkish. A valid number is stored in E.164 format, any other as written.",
      ),
      timezone: f.nullish(timezone, "IANA time zone; null deletes it."),
      current_password: f.nullish(
        typedPassword.max(1024),
        "Current password; required to change the password, and checked whenever it is sent.",
        "the-old-passphrase",
      ),
      new_password: f.nullish(password, "New password, at least eight characters."),
      new_password_confirmation: f.nullish(typedPassword.max(1024), "Must equal `new_password` when sent."),
      expected: expectedValues({
        name: f.nullish(User.shape.name, "Value the caller last saw."),
        email: f.nullish(User.shape.email, "Value the caller last saw."),
        phone: f.nullish(User.shape.phone, "Value the caller last saw."),
        timezone: f.nullish(User.shape.timezone, "Value the caller last saw."),
      }),
    })
    .refine(
      ({ new_password, new_password_confirmation: again }) =>
        !new_password || !again || new_password === again.normalize("NFC"),
      { path: ["new_password_confirmation"], error: "validation.confirmed" },
    ),
  output: f.success({
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
  summary: "Check whether the account has a password",
  description: "An account opened with an identity provider may have no password.",
  access: "token",
  isOpenWithoutFactor: true,
  viewAs: false,
  output: f.success({
    has_password: f.boolean("True when the account has a password."),
    changed_at: f.nullable(timestamp, "When the password was last changed or reset; null if never."),
  }),
});

export const uploadAvatar = operation({
  id: "uploadAvatar",
  method: "POST",
  path: "/api/user/avatar",
  ...PROFILE,
  summary: "Upload the account's picture",
  description:
    "JPEG, PNG or WEBP, detected by content. The picture is rotated upright, cropped to a centred square, scaled to 256 " +
    "pixels and re-encoded as WEBP without metadata.",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  upload: { field: "file", maxBytes: IMAGE_MAX_BYTES, types: IMAGE_TYPES },
  output: f.changeOutput({
    avatar_url: f.text("URL of the picture.", "https://example.com/media/avatars/ayse.webp"),
  }),
});

export const removeAvatar = operation({
  id: "removeAvatar",
  method: "DELETE",
  path: "/api/user/avatar",
  ...PROFILE,
  summary: "Remove the account's picture",
  description: "Succeeds even without a picture.",
  output: f.changeOutput({
    avatar_url: z.null().meta({ description: "Always null: the picture is removed." }),
  }),
});

const LocaleCode = z.enum(LOCALES);

const ofEach = <T>(value: (locale: Locale) => T) =>
  Object.fromEntries(LOCALES.map((locale) => [locale, value(locale)])) as Record<Locale, T>;
const VERSION = "3f1c9a52b7d04e68";

const limit = { points: 120, per: 60, by: "ip", isDocumented: true } as const;
const cacheControl = "public, max-age=300";

export const getI18nMeta = operation({
  id: "getI18nMeta",
  method: "GET",
  path: "/api/i18n/meta",
  tag: "Interface language",
  summary: "List the supported interface languages",
  description:
    "`default` is the language of mails and the panel when neither the account nor `Accept-Language` names a supported " +
    "one. `fallback` is the language whose text replaces a missing key; the API also uses it for callers without a language.",
  access: "public",
  limit,
  cacheControl,
  output: z.object({
    supported: f.list(LocaleCode, "Codes of the supported languages.", [...LOCALES]),
    fallback: LocaleCode.meta({ description: "Language used for missing keys.", example: FALLBACK_LOCALE }),
    labels: z
      .record(LocaleCode, f.text("Name of the language, in that language."))
      .meta({ description: "Names of the languages, each in its own language.", example: LOCALE_LABELS }),
    default: LocaleCode.meta({
      description: "Language used when `Accept-Language` matches none.",
      example: DEFAULT_LOCALE,
    }),
    directions: z
      .record(LocaleCode, f.oneOf(["ltr", "rtl"], "Writing direction of the language."))
      .meta({ description: "Writing direction of each language.", example: ofEach(getTextDirection) }),
    versions: z
      .record(LocaleCode, f.nullable(z.string(), "Hash of the dictionary; null if it cannot be read."))
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
  description: "`version` is a hash of the content and also sent as `ETag`.",
  access: "public",
  limit,
  cacheControl,
  params: z.object({
    locale: f.text("Language code: tr, en, ru, de, ar, fr or it.", "en"),
  }),
  output: z.object({
    locale: LocaleCode.meta({ description: "Language code: tr, en, ru, de, ar, fr or it.", example: "en" }),
    version: f.text("Hash of the content.", VERSION),
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
  summary: "Set or clear the language of the account",
  description:
    "Texts of API responses, such as `message` and errors, are in the account's language; without one, in Turkish, " +
    "whatever `Accept-Language` says. Mails and the panel use the account's language, else the best match of the " +
    "`Accept-Language` header, else English. Technical messages such as `Unauthenticated.` are always English.",
  access: "token",
  isOpenWithoutFactor: true,
  ability: "profile:write",
  body: z.object({
    locale: f.nullish(LocaleCode, "Language of the account; null or omitted clears it."),
  }),
  output: f.success({
    locale: f.nullable(LocaleCode, "Stored language; null if none."),
    effective_locale: LocaleCode.meta({
      description:
        "Language of the panel: the stored one, else the match of this request's `Accept-Language`.",
    }),
    message,
  }),
});
