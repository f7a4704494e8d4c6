import type { QueryContext } from "./check";
import { type PartState, toUnmeasuredState } from "./part-state";

export async function checkStoredFiles({ db }: Pick<QueryContext, "db">): Promise<PartState> {
  const lastComparison = await db.auditEvent.findFirst({
    where: { action: "files.compared" },
    orderBy: { id: "desc" },
    select: { at: true, details: true },
  });
  if (!lastComparison) return toUnmeasuredState({ key: "notYet" });
  const comparison = lastComparison.details as {
    files: number;
    unnamed: number;
    missing: number;
    names: string;
  };
  const state = { value: { key: "files", params: comparison }, since: lastComparison.at };
  if (comparison.missing > 0)
    return { ...state, light: "red", fix: { key: "filesMissing", params: { names: comparison.names } } };
  if (comparison.unnamed > 0) return { ...state, light: "yellow", fix: { key: "filesUnnamed" } };
  return { ...state, light: "green" };
}
