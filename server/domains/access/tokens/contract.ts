import * as z from "zod";
import { ABILITIES, operation } from "@/server/core/contract";
import { listOutput, pageOutput, pageQuery } from "@/server/core/list";
import {
  count,
  createdAt,
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
  output: Done,
});

const AccessToken = z
  .object({
    id: recordId,
    name: z.string().meta({ description: "Name of the API key.", example: "Shop server" }),
    abilities: z
      .array(z.string())
      .meta({ description: "Abilities of the API key.", example: ["read", "sites:write"] }),
    last_four: z.string().meta({ description: "Last four characters of the API key.", example: "x7Qk" }),
    created_at: createdAt,
    expires_at: expiry.nullable().meta({ description: "When the API key expires; null if never." }),
    last_used_at: timestamp.nullable().meta({ description: "When it was last used; null if never." }),
    last_used_ip: ipAddress
      .nullable()
      .meta({ description: "IP address of the last use; null if never used." }),
  })
  .meta({ id: "AccessToken", description: "An API key, without its secret." });

const ListedToken = AccessToken.extend(recentUse).meta({
  id: "ListedAccessToken",
  description: "An API key with its use in the last seven days.",
});

export const listUserTokens = operation({
  id: "listUserTokens",
  method: "GET",
  path: "/api/user/tokens",
  tag: "API keys",
  summary: "List the API keys of the account",
  description: "Newest first; the default is page 1 of 50 rows. `count` is the number of rows on the page.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  viewAs: false,
  query: pageQuery,
  output: pageOutput("tokens", ListedToken, "API keys on this page."),
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
    name: line({ max: 60 }).meta({
      description: "Name of the API key, at most 60 characters.",
      example: "Shop server",
    }),
    abilities: z
      .array(z.enum(ABILITIES))
      .min(1)
      .max(ABILITIES.length)
      .nullish()
      .meta({
        description: "Abilities of the API key; all (`*`) when omitted.",
        example: ["read", "sites:write"],
      }),
    expires_in_days: z
      .literal(KEY_LIVES)
      .nullable()
      .optional()
      .meta({ description: "Days until the API key expires; null for no expiry." }),
  }),
  status: 201,
  output: z.object({
    success,
    token: z.string().meta({ description: "The API key, `dsu_…`; shown once.", example: "dsu_…" }),
    access_token: AccessToken,
  }),
  errors: ["identity_unproven", "email_needs_verification"],
});

const TokenUse = z
  .object(keyUse)
  .meta({ id: "TokenUse", description: "Use of an API key in the last 30 days." });

export const getTokenUse = operation({
  id: "getTokenUse",
  method: "GET",
  path: "/api/user/tokens/{id}/use",
  tag: "API keys",
  record: "AccessToken",
  summary: "Get the use of an API key",
  description:
    "Covers the last 30 days, by operation and by address, most frequent first. Refused calls count, too. Figures may be " +
    "a minute late.",
  access: "token",
  ability: "*",
  viewAs: false,
  params: z.object({ id: pathId }),
  output: z.object({ success, use: TokenUse, data: TokenUse }),
});

export const tryUserToken = operation({
  id: "tryUserToken",
  method: "POST",
  path: "/api/user/tokens/try",
  tag: "API keys",
  summary: "Create a one-hour API key for trying out the reference",
  description:
    "For the panel's own session only: any other caller gets 403. The key is named `docs`, is in this response only, and " +
    "ends after an hour or with the session. The last five keys of a session work. `all` needs a fresh proof of identity.",
  access: "token",
  ability: "*",
  viewAs: false,
  limit: { points: 10, per: 60, by: "account", named: true },
  body: z.object({
    scope: z
      .enum(["read", "all"])
      .meta({ description: "Scope of the key: read only, or everything.", example: "read" }),
  }),
  status: 201,
  output: z.object({
    success,
    token: z.string().meta({ description: "The API key, `dsu_…`; shown once.", example: "dsu_…" }),
    access_token: AccessToken,
  }),
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
  output: Done,
});

const userAgent = z.string().meta({ example: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:147.0)" });

const Session = z
  .object({
    id: recordId,
    kind: z
      .enum(["panel", "token"])
      .meta({ description: "`panel` for a browser session, `token` for a token from a sign-in." }),
    current: z.boolean().meta({ description: "True for the session of this request." }),
    ip: ipAddress.nullable().meta({ description: "IP address of the client; null if unknown." }),
    user_agent: userAgent
      .nullable()
      .meta({ description: "`User-Agent` header of the client; null if it sent none." }),
    created_at: createdAt,
    last_used_at: timestamp.nullable().meta({ description: "When it was last used; null if never." }),
    expires_at: expiry,
  })
  .meta({ id: "Session", description: "A session of the account." });

export const listSessions = operation({
  id: "listSessions",
  method: "GET",
  path: "/api/profile/sessions",
  tag: "Sessions",
  summary: "List the sessions of the account",
  description: "Panel sessions and tokens from sign-ins; API keys are listed with the tokens.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  viewAs: false,
  output: listOutput("sessions", Session, "Active sessions."),
});

export const endSession = operation({
  id: "endSession",
  method: "DELETE",
  path: "/api/profile/sessions/{id}",
  tag: "Sessions",
  record: "Session",
  summary: "End a session",
  description: "The client is signed out with its next request.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  params: z.object({ id: pathId }),
  output: Done,
});

export const endOtherSessions = operation({
  id: "endOtherSessions",
  method: "DELETE",
  path: "/api/profile/sessions",
  tag: "Sessions",
  summary: "End all other sessions",
  description: "API keys stay; revoke them one by one.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  output: z.object({
    success,
    message,
    ended: count.meta({ description: "Number of sessions that were ended." }),
  }),
});

const TrustedDevice = z
  .object({
    id: recordId,
    ip: ipAddress.nullable().meta({ description: "IP address of the client; null if unknown." }),
    user_agent: userAgent
      .nullable()
      .meta({ description: "`User-Agent` header of the client; null if it sent none." }),
    created_at: createdAt,
    last_used_at: timestamp.meta({ description: "When the device last signed in." }),
    expires_at: expiry.meta({ description: "When the device stops being trusted." }),
  })
  .meta({ id: "TrustedDevice", description: "A device that skips the second factor." });

export const listTrustedDevices = operation({
  id: "listTrustedDevices",
  method: "GET",
  path: "/api/profile/devices",
  tag: "Sessions",
  summary: "List the trusted devices",
  access: "token",
  withoutFactor: true,
  ability: "*",
  viewAs: false,
  output: listOutput("devices", TrustedDevice, "Trusted devices."),
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
  output: Done,
});

/** The most entries of the history in one response. */
export const HISTORY_MAX = 50;

const SignInEvent = z
  .object({
    at: timestamp.meta({ description: "When the attempt was made." }),
    outcome: z.enum(["succeeded", "failed", "refused"]).meta({ description: "Result of the attempt." }),
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
      .nullable()
      .meta({ description: "Method of the sign-in." }),
    gate: z
      .string()
      .nullable()
      .meta({ description: "Gate that refused the sign-in; null if none.", example: null }),
    ip: ipAddress.nullable().meta({ description: "IP address of the client; null if unknown." }),
    user_agent: userAgent
      .nullable()
      .meta({ description: "`User-Agent` header of the client; null if it sent none." }),
  })
  .meta({ id: "SignInEvent", description: "A sign-in or an attempt." });

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
  output: listOutput("sign_ins", SignInEvent, "Sign-ins and attempts, newest first."),
});
