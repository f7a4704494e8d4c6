import { handle } from "@/server/core/contract";
import { downloadExport, getExport, requestExport } from "./contract";
import { download } from "./service/download";
import { request, state } from "./service/request";

export const dataExportOperations = {
  request: handle(requestExport, request),
  state: handle(getExport, state),
  download: handle(downloadExport, download),
};
