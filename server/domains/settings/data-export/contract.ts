import * as z from "zod";
import { operation } from "@/server/core/contract";
import { message, pathUlid, recordUlid, success, timestamp } from "@/server/core/schema";
import { EXPORT_HOURS } from "./policy";

export { EXPORT_HOURS } from "./policy";

/** Exports that an account may ask for in a day. */
export const EXPORTS_A_DAY = 3;

const DataExport = z
  .object({
    id: recordUlid,
    state: z.enum(["queued", "running", "ready", "failed", "expired"]),
    /** Per cent. */
    progress: z.int().min(0).max(100).meta({ example: 0 }),
    /** Bytes, once it is ready. */
    size: z.int().nullable().meta({ example: null }),
    created_at: timestamp,
    ready_at: timestamp.nullable().meta({ example: null }),
    expires_at: timestamp.nullable().meta({ example: null }),
  })
  .meta({ id: "DataExport" });

export const requestExport = operation({
  id: "requestExport",
  method: "POST",
  path: "/api/user/export",
  tag: "Profile",
  summary: "Request a copy of all personal data",
  description:
    `Needs a fresh proof of identity. At most ${EXPORTS_A_DAY} a day in production; while one is in progress, it is returned. ` +
    `The link is mailed when the archive is ready and works for ${EXPORT_HOURS} hours.`,
  access: "token",
  ability: "*",
  status: 201,
  output: z.object({ success, message, export: DataExport, data: DataExport }),
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
  status: 200,
  output: z.object({ success, export: DataExport.nullable(), data: DataExport.nullable() }),
});

export const downloadExport = operation({
  id: "downloadExport",
  method: "GET",
  path: "/api/user/export/{id}",
  tag: "Profile",
  summary: "Download a copy of the personal data with the mailed link",
  description:
    "A ZIP archive, which can be downloaded any number of times until the link expires. That it exists is known to its " +
    "owner only, so any other token gets 404.",
  access: "public",
  limit: { points: 30, per: 60, by: "ip" },
  record: "DataExport",
  params: z.object({ id: pathUlid }),
  query: z.object({ token: z.string().meta({ example: "dsx_…" }).nullish() }),
  status: 200,
  file: "application/zip",
  output: z.never(),
  errors: ["record_not_found"],
});
