import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  checkConnection,
  cleanConnections,
  countDeadConnections,
  createConnection,
  downloadCleanup,
  getCleanup,
  getConnection,
  getConnectionSeries,
  listCleanups,
  listConnections,
  listIdleConnections,
  retryCleanup,
  sendTestMessage,
  updateConnection,
} from "./contract";
import { archiveReaders } from "./export";
import {
  checkConnectionJob,
  checkConnectionsJob,
  cleanConnectionJob,
  deleteOldConnectionChecksJob,
  resumeCleanupsJob,
} from "./jobs";
import { connectionAdditions } from "./service/additions";
import { cleanUpConnections } from "./service/clean-up";
import { checkNoAbandonedCleanups } from "./service/cleanup-health";
import { connectChannel } from "./service/connect";
import { editConnection } from "./service/edit";
import { failedCleanups } from "./service/failed-cleanups";
import { checkManagedConnection } from "./service/health";
import { countDeadTokens, getVisibleConnection, listConnectionPage as listAll } from "./service/list";
import { listIdle } from "./service/list-idle";
import { metaApp } from "./service/meta-app";
import { CONNECTION_SEAL_PURPOSE } from "./service/provider-registry";
import { downloadReceipt, getReceipt, listReceipts, retryFailedItems } from "./service/receipts";
import { sendConnectionTest } from "./service/send-test";
import { countChecksOverTime } from "./service/series";
import { sealConnections, TEARDOWN_SEAL_PURPOSE, tearDownConnection } from "./service/teardown";

export const connections = domain({
  operations: {
    list: createHandler(listConnections, listAll),
    get: createHandler(getConnection, getVisibleConnection),
    series: createHandler(getConnectionSeries, countChecksOverTime),
    countDead: createHandler(countDeadConnections, countDeadTokens),
    create: createHandler(createConnection, connectChannel),
    update: createHandler(updateConnection, editConnection),
    check: createHandler(checkConnection, checkManagedConnection),
    sendTest: createHandler(sendTestMessage, sendConnectionTest),
    listIdle: createHandler(listIdleConnections, listIdle),
    clean: createHandler(cleanConnections, cleanUpConnections),
    listReceipts: createHandler(listCleanups, listReceipts),
    getReceipt: createHandler(getCleanup, getReceipt),
    downloadReceipt: createHandler(downloadCleanup, downloadReceipt),
    retry: createHandler(retryCleanup, retryFailedItems),
  },
  jobs: {
    clean_connection: job(cleanConnectionJob),
    resume_cleanups: job(resumeCleanupsJob, { cron: "* * * * *" }),
    check_connection: job(checkConnectionJob),
    check_connections: job(checkConnectionsJob, { cron: "* * * * *" }),
    forget_connection_checks: job(deleteOldConnectionChecksJob, { cron: "44 3 * * *", catchUp: "1d" }),
  },
  failedWork: { cleanups: failedCleanups },
  checks: { cleanups: checkNoAbandonedCleanups },
  externalServices: { meta: metaApp },
  sealedColumns: [
    { table: "connections", column: "secret_sealed", purpose: CONNECTION_SEAL_PURPOSE },
    {
      table: "teardown_tasks",
      column: "sealed",
      purpose: TEARDOWN_SEAL_PURPOSE,
      condition: { column: "kind", value: "connection" },
    },
  ],
  additions: { connection: connectionAdditions },
  externalCleanups: { connection: { seal: sealConnections, cleanUp: tearDownConnection } },
  relations: [
    {
      table: "connections",
      column: "user_id",
      topic: "channels",
      onDeletion: "delete",
      export: "connections",
    },
    {
      table: "connection_sites",
      column: "site_id",
      rowsBelongTo: "site",
      export: "connections",
    },
    {
      table: "cleanup_runs",
      column: "asked_by_id",
      topic: "cleanups",
      onDeletion: "detach",
      export: "connection_cleanups",
    },
    {
      table: "cleanup_items",
      column: "owner_id",
      topic: "cleanup_records",
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
    "connection.tested",
    "connection.cleaned",
    "connection.token_dead",
  ],
});
