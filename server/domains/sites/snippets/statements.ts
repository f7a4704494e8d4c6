import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock: serialises changes, deletion and undo. */
export const lockSnippet = statement(
  z.strictObject({
    id: z.int(),
    userId: z.int(),
    createdById: z.int().nullable(),
    removingAt: z.date().nullable(),
  }),
)<{ id: number }>`
  select id, user_id as "userId", created_by_id as "createdById", removing_at as "removingAt"
    from snippets where id = ${(input) => input.id} for update`;

/** Shared row lock: the file cannot be deleted before the snippet is saved. */
export const lockFileForShare = statement(z.strictObject({ id: z.int() }))<{ id: number; userId: number }>`
  select id from media_files
   where id = ${(input) => input.id} and user_id = ${(input) => input.userId} and removing_at is null for share`;
