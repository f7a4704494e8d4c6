import type * as z from "zod";
import type { UserActor } from "@/server/core/context";
import { isoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { previewUrl } from "@/server/infrastructure/storage/public";
import type { MediaFile } from "./contract";
import { fileUrlOf } from "./service/file-url";

export const MEDIA = {
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

type Row = Prisma.MediaFileGetPayload<typeof MEDIA>;

export function mediaOf(row: Row, actor: UserActor): z.output<typeof MediaFile> {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    mime_type: row.mimeType,
    size: row.size,
    url: fileUrlOf(row),
    is_public: actor.emailVerified,
    preview_url: row.previewKey && previewUrl(row.previewKey),
    width: row.width,
    height: row.height,
    duration: row.durationMs === null ? null : row.durationMs / 1000,
    used_in_count: row._count.snippets,
    can_delete: mayDelete(row, actor),
    created_at: isoMicros(row.createdAt),
  };
}

/** Agents may delete their own uploads, the owner of a library every file in it. */
export function mayDelete(
  { uploadedById }: { uploadedById: number | null },
  { id, scope }: UserActor,
): boolean {
  return !scope.isAgent || uploadedById === id;
}
