import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { systemContext } from "@/server/core/context";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import type { AccountingAccess } from "@/server/infrastructure/database/generated/client";
import { inTransaction, outside, type Work } from "@/server/infrastructure/database/transaction";
import { OutboundError, outbound } from "@/server/infrastructure/http/outbound";
import { USER_AGENT } from "@/server/infrastructure/http/service";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import type { Problem } from "../policy";
import { chooseRefresher } from "../statements";
import { AccountingFailure } from "./provider";

/** Purpose of the seal on tokens of the accounting service. */
export const ACCESS_PURPOSE = "accounting_access";

/** The one row. */
export const ACCESS = { id: 1 } as const;

/** A token is replaced this long before it ends. */
const MARGIN = MINUTE;
/** How long a process waits for the one that fetches a token. */
const PATIENCE = 35 * SECOND;

const Granted = z.object({
  access_token: z.string().min(1).max(4096),
  refresh_token: z.string().min(1).max(4096),
  expires_in: z.number().min(1),
});
const Refused = z.object({ error: z.string().max(100) });

/** Gives a token that is good for now, and is not `stale`. */
export type Tokens = (stale?: string) => Promise<string>;

type Access = Pick<AccountingAccess, "accessSealed" | "expiresAt">;

/** How things stand with the service: whether everything is paused, and the token at hand. */
export function readAccess(): Promise<Access & Pick<AccountingAccess, "pausedAt">> {
  const select = { accessSealed: true, expiresAt: true, pausedAt: true };
  return outside().db.accountingAccess.findUniqueOrThrow({ where: ACCESS, select });
}

/** The token of that row, as long as it is good for now. */
function goodToken({ accessSealed, expiresAt }: Access): string | undefined {
  return accessSealed && expiresAt && expiresAt > fromNow(MARGIN)
    ? unseal(accessSealed, ACCESS_PURPOSE)
    : undefined;
}

/** Tokens for one run of calls, from the one at hand: asked for when there is none, and again when one is refused. */
export function tokensOfRun(access?: Access): Tokens {
  let known = access && goodToken(access);
  return async (stale) => {
    if (!known || known === stale) known = await accessToken(stale);
    return known;
  };
}

/** A token that is good for now, and is not `stale`. One process fetches it, the others wait for what it stores. */
export async function accessToken(stale?: string): Promise<string> {
  const giveUpAt = performance.now() + PATIENCE;
  while (performance.now() < giveUpAt) {
    const known = goodToken(await readAccess());
    if (known && known !== stale) return known;
    const [chosen] = await chooseRefresher(outside());
    if (chosen) return fetched(chosen.refreshSealed, stale);
    await sleep(100);
  }
  throw new AccountingFailure("transient", "no token in time", { certain: true });
}

async function fetched(refreshSealed: Uint8Array | null, stale?: string): Promise<string> {
  const { db } = outside();
  try {
    // Another process may have been the one a moment ago.
    const known = goodToken(await readAccess());
    if (known && known !== stale) {
      await db.accountingAccess.update({
        where: ACCESS,
        data: { refreshingUntil: null },
        select: { id: true },
      });
      return known;
    }
    const refresh = refreshSealed && unseal(refreshSealed, ACCESS_PURPOSE);
    const granted = (refresh && (await byRefresh(refresh))) || (await byPassword());
    // Before the new token is used: the former refresh token is worth nothing any more.
    await db.accountingAccess.update({
      where: ACCESS,
      data: {
        accessSealed: seal(granted.access_token, ACCESS_PURPOSE),
        refreshSealed: seal(granted.refresh_token, ACCESS_PURPOSE),
        expiresAt: fromNow(granted.expires_in * SECOND),
        refreshingUntil: null,
      },
      select: { id: true },
    });
    return granted.access_token;
  } catch (error) {
    await db.accountingAccess.update({
      where: ACCESS,
      data: { refreshingUntil: null },
      select: { id: true },
    });
    throw error;
  }
}

type Grant = z.output<typeof Granted>;

async function byRefresh(refresh_token: string): Promise<Grant | undefined> {
  const found = await asked({ grant_type: "refresh_token", refresh_token });
  return found === "invalid_grant" ? undefined : requireGrant(found);
}

async function byPassword(): Promise<Grant> {
  const { username, password } = env().parasut!;
  const redirect_uri = "urn:ietf:wg:oauth:2.0:oob";
  return requireGrant(await asked({ grant_type: "password", username, password, redirect_uri }));
}

function requireGrant(found: Grant | string): Grant {
  if (typeof found === "string") throw new AccountingFailure("credentials", found, { certain: true });
  return found;
}

/** What was granted, or the word for the refusal. */
async function asked(fields: Record<string, string>): Promise<Grant | string> {
  const { url, clientId, clientSecret } = env().parasut!;
  const answer = await outbound({
    method: "POST",
    url: `${url}/oauth/token`,
    headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": USER_AGENT },
    body: new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret }).toString(),
  }).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
    throw new AccountingFailure("transient", error.reason, { certain: true });
  });
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408)
    throw new AccountingFailure("transient", String(answer.status), { certain: true });
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    throw new AccountingFailure("protocol", "token: no JSON", { certain: true });
  }
  const granted = Granted.safeParse(body);
  if (answer.status === 200 && granted.success) return granted.data;
  const refused = Refused.safeParse(body);
  if (answer.status !== 200 && refused.success) return refused.data.error;
  throw new AccountingFailure("protocol", "token: unexpected answer", { certain: true });
}

/**
 * Stops everything until the connection was tested: more tries with a wrong password would lock the account there. The
 * first to notice writes to the administrators.
 */
export async function pause(problem: Problem, words: string): Promise<void> {
  log.error({ event: "accounting.paused", problem, reason: words });
  await inTransaction(async (tx) => {
    const { count } = await tx.db.accountingAccess.updateMany({
      where: { ...ACCESS, pausedAt: null },
      data: { pausedAt: new Date(), pausedReason: problem },
    });
    if (count > 0) await mailAdministrators(tx, { template: "accounting_paused", path: "/admin/accounting" });
  });
}

/** Whether nothing is to be sent now. */
export async function isPaused({ db }: Pick<Work, "db">): Promise<boolean> {
  const row = await db.accountingAccess.findUnique({ where: ACCESS, select: { pausedAt: true } });
  return row?.pausedAt != null;
}

/** Writes to every administrator who can sign in. */
export async function mailAdministrators(tx: Work, letter: Parameters<typeof mailUser>[2]): Promise<void> {
  const people = await tx.db.user.findMany({
    where: { role: "admin", isActive: true, anonymisedAt: null },
    orderBy: { id: "asc" },
    select: { id: true, name: true, email: true, locale: true },
  });
  for (const person of people) await mailUser(systemContext(tx), person, letter);
}
