import * as z from "zod";
import { ABILITIES, operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput, pageOutput, pageQuery } from "@/server/core/list";
import {
  byId,
  count,
  createdAt,
  Done,
  expiry,
  ipAddress,
  queryId,
  recordId,
  textLine,
  timestamp,
} from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";
import { keyUseFields, recentUseFields } from "@/server/domains/accounts/key-use/contract";
import { ACTIVITY_RETENTION_DAYS, KEY_LIFETIME_DAY_CHOICES } from "./policy";

export const logout = operation({
  id: "logout",
  method: "POST",
  path: "/api/auth/logout",
  tag: "Sign-in",
  summary: "Revoke the current access token",
  description:
    "Revokes the token, API key or session of this request. It is refused from the next request on.",
  access: "token",
  isAllowedWithoutFactor: true,
  ability: null,
  viewAs: false,
  output: Done,
});

const AccessToken = f.namedObject("AccessToken", "An API key, without its secret.", {
  id: recordId,
  name: f.text("Name of the API key.", "Shop server"),
  abilities: f.list(z.string(), "Abilities of the API key.", ["read", "sites:write"]),
  last_four: f.text("Last four characters of the API key.", "x7Qk"),
  created_at: createdAt,
  expires_at: f.nullable(expiry, "When the API key expires; null if never."),
  last_used_at: f.nullable(timestamp, "When it was last used; null if never."),
  last_used_ip: f.nullable(ipAddress, "IP address of the last use; null if never used."),
});

const ListedToken = AccessToken.extend(recentUseFields).meta({
  id: "ListedAccessToken",
  description: "An API key with its use in the last seven days.",
});

const API_KEY_OPERATION = { tag: "API keys", access: "token", ability: "*" } as const;

export const listUserTokens = operation({
  id: "listUserTokens",
  method: "GET",
  path: "/api/user/tokens",
  ...API_KEY_OPERATION,
  isAllowedWithoutFactor: true,
  summary: "List the API keys of the account",
  description: "Newest first; the default is page 1 of 50 rows. `count` is the number of rows on the page.",
  viewAs: false,
  query: pageQuery,
  output: pageOutput("tokens", ListedToken, "API keys on this page."),
});

export const createUserToken = operation({
  id: "createUserToken",
  method: "POST",
  path: "/api/user/tokens",
  ...API_KEY_OPERATION,
  summary: "Create an API key",
  description:
    "Only this response contains the key. Without `expires_in_days`, the key expires after 90 days. A " +
    "key without expiry (null) needs a verified email address. Needs a recent proof of " +
    "identity (`confirmIdentity`).",
  limit: { points: 10, per: 60, by: "account", isDocumented: true, durable: true },
  idempotent: true,
  body: z.object({
    name: textLine({ max: 60 }).meta({
      description: "Name of the API key, at most 60 characters.",
      example: "Shop server",
    }),
    abilities: f.nullish(
      z.array(z.enum(ABILITIES)).min(1).max(ABILITIES.length),
      "Abilities of the API key; all (`*`) when omitted.",
      ["read", "sites:write"],
    ),
    expires_in_days: z
      .literal(KEY_LIFETIME_DAY_CHOICES)
      .nullable()
      .optional()
      .meta({ description: "Days until the API key expires: 90 when omitted; null for no expiry." }),
  }),
  status: 201,
  output: f.success({
    token: f.text("The API key, `dsu_…`; shown once.", "dsu_…"),
    access_token: AccessToken,
  }),
  errors: ["identity_unproven", "email_needs_verification"],
});

const TokenUse = f.namedObject("TokenUse", "Use of an API key in the last 30 days.", keyUseFields);

export const getTokenUse = operation({
  id: "getTokenUse",
  method: "GET",
  path: "/api/user/tokens/{id}/use",
  ...API_KEY_OPERATION,
  ...byId("AccessToken"),
  summary: "Get the use of an API key",
  description:
    "Covers the last 30 days, by operation and by IP address, most frequent first. Includes refused " +
    "calls. Figures may be one minute late.",
  viewAs: false,
  output: f.success({ use: TokenUse, data: TokenUse }),
});

export const KEY_PERIODS = ["7d", "24h", "30d", "90d"] as const;

