import * as z from "zod";
import { operation } from "@/server/core/contract";
import { Contact } from "@/server/core/errors";
import { email, password, samePasswords, success } from "@/server/core/schema";
import { Modules, SignedInUser, User } from "@/server/domains/profile/contract";

/** What every way into an account answers when all gates are passed. */
export const SignedIn = z.object({ success, user: SignedInUser, token: z.string(), modules: Modules });

export const login = operation({
  id: "login",
  method: "POST",
  path: "/api/auth/login",
  tag: "Sign-in",
  summary: "Sign in with e-mail and password",
  description:
    "Contract 4.2 and 5. Gates after the password, in order: verified e-mail, active account, portal lock, second factor.",
  access: "public",
  body: z.object({ email, password: z.string().max(1024) }),
  status: 200,
  answer: SignedIn,
  errors: ["credentials_wrong", "sign_in_throttled", "email_unverified", "account_disabled"],
});

/** Life of a reset link. */
export const RESET_MINUTES = 60;

export const forgotPassword = operation({
  id: "forgotPassword",
  method: "POST",
  path: "/api/auth/forgot-password",
  tag: "Sign-in",
  summary: "Send a link to choose a new password",
  description: "Contract 4.2. The same answer for every address, whether an account has it or not.",
  access: "public",
  limit: { points: 5, per: 1800, by: "ip", durable: true },
  body: z.object({ email }),
  status: 200,
  answer: z.object({ success, message: z.string() }),
});

const Changed = { success, message: z.string() };

export const resetPassword = operation({
  id: "resetPassword",
  method: "POST",
  path: "/api/auth/reset-password",
  tag: "Sign-in",
  summary: "Choose a new password with a mailed link",
  description:
    "Contract 4.2. The password changes and a sign-in is attempted under the same gates as login; when a gate refuses, " +
    "`auto_login` is false and the answer says why. Every older token, session and link of the account ends.",
  access: "public",
  limit: { points: 8, per: 900, by: "ip", durable: true },
  body: z
    .object({ token: z.string().max(255), email, password, password_confirmation: z.string() })
    .refine(...samePasswords("password", "password_confirmation")),
  status: 200,
  answer: z.union([
    z.object({
      ...Changed,
      auto_login: z.literal(true),
      user: User.pick({ id: true, name: true, email: true, role: true }),
      token: z.string(),
      modules: Modules,
    }),
    z.object({
      ...Changed,
      auto_login: z.literal(false),
      requires_verification: z.literal(true),
      email: z.string(),
    }),
    z.object({
      ...Changed,
      auto_login: z.literal(false),
      account_disabled: z.literal(true),
      contact: Contact,
    }),
  ]),
  errors: ["reset_invalid"],
});
