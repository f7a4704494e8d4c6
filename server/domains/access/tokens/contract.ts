import * as z from "zod";
import { ABILITIES, operation } from "@/server/core/contract";
import { PageMeta, pageQuery } from "@/server/core/list";
import {
  count,
  Done,
  expiry,
  ipAddress,
  line,
  message,
  pathId,
  recordId,
  success,
  timestamp,
} from "@/server/core/schema";
import { keyUse, recentUse } from "@/server/domains/accounts/key-use/contract";
import { KEY_LIVES } from "./policy";

export const logout = operation({
  id: "logout",
  method: "POST",
  path: "/api/auth/logout",
  tag: "Sign-in",
  summary: "Revoke the current access token",
  description: "The token is refused from the next request on.",
  access: "token",
  withoutFactor: true,
  ability: null,
  viewAs: false,
  status: 200,
  output: Done,
});

const AccessToken = z
  .object({
    id: recordId,
    name: z.string().meta({ example: "Shop server" }),
    abilities: z.array(z.string()).meta({ example: ["read", "sites:write"] }),
    last_four: z.string().meta({ example: "x7Qk" }),
    created_at: timestamp,
    expires_at: expiry.nullable(),
    last_used_at: timestamp.nullable(),
    last_used_ip: ipAddress.nullable(),
  })
  .meta({ id: "AccessToken" });

/** Of the last seven days: how often it was used, and from how many addresses. */
const ListedToken = AccessToken.extend(recentUse).meta({ id: "ListedAccessToken" });

export const listUserTokens = operation({
  id: "listUserTokens",
  method: "GET",
  path: "/api/user/tokens",
  tag: "API keys",
  summary: "List the API keys of the account",
  description: "Newest first; the default is page 1 of 50 rows. `count` is the number of rows of the page.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  viewAs: false,
  query: pageQuery,
  status: 200,
  output: z.object({
    success,
    tokens: z.array(ListedToken),
    data: z.array(ListedToken),
    count,
    meta: PageMeta,
  }),
});

export const createUserToken = operation({
  id: "createUserToken",
  method: "POST",
  path: "/api/user/tokens",
  tag: "API keys",
  summary: "Create an API key",
  description: "The key is in this response only. Needs a fresh proof of identity.",
  access: "token",
  ability: "*",
  limit: { points: 10, per: 60, by: "account", named: true, durable: true },
  idempotent: true,
  body: z.object({
    name: line({ max: 60 }).meta({ example: "Shop server" }),
    abilities: z
      .array(z.enum(ABILITIES))
      .min(1)
      .max(ABILITIES.length)
      .meta({ example: ["read", "sites:write"] })
      .nullish(),
    expires_in_days: z.literal(KEY_LIVES).nullable().optional(),
  }),
  status: 201,
  output: z.object({ success, token: z.string().meta({ example: "dsu_…" }), access_token: AccessToken }),
  errors: ["identity_unproven", "email_needs_verification"],
});

const TokenUse = z.object(keyUse).meta({ id: "TokenUse" });

export const getTokenUse = operation({
  id: "getTokenUse",
  method: "GET",
  path: "/api/user/tokens/{id}/use",
  tag: "API keys",
  record: "AccessToken",
  summary: "Get what an API key was used for",
  description:
    "In the last 30 days, by operation and by address, the most frequent first. Refused calls count, too. Figures may be " +
    "a minute late.",
  access: "token",
  ability: "*",
  viewAs: false,
  params: z.object({ id: pathId }),
  status: 200,
  output: z.object({ success, use: TokenUse, data: TokenUse }),
  errors: ["record_not_found"],
});

export const tryUserToken = operation({
  id: "tryUserToken",
  method: "POST",
  path: "/api/user/tokens/try",
  tag: "API keys",
  summary: "Create an API key of one hour, to try the reference with",
  description:
    "For the panel's own session only: any other caller gets 403. The key is called `docs`, is in this response only, " +
    "and ends after an hour or with the session. Of one session the last five work. `all` needs a fresh proof of identity.",
  access: "token",
  ability: "*",
  viewAs: false,
  limit: { points: 10, per: 60, by: "account", named: true },
  body: z.object({ scope: z.enum(["read", "all"]).meta({ example: "read" }) }),
  status: 201,
  output: z.object({ success, token: z.string().meta({ example: "dsu_…" }), access_token: AccessToken }),
  errors: ["identity_unproven"],
});