export const getKeySeries = operation({
  id: "getKeySeries",
  method: "GET",
  path: "/api/user/tokens/series",
  ...API_KEY_OPERATION,
  isAllowedWithoutFactor: true,
  summary: "Get calls of API keys over time",
  description:
    "Counts calls in the quarter of an hour in which they were answered, refused calls included. Calls are kept for 90 days, and as " +
    "long as their key exists. Figures may be one minute late.",
  viewAs: false,
  query: seriesQuery({
    periods: KEY_PERIODS,
    filters: { token_id: f.nullish(queryId, "Only this API key; all of the account when omitted.") },
  }),
  output: f.success({
    data: series(
      "KeySeries",
      "Calls of API keys over time.",
      {
        succeeded: "calls answered with a status below 400.",
        errors: "calls answered with a status of 400 or above.",
      },
      {
        keys: f.list(
          z.object({
            id: recordId.meta({ description: "ID of the API key." }),
            calls: f.list(count, "A number of calls per entry of `starts`, errors included.", [42, 0]),
          }),
          "Keys with calls in the period, most calls first.",
        ),
      },
    ),
  }),
  errors: ["record_not_found"],
});

export const tryUserToken = operation({
  id: "tryUserToken",
  method: "POST",
  path: "/api/user/tokens/try",
  ...API_KEY_OPERATION,
  summary: "Create a one-hour API key for trying out the reference",
  description:
    "Only for panel sessions: other callers get 403. The key is named `docs`, and only this response " +
    "contains it. It ends after an hour or with the session. A session has at most five such keys: a " +
    "sixth ends the oldest. The scope `all` needs a recent proof of identity " +
    "(`confirmIdentity`).",
  viewAs: false,
  limit: { points: 10, per: 60, by: "account", isDocumented: true },
  body: z.object({
    scope: f.oneOf(
      ["read", "all"],
      "Scope of the key: `read` allows reading, `all` allows everything.",
      "read",
    ),
  }),
  status: 201,
  output: f.success({
    token: f.text("The API key, `dsu_…`; shown once.", "dsu_…"),
    access_token: AccessToken,
  }),
  errors: ["identity_unproven"],
});

export const deleteUserToken = operation({
  id: "deleteUserToken",
  method: "DELETE",
  path: "/api/user/tokens/{id}",
  ...API_KEY_OPERATION,
  isAllowedWithoutFactor: true,
  ...byId("AccessToken"),
  summary: "Revoke an API key",
  description: "The key is refused from the next request on.",
  output: Done,
});

