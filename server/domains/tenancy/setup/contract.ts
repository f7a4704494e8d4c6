import * as z from "zod";
import { operation } from "@/server/core/contract";
import { email, password, personName, samePasswords, success, typedPassword } from "@/server/core/schema";
import { SignedIn } from "@/server/domains/access/sign-in/contract";
import { browserTime, HealthRow } from "@/server/domains/platform/health/contract";

const token = z.string().max(255).meta({ description: "Token from the server's log.", example: "dsf_…" });

export const getSetup = operation({
  id: "getSetup",
  method: "GET",
  path: "/api/setup",
  tag: "Platform",
  summary: "Check whether the platform needs its first administrator",
  description:
    "With the token that the server logs at its start, also returns the results of the self-check. A wrong token is " +
    "ignored.",
  access: "public",
  limit: { points: 60, per: 900, by: "ip" },
  query: z.object({
    token: token.nullish().meta({ description: "Token from the server's log." }),
    browser_time: browserTime.meta({ description: "Current time of the client, to detect a wrong clock." }),
  }),
  status: 200,
  output: z.object({
    success,
    needed: z
      .boolean()
      .meta({ description: "True when the platform has no administrator yet.", example: false }),
    checks: z
      .array(HealthRow)
      .nullable()
      .meta({ description: "Results of the self-check; null without the token.", example: null }),
  }),
});

export const completeSetup = operation({
  id: "completeSetup",
  method: "POST",
  path: "/api/setup",
  tag: "Platform",
  summary: "Create the first administrator",
  description:
    "In production, while there is no administrator. The server logs the token at its start; it works once, for 24 hours, " +
    "until the next start. The address counts as verified, and the response is that of a sign-in.",
  access: "public",
  limit: { points: 10, per: 900, by: "ip", durable: true, guards: true },
  body: z
    .object({
      token,
      name: personName.meta({ description: "Name of the administrator." }),
      email,
      password,
      password_confirmation: typedPassword.meta({ description: "Must equal `password`." }),
    })
    .refine(...samePasswords("password", "password_confirmation")),
  status: 201,
  output: SignedIn,
  errors: ["setup_closed"],
});