export const deleteUserToken = operation({
  id: "deleteUserToken",
  method: "DELETE",
  path: "/api/user/tokens/{id}",
  tag: "API keys",
  record: "AccessToken",
  summary: "Revoke an API key",
  description: "It is refused from the next request on.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  params: z.object({ id: pathId }),
  status: 200,
  output: Done,
  errors: ["record_not_found"],
});

const userAgent = z.string().meta({ example: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:147.0)" });

const Session = z
  .object({
    id: recordId,
    kind: z.enum(["panel", "token"]),
    current: z.boolean(),
    ip: ipAddress.nullable(),
    user_agent: userAgent.nullable(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    expires_at: expiry,
  })
  .meta({ id: "Session" });

export const listSessions = operation({
  id: "listSessions",
  method: "GET",
  path: "/api/profile/sessions",
  tag: "Sessions",
  summary: "List where the account is signed in",
  description:
    "Sessions of the panel and tokens that signing in has issued; keys of the API are listed with the tokens.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  viewAs: false,
  status: 200,
  output: z.object({ success, sessions: z.array(Session), data: z.array(Session), count }),
});

export const endSession = operation({
  id: "endSession",
  method: "DELETE",
  path: "/api/profile/sessions/{id}",
  tag: "Sessions",
  record: "Session",
  summary: "End a session",
  description: "Whoever uses it is signed out with the next request.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  params: z.object({ id: pathId }),
  status: 200,
  output: Done,
  errors: ["record_not_found"],
});

export const endOtherSessions = operation({
  id: "endOtherSessions",
  method: "DELETE",
  path: "/api/profile/sessions",
  tag: "Sessions",
  summary: "End all other sessions",
  description: "API keys are not affected; revoke them individually.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  status: 200,
  output: z.object({ success, message, ended: count }),
});

const TrustedDevice = z
  .object({
    id: recordId,
    ip: ipAddress.nullable(),
    user_agent: userAgent.nullable(),
    created_at: timestamp,
    last_used_at: timestamp,
    expires_at: expiry,
  })
  .meta({ id: "TrustedDevice" });

export const listTrustedDevices = operation({
  id: "listTrustedDevices",
  method: "GET",
  path: "/api/profile/devices",
  tag: "Sessions",
  summary: "List the trusted devices, which skip the second factor",
  access: "token",
  withoutFactor: true,
  ability: "*",
  viewAs: false,
  status: 200,
  output: z.object({
    success,
    devices: z.array(TrustedDevice),
    data: z.array(TrustedDevice),
    count,
  }),
});

export const forgetTrustedDevice = operation({
  id: "forgetTrustedDevice",
  method: "DELETE",
  path: "/api/profile/devices/{id}",
  tag: "Sessions",
  record: "TrustedDevice",
  summary: "Stop trusting a device",
  description: "The next sign-in there asks for the second factor again.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  params: z.object({ id: pathId }),
  status: 200,
  output: Done,
  errors: ["record_not_found"],
});

/** The most entries of the history in one response. */
export const HISTORY_MAX = 50;

const SignInEvent = z
  .object({
    at: timestamp,
    outcome: z.enum(["succeeded", "failed", "refused"]),
    way: z
      .enum([
        "password",
        "reset",
        "google",
        "apple",
        "passkey",
        "invitation",
        "second_factor",
        "recovery_code",
      ])
      .nullable(),
    /** The gate that refused. */
    gate: z.string().nullable().meta({ example: null }),
    ip: ipAddress.nullable(),
    user_agent: userAgent.nullable(),
  })
  .meta({ id: "SignInEvent" });

export const listSignIns = operation({
  id: "listSignIns",
  method: "GET",
  path: "/api/profile/sign-ins",
  tag: "Sessions",
  summary: "List the latest sign-ins and attempts",
  access: "token",
  withoutFactor: true,
  ability: "*",
  viewAs: false,
  status: 200,
  output: z.object({ success, sign_ins: z.array(SignInEvent), data: z.array(SignInEvent), count }),
});
