import * as z from "zod";
import { operation } from "@/server/core/contract";
import { email, success } from "@/server/core/schema";
import { Modules, SignedInUser } from "@/server/domains/profile/contract";

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
