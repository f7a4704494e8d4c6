import * as z from "zod";
import { operation } from "@/server/core/contract";
import { createdAt, message, pathUlid, recordUlid, success, timestamp } from "@/server/core/schema";
import { EXPORT_HOURS } from "./policy";

export { EXPORT_HOURS } from "./policy";

/** Exports that an account may ask for in a day. */
export const EXPORTS_A_DAY = 3;

const DataExport = z
  .object({
    id: recordUlid,
    state: z
      .enum(["queued", "running", "ready", "failed", "expired"])
      .meta({ description: "State of the export." }),
    progress: z.int().min(0).max(100).meta({ description: "Progress in per cent.", example: 0 }),
    size: z.int().nullable().meta({ description: "Size in bytes; null until it is ready.", example: null }),
    created_at: createdAt,
    ready_at: timestamp
      .nullable()
      .meta({ description: "When it was ready; null if not yet.", example: null }),
    expires_at: timestamp
      .nullable()
      .meta({ description: "When the download expires; null until it is ready.", example: null }),
  })
  .meta({ id: "DataExport", description: "A copy of the account's data." });

export const requestExport = operation({
  id: "requestExport",
  method: "POST",
  path: "/api/user/export",
  tag: "Profile",
  summary: "Request a copy of all personal data",
  description: `Needs a fresh proof of identity. At most ${EXPORTS_A_DAY} a day in production; while one is in progress, it is returned. The link is mailed when the archive is ready and works for ${EXPORT_HOURS} hours.`,
  access: "token",
  ability: "*",
  status: 201,
  output: z.object({
    success,
    message,
    export: DataExport.meta({ description: "The requested export." }),
    data: DataExport,
  }),
  errors: ["identity_unproven", "email_needs_verification"],
});

export const getExport = operation({
  id: "getExport",
  method: "GET",
  path: "/api/user/export",
  tag: "Profile",
  summary: "Get the progress of the latest data export",
  description: "`export` is null if none was ever requested. `data` repeats `export`.",
  access: "token",
  ability: "*",
  viewAs: false,
  output: z.object({
    success,
    export: DataExport.nullable().meta({ description: "Latest export; null if none was requested." }),
    data: DataExport.nullable().meta({ description: "Same as `export`." }),
  }),
});

export const downloadExport = operation({
  id: "downloadExport",
  method: "GET",
  path: "/api/user/export/{id}",
  tag: "Profile",
  summary: "Download a copy of the personal data with the mailed link",
  description:
    "A ZIP archive that can be downloaded any number of times until the link expires. Any token other than the owner's " +
    "gets 404.",
  access: "public",
  limit: { points: 30, per: 60, by: "ip" },
  record: "DataExport",
  params: z.object({ id: pathUlid }),
  query: z.object({
    token: z.string().nullish().meta({ description: "Token from the mailed link.", example: "dsx_…" }),
  }),
  file: "application/zip",
  output: z.never(),
});
