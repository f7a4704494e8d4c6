import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { createdAt, pathUlid, recordUlid, timestamp } from "@/server/core/schema";
import { EXPORT_LINK_HOURS } from "./policy";

export { EXPORT_LINK_HOURS } from "./policy";

export const EXPORTS_PER_DAY = 3;

const DataExport = f.namedObject("DataExport", "A copy of the account's data.", {
  id: recordUlid,
  state: f.oneOf(
    ["queued", "running", "ready", "failed", "expired"],
    "State of the export. `queued`: waiting. `running`: the archive is being created. `ready`: the link was emailed. " +
      "`failed`: not created; request a new one. `expired`: the archive was deleted.",
  ),
  progress: z.int().min(0).max(100).meta({ description: "Progress in per cent.", example: 0 }),
  size: f.nullable(z.int(), "Size in bytes; null until it is ready.", null),
  created_at: createdAt,
  ready_at: f.nullable(timestamp, "When it was ready; null if not yet.", null),
  expires_at: f.nullable(timestamp, "When the link expires; null until it is ready.", null),
});

const OWN_EXPORT_DEFAULTS = { tag: "Profile", access: "token", ability: "*" } as const;

export const requestExport = operation({
  id: "requestExport",
  method: "POST",
  path: "/api/user/export",
  ...OWN_EXPORT_DEFAULTS,
  summary: "Request a copy of all personal data",
  description: `Needs a recent proof of identity and a verified email address; without one, the error is \`email_needs_verification\`. If an export is in progress, it is returned instead of a new one. In production, at most ${EXPORTS_PER_DAY} exports a day can be requested. When the archive is ready, a link is emailed that works for ${EXPORT_LINK_HOURS} hours.`,
  status: 201,
  output: f.changeOutput({
    export: DataExport.meta({ description: "The requested export." }),
    data: DataExport,
  }),
  errors: ["identity_unproven", "email_needs_verification"],
});

export const getExport = operation({
  id: "getExport",
  method: "GET",
  path: "/api/user/export",
  ...OWN_EXPORT_DEFAULTS,
  summary: "Get the progress of the latest data export",
  description: "`export` is null if none was ever requested. `data` repeats `export`.",
  viewAs: false,
  output: f.success({
    export: f.nullable(DataExport, "Latest export; null if none was requested."),
    data: f.nullable(DataExport, "Same as `export`."),
  }),
});

export const downloadExport = operation({
  id: "downloadExport",
  method: "GET",
  path: "/api/user/export/{id}",
  tag: "Profile",
  summary: "Download a copy of the personal data with the emailed link",
  description:
    "Returns a ZIP archive. The link works any number of times until it expires or the password changes. A wrong or " +
    "expired token returns 404.",
  access: "public",
  limit: { points: 30, per: 60, by: "ip" },
  record: "DataExport",
  params: z.object({ id: pathUlid }),
  query: z.object({
    token: f.nullish(z.string(), "Token from the emailed link.", "dsx_…"),
  }),
  file: "application/zip",
  output: z.never(),
});
