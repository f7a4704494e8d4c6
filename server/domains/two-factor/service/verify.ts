import { Secret, TOTP } from "otpauth";
import type { Work } from "@/server/infrastructure/database/transaction";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { codeDigest } from "@/server/infrastructure/secrets/tokens";

export const TOTP_PURPOSE = "totp";
const PERIOD = 30;
/** Steps before and after the current one that are accepted: clocks differ. */
const WINDOW = 1;

/** An authenticator for a seed in Base32. */
export function authenticator(secret: string, label = "", issuer = ""): TOTP {
  return new TOTP({
    secret: Secret.fromBase32(secret),
    label,
    issuer,
    period: PERIOD,
    digits: 6,
    algorithm: "SHA1",
  });
}

/**
 * Checks a value of the authenticator app and spends it: each value works once, whoever comes second
 * finds its step used. With `confirm` the factor becomes active by it.
 */
export async function spendTotp(
  { sql }: Pick<Work, "sql">,
  { userId, code, confirm = false }: { userId: number; code: string; confirm?: boolean },
): Promise<boolean> {
  const [factor] = await sql<{ id: number; secret_sealed: Buffer }>`
    select id, secret_sealed from factors
     where user_id = ${userId} and kind = 'totp' and (confirmed_at is null) = ${confirm}`;
  const token = digits(code);
  if (!factor || token.length !== 6) return false;
  const delta = authenticator(unseal(factor.secret_sealed, TOTP_PURPOSE)).validate({ token, window: WINDOW });
  if (delta === null) return false;
  const step = Math.floor(Date.now() / 1000 / PERIOD) + delta;
  const spent = await sql`
    update factors set last_step = ${step}, last_used_at = now(), confirmed_at = coalesce(confirmed_at, now())
     where id = ${factor.id} and (last_step is null or last_step < ${step}) returning id`;
  return spent.length === 1;
}

/** Checks the newest code that was sent for one sign-in, and spends it. */
export async function spendSentCode(
  { sql }: Pick<Work, "sql">,
  {
    interimId,
    userId,
    kind,
    code,
  }: { interimId: number; userId: number; kind: "email" | "sms"; code: string },
): Promise<boolean> {
  const spent = await sql`
    delete from factor_codes
     where interim_id = ${interimId} and kind = ${kind} and expires_at > now()
       and code_hash = ${sentCodeDigest(digits(code), interimId)}
    returning interim_id`;
  if (spent.length === 0) return false;
  await sql`update factors set last_used_at = now() where user_id = ${userId} and kind = ${kind}`;
  return true;
}

export function sentCodeDigest(code: string, interimId: number): Buffer<ArrayBuffer> {
  return codeDigest(code, `factor:${interimId}`);
}

/** Digits of any script, without the spaces people paste. */
export function digits(code: string): string {
  return code.normalize("NFKC").replace(/[\s-]/g, "");
}
