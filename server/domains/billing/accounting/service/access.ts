import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { createSystemContext } from "@/server/core/context";
import { env } from "@/server/core/env";
import { MAIL_LOCALE_SELECT } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import type { AccountingAccess } from "@/server/infrastructure/database/generated/client";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { USER_AGENT } from "@/server/infrastructure/http/call-service";
import { callOutbound, OutboundError } from "@/server/infrastructure/http/outbound";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import type { Problem } from "../policy";
import { lockTokenRefresh } from "../statements";
import { AccountingFailure } from "./provider";

export const ACCESS_SEAL_PURPOSE = "accounting_access";

export const ACCESS_ROW_FILTER = { id: 1 } as const;

const TOKEN_EXPIRY_MARGIN_MS = MINUTE;
/** Longer than the 30 seconds of `lockTokenRefresh`: after a crash, a waiting process takes over. */
const TOKEN_WAIT_MS = 35 * SECOND;

const GrantBody = z.object({
  access_token: z.string().min(1).max(4096),
  refresh_token: z.string().min(1).max(4096),
  expires_in: z.number().min(1),
});
const ErrorBody = z.object({ error: z.string().max(100) });

export type TokenSource = (staleToken?: string) => Promise<string>;

type StoredAccess = Pick<AccountingAccess, "accessSealed" | "expiresAt">;

export function readStoredAccess(): Promise<StoredAccess & Pick<AccountingAccess, "pausedAt">> {
  const select = { accessSealed: true, expiresAt: true, pausedAt: true };
  return withoutTransaction().db.accountingAccess.findUniqueOrThrow({ where: ACCESS_ROW_FILTER, select });
}

function unsealValidToken({ accessSealed, expiresAt }: StoredAccess): string | undefined {
  return accessSealed && expiresAt && expiresAt > fromNow(TOKEN_EXPIRY_MARGIN_MS)
    ? unseal(accessSealed, ACCESS_SEAL_PURPOSE)
    : undefined;
}

/** Caches the token for a series of calls; fetches one if it is missing or was rejected. */
export function createTokenSource(access?: StoredAccess): TokenSource {
  let token = access && unsealValidToken(access);
  return async (staleToken) => {
    if (!token || token === staleToken) token = await getAccessToken(staleToken);
    return token;
  };
}

/** Returns a valid token other than `staleToken`. One process fetches it, the others wait. */
export async function getAccessToken(staleToken?: string): Promise<string> {
  const giveUpAt = performance.now() + TOKEN_WAIT_MS;
  while (performance.now() < giveUpAt) {
    const token = unsealValidToken(await readStoredAccess());
    if (token && token !== staleToken) return token;
    const [refreshLock] = await lockTokenRefresh(withoutTransaction());
    if (refreshLock) return fetchToken(refreshLock.refreshSealed, staleToken);
    await sleep(100);
  }
  throw new AccountingFailure("transient", "no token in time", { hadNoEffect: true });
}

async function fetchToken(refreshSealed: Uint8Array | null, staleToken?: string): Promise<string> {
  const { db } = withoutTransaction();
  try {
    // Another process may have stored a token before this one got the lock.
    const token = unsealValidToken(await readStoredAccess());
    if (token && token !== staleToken) {
      await db.accountingAccess.update({
        where: ACCESS_ROW_FILTER,
        data: { refreshingUntil: null },
        select: { id: true },
      });
      return token;
    }
    const refreshToken = refreshSealed && unseal(refreshSealed, ACCESS_SEAL_PURPOSE);
    const grant =
      (refreshToken && (await requestGrantByRefresh(refreshToken))) || (await requestGrantByPassword());
    // Store before use: the old refresh token is invalid now.
    await db.accountingAccess.update({
      where: ACCESS_ROW_FILTER,
      data: {
        accessSealed: seal(grant.access_token, ACCESS_SEAL_PURPOSE),
        refreshSealed: seal(grant.refresh_token, ACCESS_SEAL_PURPOSE),
        expiresAt: fromNow(grant.expires_in * SECOND),
        refreshingUntil: null,
      },
      select: { id: true },
    });
    return grant.access_token;
  } catch (error) {
    await db.accountingAccess.update({
      where: ACCESS_ROW_FILTER,
      data: { refreshingUntil: null },
      select: { id: true },
    });
    throw error;
  }
}

type Grant = z.output<typeof GrantBody>;

async function requestGrantByRefresh(refresh_token: string): Promise<Grant | undefined> {
  const result = await requestToken({ grant_type: "refresh_token", refresh_token });
  return result === "invalid_grant" ? undefined : requireGrant(result);
}

async function requestGrantByPassword(): Promise<Grant> {
  const { username, password } = env().parasut!;
  const redirect_uri = "urn:ietf:wg:oauth:2.0:oob";
  return requireGrant(await requestToken({ grant_type: "password", username, password, redirect_uri }));
}

function requireGrant(result: Grant | string): Grant {
  if (typeof result === "string") throw new AccountingFailure("credentials", result, { hadNoEffect: true });
  return result;
}

/** Returns the grant, or the error code of the response. */
async function requestToken(fields: Record<string, string>): Promise<Grant | string> {
  const { url, clientId, clientSecret } = env().parasut!;
  const response = await callOutbound({
    method: "POST",
    url: `${url}/oauth/token`,
    headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": USER_AGENT },
    body: new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret }).toString(),
  }).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
    throw new AccountingFailure("transient", error.reason, { hadNoEffect: true });
  });
  if (response.status >= 500 || response.status === 429 || response.status === 408)
    throw new AccountingFailure("transient", String(response.status), { hadNoEffect: true });
  let body: unknown;
  try {
    body = JSON.parse(response.text);
  } catch {
    throw new AccountingFailure("protocol", "token: no JSON", { hadNoEffect: true });
  }
  const grantResult = GrantBody.safeParse(body);
  if (response.status === 200 && grantResult.success) return grantResult.data;
  const errorResult = ErrorBody.safeParse(body);
  if (response.status !== 200 && errorResult.success) return errorResult.data.error;
  throw new AccountingFailure("protocol", "token: unexpected answer", { hadNoEffect: true });
}

/** Mails the administrators once. Retries with a wrong password would lock the account at the service. */
export async function pauseInvoicing(problem: Problem, reason: string): Promise<void> {
  log.error({ event: "accounting.paused", problem, reason });
  await inTransaction(async (tx) => {
    const { count } = await tx.db.accountingAccess.updateMany({
      where: { ...ACCESS_ROW_FILTER, pausedAt: null },
      data: { pausedAt: new Date(), pausedReason: problem },
    });
    if (count > 0) await mailAdministrators(tx, { template: "accounting_paused", path: "/admin/accounting" });
  });
}

export async function isInvoicingPaused({ db }: Pick<DbAccess, "db">): Promise<boolean> {
  const row = await db.accountingAccess.findUnique({ where: ACCESS_ROW_FILTER, select: { pausedAt: true } });
  return row?.pausedAt != null;
}

export async function mailAdministrators(tx: DbAccess, mail: Parameters<typeof mailUser>[2]): Promise<void> {
  const administrators = await tx.db.user.findMany({
    where: { role: "admin", isActive: true, anonymisedAt: null },
    orderBy: { id: "asc" },
    select: { id: true, name: true, email: true, ...MAIL_LOCALE_SELECT },
  });
  for (const administrator of administrators) await mailUser(createSystemContext(tx), administrator, mail);
}
