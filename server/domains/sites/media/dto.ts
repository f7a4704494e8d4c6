import type * as z from "zod";
import type { UserActor } from "@/server/core/context";
import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { buildPreviewUrl } from "@/server/infrastructure/storage/served-files";
import type { MediaFile } from "./contract";
import { buildFileUrl } from "./service/file-url";
import type { LibraryOwner } from "./service/library";

export const MEDIA_SELECT = {
  select: {
    id: true,
    name: true,
    kind: true,
    mimeType: true,
    size: true,
    width: true,
    height: true,
    durationMs: true,
    fileKey: true,
    previewKey: true,
    uploadedById: true,
    createdAt: true,
    _count: { select: { snippets: { where: { removingAt: null } } } },
  },
} as const satisfies Prisma.MediaFileDefaultArgs;

type Row = Prisma.MediaFileGetPayload<typeof MEDIA_SELECT>;

export function toMediaFile(row: Row, actor: UserActor, owner: LibraryOwner): z.output<typeof MediaFile> {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    mime_type: row.mimeType,
    size: row.size,
    url: buildFileUrl(row),
    is_public: owner.emailVerified,
    preview_url: row.previewKey && buildPreviewUrl(row.previewKey),
    width: row.width,
    height: row.height,
    duration: row.durationMs === null ? null : row.durationMs / 1000,
    used_in_count: row._count.snippets,
    can_delete: canDeleteFile(row, actor),
    created_at: toIsoMicros(row.createdAt),
  };
}

export function canDeleteFile(
  { uploadedById }: { uploadedById: number | null },
  { id, scope }: UserActor,
): boolean {
  return !scope.isAgent || uploadedById === id;
}
