import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock. Deletion and undo run one after the other, and no new snippet can use the file. */
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
    from media_files where id = ${(input) => input.id} for update`;

/** Finds a file that is not hidden by its key or its preview's key. Runs for every request of a file. */
export const findServedFile = statement(
  z.strictObject({
    fileKey: z.string(),
    name: z.string(),
    mimeType: z.string(),
    userId: z.int(),
    isPublic: z.boolean(),
  }),
  { short: true },
)<{ key: string }>`
  select f.file_key as "fileKey", f.name, f.mime_type as "mimeType", f.user_id as "userId", u.email_verified_at is not null as "isPublic"
    from media_files f join users u on u.id = f.user_id
   where (f.file_key = ${(input) => input.key} or f.preview_key = ${(input) => input.key}) and f.removing_at is null`;
