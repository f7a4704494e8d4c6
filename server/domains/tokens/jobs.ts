import { deviceOf } from "@/server/core/device";
import { FALLBACK_LOCALE } from "@/server/core/locale";
import { notifyOwner } from "@/server/domains/profile/service";
import { inTransaction, type Work } from "@/server/infrastructure/database/transaction";

interface SignIn {
  user_id: number;
  ip: string | null;
  user_agent: string | null;
  created_at: Date;
}

/** As many earlier sign-ins as a device is looked for in. */
const LOOK_BACK = 200;

/**
 * Tells the owner of a sign-in from a kind of device that the account was never used from before. The first
 * sign-in ever is no news.
 */
export async function noticeSignInJob({ tokenId }: { tokenId: number }): Promise<void> {
  await inTransaction(async (tx) => {
    const { sql } = tx;
    const [signIn] = await sql<SignIn>`
      select user_id, ip, user_agent, created_at from access_tokens where id = ${tokenId}`;
    if (!signIn || !(await isNews({ sql }, signIn))) return;
    const { browser = "?", system } = deviceOf(signIn.user_agent);
    const device = system ? `${browser}, ${system}` : browser;
    await notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, signIn.user_id, "new_sign_in", {
      params: { device, ip: signIn.ip ?? "?", time: signIn.created_at },
    });
  });
}

async function isNews(
  { sql }: Pick<Work, "sql">,
  { user_id, user_agent, created_at }: SignIn,
): Promise<boolean> {
  const earlier = await sql<{ user_agent: string | null }>`
    select user_agent from audit_events
     where actor_id = ${user_id} and action in ('sign_in.succeeded', 'account.registered') and at < ${created_at}
     order by id desc limit ${LOOK_BACK}`;
  const device = nameOf(user_agent);
  return earlier.length > 0 && earlier.every((each) => nameOf(each.user_agent) !== device);
}

function nameOf(userAgent: string | null): string {
  const { browser, system } = deviceOf(userAgent);
  return `${browser}|${system}`;
}

/** Days before its end that a key's owner is told. */
const NOTICE_DAYS = 7;

/** Tells owners of API keys that end within a week, once for each key. */
export async function remindOfKeysJob(): Promise<void> {
  await inTransaction(async (tx) => {
    const { sql } = tx;
    const keys = await sql<{ user_id: number; name: string; expires_at: Date }>`
      update access_tokens set reminded_at = now()
       where kind = 'api_key' and reminded_at is null and expires_at > now()
         and expires_at < now() + make_interval(days => ${NOTICE_DAYS})
         and created_at < now() - make_interval(days => 1)
      returning user_id, name, expires_at`;
    for (const key of keys) {
      await notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, key.user_id, "key_ends_soon", {
        path: "/developers/keys",
        params: { key: key.name, time: key.expires_at },
      });
    }
  });
}
