import type { Context } from "@/server/core/context";
import { FileAnswer, type Input } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { audit } from "@/server/domains/audit/service";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";
import { localStorage } from "@/server/infrastructure/storage/local";
import type { downloadExport } from "../contract";

/** The archive behind a mailed link; throws `record_not_found` for everything that is not exactly that. */
export async function download(
  ctx: Context,
  { params: { id }, query: { token } }: Input<typeof downloadExport>,
): Promise<FileAnswer> {
  const found = token && isToken(token, "dsx") ? await find(ctx, id, token) : undefined;
  const file = found && (await localStorage.read(found.file));
  if (!file) throw refuse("record_not_found", { params: { model: "DataExport", id } });
  await audit(ctx, {
    action: "data_export.downloaded",
    object: { type: "User", id: found.user_id },
    actorId: found.user_id,
  });
  return new FileAnswer(file, { type: "application/zip", name: `export-${found.day}.zip` });
}

async function find({ sql }: Context, id: string, token: string) {
  const [row] = await sql<{ user_id: number; file: string; day: string }>`
    select user_id, file, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day from data_exports
     where id = ${id} and token_hash = ${digest(token)} and state = 'ready' and file is not null and expires_at > now()`;
  return row;
}
