import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { LOCALES } from "@/server/core/locale";
import { createdAt, recordId, timestamp } from "@/server/core/schema";
import { DATE_FORMATS, HOUR_CYCLES, PLATFORM_MODULES, WEEK_STARTS } from "./policy";

export { PLATFORM_MODULES } from "./policy";

export const Modules = f.list(
  z.string(),
  "Names of the modules enabled for the account: `appointment`, `saas`. Others may be added.",
  [...PLATFORM_MODULES],
);

export const UserSite = z.object({
  id: recordId,
  name: f.text("Name of the site.", "Kaya Kahve"),
  domain: f.text("Domain of the site, without scheme or path.", "example.com"),
  is_active: f.boolean("True when the site is active."),
});

export const User = f.namedObject("User", "A user account.", {
  id: recordId,
  name: f.text("Name of the person.", "Ayşe Kaya"),
  email: f.text(
    "Email address. After a change this is the new address, even before it is verified.",
    "ayse@example.com",
  ),
  phone: f.nullable(z.string(), "Phone number, preferably in E.164 format; null if none.", "+905321234567"),
  role: f.oneOf(
    ["user", "reseller", "admin"],
    "Role of the account. `user`: customer or team member. `reseller`: has customers. `admin`: administrator of the " +
      "platform.",
  ),
  is_active: f.boolean(
    "False when an administrator, the reseller or the parent has deactivated the account. The account then cannot sign " +
      "in, and calls with its tokens are refused with `account_passive` (403) until it is activated again.",
  ),
  credits: f.integer("Balance of credits.", 1000),
  allowed_modules: f.nullable(
    z.array(z.string()),
    "Modules the account is restricted to; null for all.",
    null,
  ),
  assigned_site_id: f.nullable(z.int(), "ID of the site an agent works at; null for others.", null),
  is_agent_only: f.boolean(
    "True for an agent: a team member who works at one site only. While the owner of the team or of the site is " +
      "deactivated, the agent is refused with `account_passive`, too.",
    false,
  ),
  reseller_id: f.nullable(z.int(), "ID of the reseller's account; null if none.", null),
  parent_user_id: f.nullable(z.int(), "ID of the parent account; null if none.", null),
  locale: f.nullable(
    z.string(),
    "Language of the account, for texts of the API, emails and the panel. Null if the user has not chosen one. The API then " +
      "uses Turkish, mails the language of the sign-up, and the panel the `Accept-Language` header of the request.",
    "tr",
  ),
  timezone: f.nullable(
    z.string(),
    "IANA time zone, such as `Europe/Istanbul`; null if not set.",
    "Europe/Istanbul",
  ),
  app_name: f.nullable(z.string(), "White-label product name; null for the platform's.", null),
  app_logo_url: f.nullable(z.string(), "URL of the white-label logo; null for the platform's.", null),
  app_primary_color: f.nullable(z.string(), "White-label colour; null for the platform's.", null),
  email_verified_at: f.nullable(timestamp, "When the email address was verified; null if not yet."),
  provider: f.text("Origin of the account: `google`, `apple`, or `email` for a registration.", "email"),
  avatar_url: f.nullable(
    z.string(),
    "URL of the avatar; null if none.",
    "https://example.com/media/avatars/ayse.webp",
  ),
  created_at: createdAt,
  sites: f.list(
    UserSite,
    "Sites that the account owns, oldest first. `GET /api/sites` also lists the sites of sub-accounts and customers, and " +
      "the site of an agent.",
  ),
});

export const SignedInUser = User.pick({
  id: true,
  name: true,
  email: true,
  phone: true,
  role: true,
  is_active: true,
  credits: true,
  allowed_modules: true,
  assigned_site_id: true,
  is_agent_only: true,
  reseller_id: true,
  locale: true,
}).meta({ id: "SignedInUser", description: "The account after a sign-in." });
export type SignedInUser = z.infer<typeof SignedInUser>;

const sitesCount = f.integer("Number of sites that the account owns.", 1);

export const Preferences = z.object({
  date_format: f.oneOf(
    DATE_FORMATS,
    "Order of day (d), month (m) and year (y) in numeric dates; `auto` follows the language.",
    "auto",
  ),
  hour_cycle: f.oneOf(
    HOUR_CYCLES,
    "`h23`: 24-hour clock. `h12`: 12-hour clock. `auto` follows the language.",
    "h23",
  ),
  week_start: f.oneOf(WEEK_STARTS, "First day of the week; `auto` follows the language.", "auto"),
});

export const ShortProfile = User.pick({
  id: true,
  name: true,
  email: true,
  phone: true,
  role: true,
  credits: true,
  locale: true,
  timezone: true,
  avatar_url: true,
  email_verified_at: true,
  created_at: true,
})
  .extend({
    mail_locale: f.nullable(
      z.enum(LOCALES),
      "Language of emails to the account: `locale`, or the language of the sign-up. Null if neither is known: each " +
        "mail then has the language of the request that causes it, or else Turkish.",
      "en",
    ),
    ...Preferences.shape,
    sites_count: sitesCount,
  })
  .meta({ id: "ShortProfile", description: "The account without its sites." });

const PROFILE_ACCESS = { tag: "Profile", access: "token", isAllowedWithoutFactor: true } as const;

export const getAuthUser = operation({
  id: "getAuthUser",
  method: "GET",
  path: "/api/auth/user",
  ...PROFILE_ACCESS,
  summary: "Get the signed-in user with sites, statistics and usage",
  description: "`usage` and `monthly_usage` cover the current calendar month in UTC.",
  output: f.success({
    user: User,
    stats: z
      .object({
        sites_count: sitesCount,
        credits: User.shape.credits,
        monthly_usage: f.integer("Credits used in the current calendar month.", 1580),
      })
      .meta({ description: "Statistics of the account." }),
    usage: z
      .object({
        messages_sent: f.integer("Number of messages sent.", 1284),
        ai_calls: f.integer("Number of calls to AI providers.", 612),
        voice_minutes: f.integer("Minutes of voice calls.", 37),
      })
      .meta({ description: "Usage in the current calendar month." }),
    modules: Modules,
  }),
});

export const getUser = operation({
  id: "getUser",
  method: "GET",
  path: "/api/user",
  ...PROFILE_ACCESS,
  summary: "Get the signed-in user's profile",
  description: "`data` repeats `user`.",
  output: f.success({ user: ShortProfile, data: ShortProfile }),
});
