import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  cleanConnections,
  downloadCleanup,
  getCleanup,
  listCleanups,
  listIdleConnections,
  retryCleanup,
} from "./contract";
import { exports } from "./export";
import { cleanConnectionJob, resumeCleanupsJob } from "./jobs";
import { clean } from "./service/clean";
import { listIdle } from "./service/idle";
import { CONNECTION_PURPOSE } from "./service/providers";
import { download, get, list, retry } from "./service/receipts";

export const connections = domain({
  operations: {
    listIdle: handle(listIdleConnections, listIdle),
    clean: handle(cleanConnections, clean),
    listReceipts: handle(listCleanups, list),
    getReceipt: handle(getCleanup, get),
    downloadReceipt: handle(downloadCleanup, download),
    retry: handle(retryCleanup, retry),
  },
  jobs: {
    clean_connection: job(cleanConnectionJob),
    resume_cleanups: job(resumeCleanupsJob, { cron: "* * * * *" }),
  },
  sealed: [{ table: "connections", column: "secret_sealed", purpose: CONNECTION_PURPOSE }],
  relations: [
    {
      table: "connections",
      column: "user_id",
      topic: "connections",
      onDeletion: "delete",
      export: "connections",
    },
    {
      table: "connection_sites",
      column: "site_id",
      of: "site",
      export: "connections",
    },
    {
      table: "cleanup_runs",
      column: "asked_by_id",
      topic: "connections",
      onDeletion: "detach",
      export: "connection_cleanups",
    },
    {
      table: "cleanup_items",
      column: "owner_id",
      topic: "connections",
      onDeletion: "anonymise",
      export: "connection_cleanups",
    },
  ],
  exports,
  audit: ["connection.cleaned"],
});
