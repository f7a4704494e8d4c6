import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { downloadExport, getExport, requestExport } from "./contract";
import { archiveReaders } from "./export";
import { EXPORT_FOLDER, makeDataExportJob, sweepDataExportsJob } from "./jobs";
import { downloadExportArchive } from "./service/download";
import { failedExports } from "./service/failed";
import { getLatestExport, requestOrReuseExport } from "./service/request";

export const dataExport = domain({
  operations: {
    request: createHandler(requestExport, requestOrReuseExport),
    get: createHandler(getExport, getLatestExport),
    download: createHandler(downloadExport, downloadExportArchive),
  },
  jobs: {
    make_data_export: job(makeDataExportJob),
    sweep_data_exports: job(sweepDataExportsJob, { cron: "41 * * * *", catchUp: "1d" }),
  },
  failedWork: { exports: failedExports },
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
  storedFileColumns: [{ table: "data_exports", column: "file", folder: EXPORT_FOLDER }],
  exports: archiveReaders,
  notices: ["export_ready"],
  audit: ["data_export.requested", "data_export.downloaded"],
  tokens: { dsx: "link to a copy of the personal data" },
});
