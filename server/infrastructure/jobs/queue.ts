import type { Locale } from "@/server/core/locale";
import type { Work } from "@/server/infrastructure/database/transaction";

/** Every background job and what it is given. Payloads carry ids, never secrets. */
export interface Jobs {
  deliver_mail: { mailId: number };
  deliver_sms: { smsId: number };
  resend_verification: { sealed: string };
  send_password_reset: { sealed: string };
  notice_sign_in: { tokenId: number };
  remind_of_keys: Record<string, never>;
  exchange_apple_code: { identityId: number; sealed: string };
  tear_down: { taskId: number };
  tell_released: { userIds: number[] };
  make_data_export: { exportId: string; locale: Locale };
  remove_file: { key: string };
  sweep_avatars: Record<string, never>;
  sweep_data_exports: Record<string, never>;
  suspend_unpaid_licences: Record<string, never>;
  prune: Record<string, never>;
  release_jobs: Record<string, never>;
}
export type JobName = keyof Jobs;

/** Adds a job within the caller's transaction: it runs if and only if that transaction is committed. */
export async function addJob<N extends JobName>(
  { sql }: Pick<Work, "sql">,
  name: N,
  payload: Jobs[N],
  { runAt, key }: { runAt?: Date; key?: string } = {},
): Promise<void> {
  await sql`select 1 from graphile_worker.add_job(
    ${name}::text, ${JSON.stringify(payload)}::json, run_at => ${runAt ?? new Date()}::timestamptz, job_key => ${key ?? null}::text)`;
}
