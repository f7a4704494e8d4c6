import type { Work } from "./check";
import { type PartState, unmeasured } from "./part-state";

export async function storedFiles({ db }: Pick<Work, "db">): Promise<PartState> {
  const last = await db.auditEvent.findFirst({
    where: { action: "files.compared" },
    orderBy: { id: "desc" },
    select: { at: true, details: true },
  });
  if (!last) return unmeasured({ key: "notYet" });
  const result = last.details as { files: number; unnamed: number; missing: number; names: string };
  const sight = { value: { key: "files", params: result }, since: last.at };
  if (result.missing > 0)
    return { ...sight, light: "red", fix: { key: "filesMissing", params: { names: result.names } } };
  if (result.unnamed > 0) return { ...sight, light: "yellow", fix: { key: "filesUnnamed" } };
  return { ...sight, light: "green" };
}
