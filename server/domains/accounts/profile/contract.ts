import * as z from "zod";
import { operation } from "@/server/core/contract";
import { createdAt, recordId, success, timestamp } from "@/server/core/schema";
import { DATE_FORMATS, HOUR_CYCLES, PLATFORM_MODULES, WEEK_STARTS } from "./policy";

export { PLATFORM_MODULES } from "./policy";

export const Modules = z
  .array(z.string())
  .meta({ description: "Modules enabled for the account, by name.", example: [...PLATFORM_MODULES] });

export const UserSite = z.object({
  id: recordId,
  name: z.string().meta({ description: "Name of the site.", example: "Kaya Kahve" }),
  domain: z
    .string()
    .meta({ description: "Domain of the site, without scheme or path.", example: "example.com" }),
  is_active: z.boolean().meta({ description: "True when the site is active." }),
});

export const User = z
  .object({
    id: recordId,
    name: z.string().meta({ description: "Name of the person.", example: "Ayşe Kaya" }),
    email: z.string().meta({ description: "E-mail address of the account.", example: "ayse@example.com" }),
    phone: z.string().nullable().meta({
      description: "Phone number, preferably in E.164 format; null if none.",
      example: "+905321234567",
    }),
    role: z.enum(["user", "reseller", "admin"]).meta({ description: "Role of the account." }),
    is_active: z.boolean().meta({ description: "True when the account is active." }),
    credits: z.int().meta({ description: "Balance of credits.", example: 1000 }),
    allowed_modules: z
      .array(z.string())
      .nullable()
      .meta({ description: "Modules the account is restricted to; null for all.", example: null }),
    assigned_site_id: z
      .int()
      .nullable()
      .meta({ description: "ID of the site an agent works at; null for others.", example: null }),
    is_agent_only: z
      .boolean()
      .meta({ description: "True for an agent, who works at one site of the team.", example: false }),
    reseller_id: z
      .int()
      .nullable()
      .meta({ description: "ID of the reseller's account; null if none.", example: null }),
    parent_user_id: z
      .int()
      .nullable()
      .meta({ description: "ID of the parent account; null if none.", example: null }),
    locale: z
      .string()
      .nullable()
      .meta({ description: "Interface language; null when the browser decides.", example: "tr" }),
    timezone: z.string().nullable().meta({
      description: "IANA time zone, such as `Europe/Istanbul`; null if not set.",
      example: "Europe/Istanbul",
    }),
    app_name: z
      .string()
      .nullable()
      .meta({ description: "White-label product name; null for the platform's.", example: null }),
    app_logo_url: z
      .string()
      .nullable()
      .meta({ description: "URL of the white-label logo; null for the platform's.", example: null }),
    app_primary_color: z
      .string()
      .nullable()
      .meta({ description: "White-label colour; null for the platform's.", example: null }),
    email_verified_at: timestamp
      .nullable()
      .meta({ description: "When the e-mail address was verified; null if not yet." }),
    provider: z.string().meta({
      description: "Origin of the account: `google`, `apple`, or `email` for a registration.",
      example: "email",
    }),
    avatar_url: z.string().nullable().meta({
      description: "URL of the avatar; null if none.",
      example: "https://example.com/media/avatars/ayse.webp",
    }),
    created_at: createdAt,
    sites: z.array(UserSite).meta({ description: "Sites of the account." }),
  })
  .meta({ id: "User", description: "A user account." });

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

const sitesCount = z.int().meta({ description: "Number of sites.", example: 2 });

/** How the account's owner reads dates, hours and weeks; `auto` is as the language has it. */
export const Preferences = z.object({
  date_format: z.enum(DATE_FORMATS).meta({ description: "Order of day, month and year.", example: "auto" }),
  hour_cycle: z.enum(HOUR_CYCLES).meta({ description: "12-hour or 24-hour clock.", example: "h23" }),
  week_start: z.enum(WEEK_STARTS).meta({ description: "First day of the week.", example: "auto" }),
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
  .extend({ ...Preferences.shape, sites_count: sitesCount })
  .meta({ id: "ShortProfile", description: "The account without its sites." });

export const getAuthUser = operation({
  id: "getAuthUser",
  method: "GET",
  path: "/api/auth/user",
  tag: "Profile",
  summary: "Get the signed-in user with sites, statistics and usage",
  description: "`usage` and `monthly_usage` cover the current calendar month.",
  access: "token",
  withoutFactor: true,
  output: z.object({
    success,
    user: User,
    stats: z
      .object({
        sites_count: sitesCount,
        credits: User.shape.credits,
        monthly_usage: z
          .int()
          .meta({ description: "Credits used in the current calendar month.", example: 1580 }),
      })
      .meta({ description: "Statistics of the account." }),
    usage: z
      .object({
        messages_sent: z.int().meta({ description: "Number of messages sent.", example: 1284 }),
        ai_calls: z.int().meta({ description: "Number of calls to AI providers.", example: 612 }),
        voice_minutes: z.int().meta({ description: "Minutes of voice calls.", example: 37 }),
      })
      .meta({ description: "Usage in the current calendar month." }),
    modules: Modules,
  }),
});

export const getUser = operation({
  id: "getUser",
  method: "GET",
  path: "/api/user",
  tag: "Profile",
  summary: "Get the signed-in user's profile",
  description: "`data` repeats `user`.",
  access: "token",
  withoutFactor: true,
  output: z.object({ success, user: ShortProfile, data: ShortProfile }),
});
