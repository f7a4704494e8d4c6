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
import { EXPECTED_DESCRIPTION, expectedField } from "@/server/core/stale";
import { Preferences, ShortProfile, User } from "@/server/domains/accounts/profile/contract";
import { AVATAR_MAX_BYTES, AVATAR_TYPES } from "./policy";

const EMAIL_DESCRIPTION =
  "A new `email` is shown immediately with `email_verified_at: null`, and a link is emailed to it. Until the new address is " +
  "verified, the user signs in with the old one. After that, the old address is notified and can undo the change for 72 hours. " +
  "If the account has a second factor or a passkey, a new email address or phone number needs a recent proof of identity. " +
  "API keys cannot change either.";
const PASSWORD_DESCRIPTION =
  "A new password needs the current password, or a recent proof of identity if the account has no password. A change " +
  "revokes all other tokens, sessions, trusted devices and reset links. API keys cannot change the password.";

const PROFILE_CHANGE = {
  tag: "Profile",
  access: "token",
  ability: "profile:write",
  isAllowedWithoutFactor: true,
} as const;

export const putUser = operation({
  id: "putUser",
  method: "PUT",
  path: "/api/user",
  ...PROFILE_CHANGE,
  summary: "Change name, email address, password or date format",
  description: `Omitted or null fields stay unchanged. ${EMAIL_DESCRIPTION} ${PASSWORD_DESCRIPTION}`,
  body: z.object({
    name: f.nullish(personName, "Name of the person."),
    email: f.nullish(email, "New email address."),
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
  labels: { name: "full_name" },
  output: f.success({ user: ShortProfile, message }),
  errors: ["current_password_wrong", "identity_unproven"],
});

export const putProfile = operation({
  id: "putProfile",
  method: "PUT",
  path: "/api/auth/profile",
  ...PROFILE_CHANGE,
  summary: "Change name, email address, phone number, time zone or password",
  description: `Omitted and null fields stay unchanged; only \`timezone: null\` deletes the time zone. ${EMAIL_DESCRIPTION} ${PASSWORD_DESCRIPTION} ${EXPECTED_DESCRIPTION}`,
  body: z
    .object({
      name: f.nullish(personName, "Name of the person."),
      email: f.nullish(email, "New email address."),
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
      expected: expectedField({
        name: f.nullish(User.shape.name, "Value the caller last saw."),
        email: f.nullish(User.shape.email, "Value the caller last saw."),
        phone: f.nullish(User.shape.phone, "Value the caller last saw."),
        timezone: f.nullish(User.shape.timezone, "Value the caller last saw."),
      }),
    })
    .refine(
      ({ new_password, new_password_confirmation: confirmation }) =>
        !new_password || !confirmation || new_password === confirmation.normalize("NFC"),
      { path: ["new_password_confirmation"], error: "validation.confirmed" },
    ),
  labels: { name: "full_name" },
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
  isAllowedWithoutFactor: true,
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
  ...PROFILE_CHANGE,
  summary: "Upload the account's picture",
  description:
    "JPEG, PNG or WEBP, detected by content. The picture is rotated upright, cropped to a centred square, scaled to 256 " +
    "pixels and re-encoded as WEBP without metadata.",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  upload: { field: "file", maxBytes: AVATAR_MAX_BYTES, types: AVATAR_TYPES },
  output: f.changeOutput({
    avatar_url: f.text("URL of the picture.", "https://example.com/media/avatars/ayse.webp"),
  }),
});

export const removeAvatar = operation({
  id: "removeAvatar",
  method: "DELETE",
  path: "/api/user/avatar",
  ...PROFILE_CHANGE,
  summary: "Remove the account's picture",
  description: "Succeeds even without a picture.",
  output: f.changeOutput({
    avatar_url: z.null().meta({ description: "Always null: the picture is removed." }),
  }),
});

const LocaleCode = z.enum(LOCALES);

const mapLocales = <T>(value: (locale: Locale) => T) =>
  Object.fromEntries(LOCALES.map((locale) => [locale, value(locale)])) as Record<Locale, T>;
const VERSION_EXAMPLE = "3f1c9a52b7d04e68";

const I18N_LIMIT = { points: 120, per: 60, by: "ip", isDocumented: true } as const;
const cacheControl = "public, max-age=300";

export const getI18nMeta = operation({
  id: "getI18nMeta",
  method: "GET",
  path: "/api/i18n/meta",
  tag: "Interface language",
  summary: "List the supported interface languages",
  description:
    "`default`: language of emails and the panel if neither the account nor `Accept-Language` names a supported language. " +
    "`fallback`: language whose text replaces a missing key, and of API responses to accounts without a language.",
  access: "public",
  limit: I18N_LIMIT,
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
      .meta({ description: "Writing direction of each language.", example: mapLocales(getTextDirection) }),
    versions: z
      .record(LocaleCode, f.nullable(z.string(), "Hash of the dictionary; null if it cannot be read."))
      .meta({
        description: "Hash of each dictionary; null if it cannot be read.",
        example: mapLocales(() => VERSION_EXAMPLE),
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
  limit: I18N_LIMIT,
  cacheControl,
  params: z.object({
    locale: f.text("Language code: tr, en, ru, de, ar, fr or it.", "en"),
  }),
  output: z.object({
    locale: LocaleCode.meta({ description: "Language code: tr, en, ru, de, ar, fr or it.", example: "en" }),
    version: f.text("Hash of the content.", VERSION_EXAMPLE),
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
    "API responses (`message` and errors) are in the account's language, or in Turkish if none is set; they ignore " +
    "`Accept-Language`. Mails and the panel use the account's language, otherwise the best match of `Accept-Language`, " +
    "otherwise English. Technical messages, such as `Unauthenticated.`, are always in English.",
  access: "token",
  isAllowedWithoutFactor: true,
  ability: "profile:write",
  body: z.object({
    locale: f.nullish(LocaleCode, "Language of the account; null or omitted clears it."),
  }),
  output: f.success({
    locale: f.nullable(LocaleCode, "Stored language; null if none."),
    effective_locale: LocaleCode.meta({
      description:
        "Language of the panel: the stored language, otherwise the best match of this request's `Accept-Language`.",
    }),
    message,
  }),
});
