import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { systemContext } from "@/server/core/context";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import type { AccountingAccess } from "@/server/infrastructure/database/generated/client";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { OutboundError, outbound } from "@/server/infrastructure/http/outbound";
import { USER_AGENT } from "@/server/infrastructure/http/service";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import type { Problem } from "../policy";
import { lockTokenRefresh } from "../statements";
import { AccountingFailure } from "./provider";

export const ACCESS_SEAL_PURPOSE = "accounting_access";

/** The table has a single row. */
export const ACCESS_ROW = { id: 1 } as const;

const MARGIN = MINUTE;
/** Wait for another process to fetch a token; longer than its 30-second lock. */
const WAIT_LIMIT = 35 * SECOND;

const GrantBody = z.object({
  access_token: z.string().min(1).max(4096),
  refresh_token: z.string().min(1).max(4096),
  expires_in: z.number().min(1),
});
const ErrorBody = z.object({ error: z.string().max(100) });

export type TokenSource = (stale?: string) => Promise<string>;

type Access = Pick<AccountingAccess, "accessSealed" | "expiresAt">;

export function readAccess(): Promise<Access & Pick<AccountingAccess, "pausedAt">> {
  const select = { accessSealed: true, expiresAt: true, pausedAt: true };
  return withoutTransaction().db.accountingAccess.findUniqueOrThrow({ where: ACCESS_ROW, select });
}

function validToken({ accessSealed, expiresAt }: Access): string | undefined {
  return accessSealed && expiresAt && expiresAt > fromNow(MARGIN)
    ? unseal(accessSealed, ACCESS_SEAL_PURPOSE)
    : undefined;
}

/** Caches the token for a series of calls; fetches one if it is missing or was rejected. */
export function createTokenSource(access?: Access): TokenSource {
  let token = access && validToken(access);
  return async (stale) => {
    if (!token || token === stale) token = await accessToken(stale);
    return token;
  };
}

/** Returns a valid token other than `stale`. One process fetches it, the others wait until it is stored. */
export async function accessToken(stale?: string): Promise<string> {
  const giveUpAt = performance.now() + WAIT_LIMIT;
  while (performance.now() < giveUpAt) {
    const token = validToken(await readAccess());
    if (token && token !== stale) return token;
    const [elected] = await lockTokenRefresh(withoutTransaction());
    if (elected) return fetchToken(elected.refreshSealed, stale);
    await sleep(100);
  }
  throw new AccountingFailure("transient", "no token in time", { certain: true });
}

async function fetchToken(refreshSealed: Uint8Array | null, stale?: string): Promise<string> {
  const { db } = withoutTransaction();
  try {
    const token = validToken(await readAccess());
    if (token && token !== stale) {
      await db.accountingAccess.update({
        where: ACCESS_ROW,
        data: { refreshingUntil: null },
        select: { id: true },
      });
      return token;
    }
    const refresh = refreshSealed && unseal(refreshSealed, ACCESS_SEAL_PURPOSE);
    const granted = (refresh && (await byRefresh(refresh))) || (await byPassword());
    // Store before use: the old refresh token is invalid now.
    await db.accountingAccess.update({
      where: ACCESS_ROW,
      data: {
        accessSealed: seal(granted.access_token, ACCESS_SEAL_PURPOSE),
        refreshSealed: seal(granted.refresh_token, ACCESS_SEAL_PURPOSE),
        expiresAt: fromNow(granted.expires_in * SECOND),
        refreshingUntil: null,
      },
      select: { id: true },
    });
    return granted.access_token;
  } catch (error) {
    await db.accountingAccess.update({
      where: ACCESS_ROW,
      data: { refreshingUntil: null },
      select: { id: true },
    });
    throw error;
  }
}

type Grant = z.output<typeof GrantBody>;

async function byRefresh(refresh_token: string): Promise<Grant | undefined> {
  const result = await requestToken({ grant_type: "refresh_token", refresh_token });
  return result === "invalid_grant" ? undefined : requireGrant(result);
}

async function byPassword(): Promise<Grant> {
  const { username, password } = env().parasut!;
  const redirect_uri = "urn:ietf:wg:oauth:2.0:oob";
  return requireGrant(await requestToken({ grant_type: "password", username, password, redirect_uri }));
}

function requireGrant(result: Grant | string): Grant {
  if (typeof result === "string") throw new AccountingFailure("credentials", result, { certain: true });
  return result;
}

async function requestToken(fields: Record<string, string>): Promise<Grant | string> {
  const { url, clientId, clientSecret } = env().parasut!;
  const response = await outbound({
    method: "POST",
    url: `${url}/oauth/token`,
    headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": USER_AGENT },
    body: new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret }).toString(),
  }).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
    throw new AccountingFailure("transient", error.reason, { certain: true });
  });
  if (response.status >= 500 || response.status === 429 || response.status === 408)
    throw new AccountingFailure("transient", String(response.status), { certain: true });
  let body: unknown;
  try {
    body = JSON.parse(response.text);
  } catch {
    throw new AccountingFailure("protocol", "token: no JSON", { certain: true });
  }
  const granted = GrantBody.safeParse(body);
  if (response.status === 200 && granted.success) return granted.data;
  const refused = ErrorBody.safeParse(body);
  if (response.status !== 200 && refused.success) return refused.data.error;
  throw new AccountingFailure("protocol", "token: unexpected answer", { certain: true });
}

/**
 * Pauses invoicing and mails the administrators once. Retries with a wrong password would lock the account at
 * the service.
 */
export async function pauseInvoicing(problem: Problem, reason: string): Promise<void> {
  log.error({ event: "accounting.paused", problem, reason });
  await inTransaction(async (tx) => {
    const { count } = await tx.db.accountingAccess.updateMany({
      where: { ...ACCESS_ROW, pausedAt: null },
      data: { pausedAt: new Date(), pausedReason: problem },
    });
    if (count > 0) await mailAdministrators(tx, { template: "accounting_paused", path: "/admin/accounting" });
  });
}

export async function isPaused({ db }: Pick<DbAccess, "db">): Promise<boolean> {
  const row = await db.accountingAccess.findUnique({ where: ACCESS_ROW, select: { pausedAt: true } });
  return row?.pausedAt != null;
}

export async function mailAdministrators(tx: DbAccess, mail: Parameters<typeof mailUser>[2]): Promise<void> {
  const administrators = await tx.db.user.findMany({
    where: { role: "admin", isActive: true, anonymisedAt: null },
    orderBy: { id: "asc" },
    select: { id: true, name: true, email: true, locale: true },
  });
  for (const administrator of administrators) await mailUser(systemContext(tx), administrator, mail);
}
