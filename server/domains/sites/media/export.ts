import type { ExportReader } from "@/server/core/domain";
import { buildFileUrl } from "./service/file-url";

export const archiveReaders = {
  media: async (db, userId) => {
    const rows = await db.mediaFile.findMany({ where: { userId }, orderBy: { id: "asc" } });
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      kind: row.kind,
      mimeType: row.mimeType,
      size: row.size,
      width: row.width,
      height: row.height,
      url: buildFileUrl(row),
      createdAt: row.createdAt,
    }));
  },
} as const satisfies Record<string, ExportReader>;
