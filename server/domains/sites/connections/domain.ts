import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  checkConnection,
  cleanConnections,
  countDeadConnections,
  createConnection,
  downloadCleanup,
  getCleanup,
  listCleanups,
  listConnections,
  listIdleConnections,
  retryCleanup,
  updateConnection,
} from "./contract";
import { archiveReaders } from "./export";
import { checkConnectionJob, checkConnectionsJob, cleanConnectionJob, resumeCleanupsJob } from "./jobs";
import { connectionAdditions } from "./service/additions";
import { cleanUpConnections } from "./service/clean-up";
import { checkCleanups } from "./service/cleanup-health";
import { connectChannel } from "./service/connect";
import { editConnection } from "./service/edit";
import { failedCleanups } from "./service/failed-cleanups";
import { checkManagedConnection } from "./service/health";
import { countDeadTokens, listConnectionPage as listAll } from "./service/list";
import { listIdle } from "./service/list-idle";
import { metaApp } from "./service/meta-app";
import { CONNECTION_PURPOSE } from "./service/providers";
import { downloadReceipt, getReceipt, listReceipts, retryFailedItems } from "./service/receipts";
import { sealConnections, TEARDOWN_PURPOSE, tearDownConnection } from "./service/teardown";

export const connections = domain({
  operations: {
    list: handle(listConnections, listAll),
    countDead: handle(countDeadConnections, countDeadTokens),
    create: handle(createConnection, connectChannel),
    update: handle(updateConnection, editConnection),
    check: handle(checkConnection, checkManagedConnection),
    listIdle: handle(listIdleConnections, listIdle),
    clean: handle(cleanConnections, cleanUpConnections),
    listReceipts: handle(listCleanups, listReceipts),
    getReceipt: handle(getCleanup, getReceipt),
    downloadReceipt: handle(downloadCleanup, downloadReceipt),
    retry: handle(retryCleanup, retryFailedItems),
  },
  jobs: {
    clean_connection: job(cleanConnectionJob),
    resume_cleanups: job(resumeCleanupsJob, { cron: "* * * * *" }),
    check_connection: job(checkConnectionJob),
    check_connections: job(checkConnectionsJob, { cron: "* * * * *" }),
  },
  failedWork: { cleanups: failedCleanups },
  checks: { cleanups: checkCleanups },
  externalServices: { meta: metaApp },
  sealedColumns: [
    { table: "connections", column: "secret_sealed", purpose: CONNECTION_PURPOSE },
    {
      table: "teardown_tasks",
      column: "sealed",
      purpose: TEARDOWN_PURPOSE,
      condition: { column: "kind", value: "connection" },
    },
  ],
  additions: { connection: connectionAdditions },
  externalCleanups: { connection: { seal: sealConnections, cleanUp: tearDownConnection } },
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
  exports: archiveReaders,
  notices: ["connection_token_dead", "connection_cleanup_failed"],
  audit: [
    "connection.created",
    "connection.refused",
    "connection.changed",
    "connection.cleaned",
    "connection.token_dead",
  ],
});
