import { systemContext } from "@/server/core/context";
import { audit } from "@/server/domains/audit/service";
import { eraseEntries } from "@/server/domains/consents/service/ledger";
import { inTransaction, type Work } from "@/server/infrastructure/database/transaction";
import { KEPT_YEARS } from "../policy";

/** As many accounts as one run ends; the next run is tomorrow. */
const AT_ONCE = 100;

/** Deletes what was kept of anonymous accounts once its years are over. Each account is a transaction of its own. */
export async function expireKept({ sql }: Pick<Work, "sql">): Promise<void> {
  const over = await sql<{ id: number }>`
    select id from users
     where extract(year from anonymised_at at time zone 'Europe/Istanbul') + ${KEPT_YEARS}::int
           < extract(year from now() at time zone 'Europe/Istanbul')
     order by id limit ${AT_ONCE}`;
  for (const { id } of over) await inTransaction((tx) => forget(tx, id));
}

async function forget(tx: Work, userId: number): Promise<void> {
  const { sql } = tx;
  const nobody = systemContext(tx);
  await eraseEntries(nobody, userId);
  // Licences go with their sites, the reseller's desk with the account.
  await sql`delete from site_licences where user_id = ${userId}`;
  await sql`delete from sites where user_id = ${userId}`;
  await sql`delete from subscriptions where user_id = ${userId}`;
  await sql`delete from credit_entries where user_id = ${userId}`;
  await sql`delete from users where id = ${userId} and anonymised_at is not null`;
  await audit(nobody, { action: "account.deleted", object: { type: "User", id: userId } });
}
