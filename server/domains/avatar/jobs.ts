import { HOUR } from "@/server/core/time";
import { pool } from "@/server/infrastructure/database/client";
import { statementsOn } from "@/server/infrastructure/database/sql";
import { localStorage } from "@/server/infrastructure/storage/local";
import { publicPath } from "@/server/infrastructure/storage/public";
import { AVATARS } from "./service/change";

/** Deletes a file that was replaced. */
export async function removeFileJob({ key }: { key: string }): Promise<void> {
  await localStorage.remove(key);
}

/** Deletes pictures of no account: of one that was deleted, or left by a crash between file and row. */
export async function sweepAvatarsJob(): Promise<void> {
  const old = (await localStorage.list(AVATARS)).filter(
    ({ changedAt }) => changedAt.getTime() < Date.now() - HOUR,
  );
  const paths = old.map(({ key }) => publicPath(key));
  const used = await statementsOn(pool())<{ avatar_url: string }>`
    select avatar_url from users where avatar_url = any(${paths}::text[])`;
  const live = new Set(used.map(({ avatar_url }) => avatar_url));
  for (const { key } of old) if (!live.has(publicPath(key))) await localStorage.remove(key);
}
