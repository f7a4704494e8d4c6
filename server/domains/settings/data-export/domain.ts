import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { downloadExport, getExport, requestExport } from "./contract";
import { exports } from "./export";
import { EXPORTS, makeDataExportJob, sweepDataExportsJob } from "./jobs";
import { download } from "./service/download";
import { failedExports } from "./service/failed";
import { get, request } from "./service/request";

export const dataExport = domain({
  operations: {
    request: handle(requestExport, request),
    get: handle(getExport, get),
    download: handle(downloadExport, download),
  },
  jobs: {
    make_data_export: job(makeDataExportJob),
    sweep_data_exports: job(sweepDataExportsJob, { cron: "41 * * * *", catchUp: "1d" }),
  },
  failed: { exports: failedExports },
  relations: [
    {
      table: "data_exports",
      column: "user_id",
      topic: "exports",
      onDeletion: "delete",
      export: "exports",
      files: ["file"],
    },
  ],
  stored: [{ table: "data_exports", column: "file", folder: EXPORTS }],
  exports,
  notices: ["export_ready"],
  audit: ["data_export.requested", "data_export.downloaded"],
  tokens: { dsx: "link to a copy of the personal data" },
});
