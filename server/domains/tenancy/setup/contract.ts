import * as z from "zod";
import { operation } from "@/server/core/contract";
import { email, password, personName, samePasswords, success, typedPassword } from "@/server/core/schema";
import { SignedIn } from "@/server/domains/access/sign-in/contract";
import { browserTime, HealthRow } from "@/server/domains/platform/health/contract";

const token = z.string().max(255).meta({ example: "dsf_…" });

export const getSetup = operation({
  id: "getSetup",
  method: "GET",
  path: "/api/setup",
  tag: "Platform",
  summary: "Ask whether the installation still needs its first administrator",
  description:
    "With the token that the server's log shows at its start, also what the self-check found. Another token is as none.",
  access: "public",
  limit: { points: 60, per: 900, by: "ip" },
  query: z.object({ token: token.nullish(), browser_time: browserTime }),
  status: 200,
  output: z.object({
    success,
    needed: z.boolean().meta({ example: false }),
    /** Null without the token. */
    checks: z.array(HealthRow).nullable().meta({ example: null }),
  }),
});

export const completeSetup = operation({
  id: "completeSetup",
  method: "POST",
  path: "/api/setup",
  tag: "Platform",
  summary: "Open the account of the first administrator",
  description:
    "In production, while nobody is an administrator. The server prints the token when it starts; it works once, for 24 hours, " +
    "and only until the next start. The address counts as verified, and the answer is that of a sign-in.",
  access: "public",
  limit: { points: 10, per: 900, by: "ip", durable: true, guards: true },
  body: z
    .object({ token, name: personName, email, password, password_confirmation: typedPassword })
    .refine(...samePasswords("password", "password_confirmation")),
  status: 201,
  output: SignedIn,
  errors: ["setup_closed"],
});
