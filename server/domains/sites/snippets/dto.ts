import type * as z from "zod";
import type { UserActor } from "@/server/core/context";
import { toIsoMicros } from "@/server/core/time";
import { buildFileUrl } from "@/server/domains/sites/media/service/file-url";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { buildPreviewUrl } from "@/server/infrastructure/storage/served-files";
import type { Snippet } from "./contract";

export const SNIPPET_SELECT = {
  select: {
    id: true,
    title: true,
    shortcut: true,
    body: true,
    createdById: true,
    fileMissingAt: true,
    createdAt: true,
    updatedAt: true,
    mediaFile: {
      select: {
        id: true,
        name: true,
        kind: true,
        mimeType: true,
        size: true,
        fileKey: true,
        previewKey: true,
        removingAt: true,
      },
    },
  },
} as const satisfies Prisma.SnippetDefaultArgs;

export function toSnippet(
  row: Prisma.SnippetGetPayload<typeof SNIPPET_SELECT>,
  actor: UserActor,
): z.output<typeof Snippet> {
  // A file that is being deleted counts as missing.
  const file = row.mediaFile?.removingAt ? null : row.mediaFile;
  return {
    id: row.id,
    title: row.title,
    shortcut: row.shortcut,
    body: row.body,
    media_file_id: file?.id ?? null,
    media: file && {
      id: file.id,
      name: file.name,
      kind: file.kind,
      mime_type: file.mimeType,
      size: file.size,
      url: buildFileUrl(file),
      preview_url: file.previewKey && buildPreviewUrl(file.previewKey),
    },
    file_missing: row.fileMissingAt !== null || (row.mediaFile !== null && file === null),
    can_edit: canEditSnippet(row, actor),
    created_at: toIsoMicros(row.createdAt),
    updated_at: toIsoMicros(row.updatedAt),
  };
}

export function canEditSnippet(
  { createdById }: { createdById: number | null },
  { id, scope }: UserActor,
): boolean {
  return !scope.isAgent || createdById === id;
}
