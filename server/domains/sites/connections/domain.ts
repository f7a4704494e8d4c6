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
import { exports } from "./export";
import { checkConnectionJob, checkConnectionsJob, cleanConnectionJob, resumeCleanupsJob } from "./jobs";
import { connectionAdditions } from "./service/additions";
import { clean } from "./service/clean";
import { connect } from "./service/connect";
import { edit } from "./service/edit";
import { failedCleanups } from "./service/failed";
import { check } from "./service/health";
import { listIdle } from "./service/idle";
import { countDead, list as listAll } from "./service/list";
import { metaApp } from "./service/meta-app";
import { CONNECTION_PURPOSE } from "./service/providers";
import { download, get, list, retry } from "./service/receipts";
import { sealConnections, TEARDOWN_PURPOSE, tearDownConnection } from "./service/teardown";
import { checkCleanups } from "./service/watch";

export const connections = domain({
  operations: {
    list: handle(listConnections, listAll),
    countDead: handle(countDeadConnections, countDead),
    create: handle(createConnection, connect),
    update: handle(updateConnection, edit),
    check: handle(checkConnection, check),
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
    check_connection: job(checkConnectionJob),
    check_connections: job(checkConnectionsJob, { cron: "* * * * *" }),
  },
  failed: { cleanups: failedCleanups },
  checks: { cleanups: checkCleanups },
  externalServices: { meta: metaApp },
  sealed: [
    { table: "connections", column: "secret_sealed", purpose: CONNECTION_PURPOSE },
    {
      table: "teardown_tasks",
      column: "sealed",
      purpose: TEARDOWN_PURPOSE,
      only: { column: "kind", value: "connection" },
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
  exports,
  notices: ["connection_token_dead", "connection_cleanup_failed"],
  audit: [
    "connection.created",
    "connection.refused",
    "connection.changed",
    "connection.cleaned",
    "connection.token_dead",
  ],
});