const userAgent = z.string().meta({ example: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:147.0)" });

const Session = f.namedObject("Session", "A session of the account.", {
  id: recordId,
  kind: f.oneOf(["panel", "token"], "`panel` for a browser session, `token` for a token from a sign-in."),
  current: f.boolean(
    "True for the session of this request. Always false with an API key, which is no session.",
  ),
  ip: f.nullable(ipAddress, "IP address of the client; null if unknown."),
  user_agent: f.nullable(userAgent, "`User-Agent` header of the client; null if it sent none."),
  created_at: createdAt,
  last_used_at: f.nullable(timestamp, "When it was last used; null if never."),
  expires_at: expiry,
});

const SESSION_OPERATION = {
  tag: "Sessions",
  access: "token",
  ability: "*",
  isAllowedWithoutFactor: true,
} as const;

export const listSessions = operation({
  id: "listSessions",
  method: "GET",
  path: "/api/profile/sessions",
  ...SESSION_OPERATION,
  summary: "List the sessions of the account",
  description:
    "Panel sessions and access tokens from sign-ins, last used first, at most 200. API keys are not " +
    "sessions: see `GET /api/user/tokens`.",
  viewAs: false,
  output: listOutput("sessions", Session, "Active sessions."),
});

export const endSession = operation({
  id: "endSession",
  method: "DELETE",
  path: "/api/profile/sessions/{id}",
  ...SESSION_OPERATION,
  ...byId("Session"),
  summary: "End a session",
  description:
    "The client is signed out with its next request. Ending another session also cancels a pending " +
    "change of the email address that the ended session requested.",
  output: Done,
});

export const endOtherSessions = operation({
  id: "endOtherSessions",
  method: "DELETE",
  path: "/api/profile/sessions",
  ...SESSION_OPERATION,
  summary: "End all other sessions",
  description:
    "Ends every session except the caller's. Called with an API key, which is no session, it ends all. " +
    "API keys stay: revoke them one by one. Also cancels a pending change of the email address, unless " +
    "the caller's own session requested it.",
  output: f.changeOutput({ ended: count.meta({ description: "Number of sessions that were ended." }) }),
});

const TrustedDevice = f.namedObject("TrustedDevice", "A device that skips the second factor.", {
  id: recordId,
  ip: f.nullable(ipAddress, "IP address of the client; null if unknown."),
  user_agent: f.nullable(userAgent, "`User-Agent` header of the client; null if it sent none."),
  created_at: createdAt,
  last_used_at: timestamp.meta({
    description: "When the device last skipped the second factor; until then, when it became trusted.",
  }),
  expires_at: expiry.meta({ description: "When the device stops being trusted." }),
});

export const listTrustedDevices = operation({
  id: "listTrustedDevices",
  method: "GET",
  path: "/api/profile/devices",
  ...SESSION_OPERATION,
  summary: "List the trusted devices",
  description: "Devices that skip the second factor, last used first. Each is trusted for 30 days.",
  viewAs: false,
  output: listOutput("devices", TrustedDevice, "Trusted devices."),
});

export const forgetTrustedDevice = operation({
  id: "forgetTrustedDevice",
  method: "DELETE",
  path: "/api/profile/devices/{id}",
  ...SESSION_OPERATION,
  ...byId("TrustedDevice"),
  summary: "Stop trusting a device",
  description: "The next sign-in there asks for the second factor again.",
  output: Done,
});

export const HISTORY_MAX = 50;

export const SIGN_IN_PERIODS = ["30d", "7d", "24h", "90d", "12m"] as const;

export const getSignInSeries = operation({
  id: "getSignInSeries",
  method: "GET",
  path: "/api/user/sign-ins/series",
  tag: "Sessions",
  access: "token",
  viewAs: false,
  isAllowedWithoutFactor: true,
  summary: "Get sign-ins over time",
  description:
    "Counts sign-ins and attempts as in `listSignIns`, of the account itself or of its team. Attempts without a known account, " +
    "and those that a rate limit refused, are not counted. Entries are kept for at least the platform's retention period, by " +
    "default two years. With `scope=team`, agents get 403, and sign-ins from before a member joined the team are not counted.",
  query: seriesQuery({
    periods: SIGN_IN_PERIODS,
    filters: {
      scope: f.nullish(
        z.enum(["own", "team"]),
        "`own`: sign-ins of the account itself, the default. `team`: those of all its sub-users and agents.",
        "own",
      ),
    },
  }),
  output: f.success({
    data: series("SignInSeries", "Sign-ins and attempts over time.", {
      succeeded: "sign-ins.",
      failed: "attempts with a wrong password or code.",
      refused:
        "attempts with the right password that a gate refused, such as that of an unverified email address.",
    }),
  }),
});

const SignInEvent = f.namedObject("SignInEvent", "A sign-in or an attempt.", {
  at: timestamp.meta({ description: "When the attempt was made." }),
  outcome: f.oneOf(
    ["succeeded", "failed", "refused"],
    "Result. `failed`: wrong password or code. `refused`: a gate is closed.",
  ),
  way: f.nullable(
    z.enum([
      "password",
      "reset",
      "google",
      "apple",
      "passkey",
      "invitation",
      "second_factor",
      "recovery_code",
    ]),
    "Method of the sign-in; null if unknown. `reset` is an emailed link to set a password. `second_factor` " +
      "and `recovery_code` finish a sign-in that another method started.",
  ),
  gate: f.nullable(
    z.string(),
    "Error code of the gate that refused the sign-in, such as `email_unverified`; null if none.",
    null,
  ),
  ip: f.nullable(ipAddress, "IP address of the client; null if unknown."),
  user_agent: f.nullable(userAgent, "`User-Agent` header of the client; null if it sent none."),
});

export const listSignIns = operation({
  id: "listSignIns",
  method: "GET",
  path: "/api/profile/sign-ins",
  ...SESSION_OPERATION,
  summary: "List the latest sign-ins and attempts",
  description: `At most ${HISTORY_MAX} entries.`,
  viewAs: false,
  output: listOutput("sign_ins", SignInEvent, "Sign-ins and attempts, newest first."),
});

export const ACTIVE_ACCOUNT_PERIODS = ["30d", "24h", "7d", "90d", "12m"] as const;

export const getActiveAccountSeries = operation({
  id: "getActiveAccountSeries",
  method: "GET",
  path: "/api/admin/users/active/series",
  tag: "Administration",
  summary: "Get active accounts over time",
  description:
    "Counted on the hour: accounts with a session, sign-in token or API key that was used in the 24 hours before and not " +
    `revoked since. An interval has its last count, or null without one. Counts are deleted after ${ACTIVITY_RETENTION_DAYS} days.`,
  access: "token",
  ability: "admin:*",
  query: seriesQuery({ periods: ACTIVE_ACCOUNT_PERIODS }),
  output: f.success({
    data: series("ActiveAccountSeries", "Active accounts over time.", {
      active: "accounts that used the platform in the 24 hours before the count.",
    }),
  }),
});
