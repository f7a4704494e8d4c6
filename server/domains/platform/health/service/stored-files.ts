import type { Work } from "./check";
import { type Sight, unmeasured } from "./light";

/** What the last comparison of stored files with the rows that name them has found. */
export async function storedFiles({ db }: Pick<Work, "db">): Promise<Sight> {
  const last = await db.auditEvent.findFirst({
    where: { action: "files.compared" },
    orderBy: { id: "desc" },
    select: { at: true, details: true },
  });
  if (!last) return unmeasured({ key: "notYet" });
  const found = last.details as { files: number; unnamed: number; missing: number; names: string };
  const sight = { value: { key: "files", params: found }, since: last.at };
  if (found.missing > 0)
    return { ...sight, light: "red", fix: { key: "filesMissing", params: { names: found.names } } };
  if (found.unnamed > 0) return { ...sight, light: "yellow", fix: { key: "filesUnnamed" } };
  return { ...sight, light: "green" };
}
