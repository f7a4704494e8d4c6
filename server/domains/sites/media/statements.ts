import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock: deletion, its end and its undoing run one after the other, and no snippet takes the file meanwhile. */
export const lockFile = statement(
  z.strictObject({
    id: z.int(),
    userId: z.int(),
    uploadedById: z.int().nullable(),
    size: z.int(),
    fileKey: z.string(),
    previewKey: z.string().nullable(),
    removingAt: z.date().nullable(),
  }),
)<{ id: number }>`
  select id, user_id as "userId", uploaded_by_id as "uploadedById", size, file_key as "fileKey",
         preview_key as "previewKey", removing_at as "removingAt"
    from media_files where id = ${(given) => given.id} for update`;
