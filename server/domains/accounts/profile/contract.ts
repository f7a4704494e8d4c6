import * as z from "zod";
import { operation } from "@/server/core/contract";
import { success, timestamp } from "@/server/core/schema";

/** Modules that this platform offers; an account may be restricted to some of them. */
export const PLATFORM_MODULES = ["appointment", "saas"] as const;

export const Modules = z.array(z.string());

const UserSite = z.object({ id: z.int(), name: z.string(), domain: z.string(), is_active: z.boolean() });

/** A user (docs/contract.md 2.1). */
export const User = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  role: z.enum(["user", "reseller", "admin"]),
  is_active: z.boolean(),
  credits: z.int(),
  allowed_modules: z.array(z.string()).nullable(),
  assigned_site_id: z.int().nullable(),
  is_agent_only: z.boolean(),
  reseller_id: z.int().nullable(),
  parent_user_id: z.int().nullable(),
  locale: z.string().nullable(),
  timezone: z.string().nullable(),
  app_name: z.string().nullable(),
  app_logo_url: z.string().nullable(),
  app_primary_color: z.string().nullable(),
  email_verified_at: timestamp.nullable(),
  /** How the account was made: `google`, `apple`, or `email` for one that registered itself. */
  provider: z.string(),
  avatar_url: z.string().nullable(),
  created_at: timestamp,
  sites: z.array(UserSite),
});

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
});
export type SignedInUser = z.infer<typeof SignedInUser>;

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
}).extend({ sites_count: z.int() });

export const getAuthUser = operation({
  id: "getAuthUser",
  method: "GET",
  path: "/api/auth/user",
  tag: "Profile",
  summary: "Get the signed-in user with sites, statistics and usage",
  description: "`usage` and `monthly_usage` cover the current calendar month.",
  access: "token",
  status: 200,
  output: z.object({
    success,
    user: User,
    stats: z.object({ sites_count: z.int(), credits: z.int(), monthly_usage: z.int() }),
    usage: z.object({ messages_sent: z.int(), ai_calls: z.int(), voice_minutes: z.int() }),
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
  status: 200,
  output: z.object({ success, user: ShortProfile, data: ShortProfile }),
});
