import { createHash, randomBytes } from "node:crypto";
import { ulid } from "ulid";
import type { Context } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { isoMicros } from "@/server/core/time";
import type { Work } from "@/server/infrastructure/database/transaction";
import { digest, sameBytes } from "@/server/infrastructure/secrets/tokens";
import type { getDeletionCertificate, TopicCount } from "../contract";
import { keptUntil } from "../policy";

export interface Certificate {
  id: string;
  code: string;
}

type Mode = "deleted" | "anonymized";

/** Writes the proof of a deletion. Its code is known to its holder only. */
export async function certify(
  { sql }: Pick<Work, "sql">,
  { mode, topics }: { mode: Mode; topics: TopicCount[] },
): Promise<Certificate> {
  const id = ulid();
  const code = randomBytes(15).toString("base64url");
  await sql`
    insert into deletion_certificates (id, mode, code_hash, summary, kept_until)
    values (${id}, ${mode}::"DeletionMode", ${digest(code)}, ${JSON.stringify(topics)}::jsonb,
            ${mode === "anonymized" ? keptUntil(new Date()) : null})`;
  return { id, code };
}

interface Row {
  id: string;
  mode: Mode;
  code_hash: Buffer;
  summary: TopicCount[];
  kept_until: Date | null;
  created_at: Date;
  done: number;
  pending: number;
  failed: number;
}

/** Shows a certificate to whoever has its code; a wrong one is answered like an unknown number. */
export async function read(
  { sql }: Context,
  { params, query }: Input<typeof getDeletionCertificate>,
): Promise<Answer<typeof getDeletionCertificate>> {
  const [row] = await sql<Row>`
    select c.*, count(t.id) filter (where t.state = 'done')::int as done,
           count(t.id) filter (where t.state = 'pending')::int as pending,
           count(t.id) filter (where t.state = 'failed')::int as failed
      from deletion_certificates c left join teardown_tasks t on t.certificate_id = c.id
     where c.id = ${params.id} group by c.id`;
  if (!row || !sameBytes(row.code_hash, digest(query.code)))
    throw refuse("record_not_found", { params: { model: "DeletionCertificate", id: params.id } });
  const { id, mode, summary: topics, done, pending, failed } = row;
  const lines = {
    id,
    mode,
    created_at: isoMicros(row.created_at),
    kept_until: row.kept_until && isoMicros(row.kept_until),
    topics,
  };
  const fingerprint = createHash("sha256").update(JSON.stringify(lines)).digest("hex");
  return { success: true, certificate: { ...lines, outside: { done, pending, failed }, fingerprint } };
}
