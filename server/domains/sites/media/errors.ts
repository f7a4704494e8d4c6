import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

const byteCount = z.int().meta({ example: 2_147_483_648 });

export const mediaErrors = {
  media_quota: {
    status: 422,
    shape: "failure",
    fields: z
      .strictObject({
        used_bytes: byteCount.meta({ description: "Bytes used." }),
        quota_bytes: byteCount.meta({ description: "Maximum number of bytes." }),
      })
      .meta({ id: "MediaQuota", description: "The library is full." }),
  },
} as const satisfies ErrorSpecs;
