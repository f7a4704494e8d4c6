import { isLocale, type Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { fromNow, HOUR } from "@/server/core/time";
import { notifyOwner } from "@/server/domains/profile/service";
import { pool } from "@/server/infrastructure/database/client";
import { statementsOn } from "@/server/infrastructure/database/sql";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import { localStorage } from "@/server/infrastructure/storage/local";
import { EXPORT_HOURS } from "./contract";
import { archiveOf } from "./service/archive";

/** After this long without success an export is given up; the queue has tried about ten times by then. */
const GIVE_UP = 6 * HOUR;
const FOLDER = "exports";

interface Begun {
  user_id: number;
  locale: string | null;
  created_at: Date;
}

/**
 * Makes an archive and mails its link. Run again after a crash it begins anew: until the last statement nobody has been
 * told anything, and a file is there whole or not at all.
 */
export async function makeDataExportJob({
  exportId,
  locale,
}: {
  exportId: string;
  locale: Locale;
}): Promise<void> {
  const sql = statementsOn(pool());
  const [begun] = await sql<Begun>`
    update data_exports e set state = 'running', progress = 0 from users u
     where e.id = ${exportId} and e.state in ('queued', 'running') and u.id = e.user_id
    returning e.user_id, u.locale, e.created_at`;
  if (!begun) return;
  const key = `${FOLDER}/${exportId}.zip`;
  const language = isLocale(begun.locale) ? begun.locale : locale;
  try {
    const size = await localStorage.write(
      key,
      archiveOf(begun.user_id, {
        locale: language,
        madeAt: new Date(),
        onProgress: async (percent) => {
          await sql`update data_exports set progress = ${percent} where id = ${exportId} and state = 'running'`;
        },
      }),
    );
    if (!(await finish({ exportId, key, size, userId: begun.user_id, locale: language })))
      await localStorage.remove(key);
  } catch (error) {
    if (begun.created_at.getTime() > Date.now() - GIVE_UP) throw error;
    log.error({ event: "data_export.failed", export: exportId, cause: error });
    await sql`update data_exports set state = 'failed' where id = ${exportId} and state = 'running'`;
  }
}

/** Marks the archive as ready and mails its link; false when the account has gone meanwhile. */
async function finish(done: {
  exportId: string;
  key: string;
  size: number;
  userId: number;
  locale: Locale;
}): Promise<boolean> {
  const { exportId, key, size, userId, locale } = done;
  const token = newToken("dsx");
  return inTransaction(async (tx) => {
    const { sql } = tx;
    const ready = await sql`
      update data_exports
         set state = 'ready', progress = 100, token_hash = ${digest(token)}, file = ${key}, size = ${size},
             ready_at = now(), expires_at = ${fromNow(EXPORT_HOURS * HOUR)}
       where id = ${exportId} and state = 'running' returning id`;
    if (ready.length === 0) return false;
    await notifyOwner({ ...tx, locale }, userId, "export_ready", {
      path: `/api/user/export/${exportId}?token=${token}`,
      params: { hours: EXPORT_HOURS },
    });
    return true;
  });
}

/** Removes archives whose link has ended, and whatever a crash or a deleted account has left of one. */
export async function sweepDataExportsJob(): Promise<void> {
  const sql = statementsOn(pool());
  const kept = await sql<{ file: string }>`
    select file from data_exports where file is not null and expires_at > now()`;
  const live = new Set(kept.map(({ file }) => file));
  for (const { key, changedAt } of await localStorage.list(FOLDER)) {
    // One that is being written, or was written a moment ago, has no row yet.
    if (live.has(key) || changedAt.getTime() > Date.now() - HOUR) continue;
    await localStorage.remove(key);
  }
  await sql`
    update data_exports set file = null, token_hash = null where file is not null and expires_at <= now()`;
  await sql`
    update data_exports set state = 'failed'
     where state in ('queued', 'running') and created_at < now() - interval '1 day'`;
}
