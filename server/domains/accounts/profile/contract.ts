import * as z from "zod";
import { operation } from "@/server/core/contract";
import { recordId, success, timestamp } from "@/server/core/schema";
import { DATE_FORMATS, HOUR_CYCLES, PLATFORM_MODULES, WEEK_STARTS } from "./policy";

export { PLATFORM_MODULES } from "./policy";

export const Modules = z.array(z.string()).meta({ example: [...PLATFORM_MODULES] });

export const UserSite = z.object({
  id: recordId,
  name: z.string().meta({ example: "Kaya Kahve" }),
  domain: z.string().meta({ example: "example.com" }),
  is_active: z.boolean(),
});

/** A user (docs/contract.md 2.1). */
export const User = z
  .object({
    id: recordId,
    name: z.string().meta({ example: "Ayşe Kaya" }),
    email: z.string().meta({ example: "ayse@example.com" }),
    phone: z.string().meta({ example: "+905321234567" }).nullable(),
    role: z.enum(["user", "reseller", "admin"]),
    is_active: z.boolean(),
    credits: z.int().meta({ example: 1000 }),
    allowed_modules: z.array(z.string()).nullable().meta({ example: null }),
    assigned_site_id: z.int().nullable().meta({ example: null }),
    is_agent_only: z.boolean().meta({ example: false }),
    reseller_id: z.int().nullable().meta({ example: null }),
    parent_user_id: z.int().nullable().meta({ example: null }),
    locale: z.string().meta({ example: "tr" }).nullable(),
    timezone: z.string().meta({ example: "Europe/Istanbul" }).nullable(),
    app_name: z.string().nullable().meta({ example: null }),
    app_logo_url: z.string().nullable().meta({ example: null }),
    app_primary_color: z.string().nullable().meta({ example: null }),
    email_verified_at: timestamp.nullable(),
    /** How the account was made: `google`, `apple`, or `email` for one that registered itself. */
    provider: z.string().meta({ example: "email" }),
    avatar_url: z.string().meta({ example: "https://example.com/media/avatars/ayse.webp" }).nullable(),
    created_at: timestamp,
    sites: z.array(UserSite),
  })
  .meta({ id: "User" });

/** The user in the output of a sign-in (docs/contract.md 4.2). */
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
}).meta({ id: "SignedInUser" });
export type SignedInUser = z.infer<typeof SignedInUser>;

const sitesCount = z.int().meta({ example: 2 });

/** How the account's owner reads dates, hours and weeks; `auto` is as the language has it. */
export const Preferences = z.object({
  date_format: z.enum(DATE_FORMATS).meta({ example: "auto" }),
  hour_cycle: z.enum(HOUR_CYCLES).meta({ example: "h23" }),
  week_start: z.enum(WEEK_STARTS).meta({ example: "auto" }),
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
  .meta({ id: "ShortProfile" });

export const getAuthUser = operation({
  id: "getAuthUser",
  method: "GET",
  path: "/api/auth/user",
  tag: "Profile",
  summary: "Get the signed-in user with sites, statistics and usage",
  description: "`usage` and `monthly_usage` cover the current calendar month.",
  access: "token",
  withoutFactor: true,
  status: 200,
  output: z.object({
    success,
    user: User,
    stats: z.object({
      sites_count: sitesCount,
      credits: User.shape.credits,
      monthly_usage: z.int().meta({ example: 1580 }),
    }),
    usage: z.object({
      messages_sent: z.int().meta({ example: 1284 }),
      ai_calls: z.int().meta({ example: 612 }),
      voice_minutes: z.int().meta({ example: 37 }),
    }),
    modules: Modules,
  }),
});

export const getUser = operation({
  id: "getUser",
  method: "GET",
  path: "/api/user",
  tag: "Profile",
  summary: "Get the signed-in user's profile with site count and credits",
  description: "`data` repeats `user`.",
  access: "token",
  withoutFactor: true,
  status: 200,
  output: z.object({ success, user: ShortProfile, data: ShortProfile }),
});
