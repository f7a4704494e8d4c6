import { EventEmitter } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, runOnce, type WorkerEvents } from "graphile-worker";
import { afterAll } from "vitest";
import { waitForWebhookFanOut } from "@/server/domains/accounts/webhooks/service/events";
import { ensureDefaultPlans } from "@/server/domains/billing/subscriptions/service/plans";
import { closeHttpServer, createHttpServer } from "@/server/http-server";
import { closeDatabase, pool } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { buildTaskList, startWorker } from "@/server/infrastructure/jobs/worker";
import { closeLimiter } from "@/server/infrastructure/rate-limit/limiter";
import { prepareDecoyHash } from "@/server/infrastructure/secrets/password";
import { getRouteTable } from "@/server/transports/rest/routes";
import { createTestDatabase } from "./database";
import { type CallOptions, sendHttp, type TestResponse } from "./http";
import type { ResponseValidator } from "./response-validator";
import { createResponseValidator } from "./response-validator";
import { overrideSettings } from "./settings";

interface TestServerOptions {
  worker?: boolean;
  env?: Record<string, string>;
}

export interface TestServer {
  port: number;
  server: Server;
  /** Calls the API. Fails the test when the response does not match the contract. */
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  get(path: string, token?: string): Promise<TestResponse>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<TestResponse>;
  runJobs(): Promise<void>;
  validate: ResponseValidator;
}

/** Shared by all test files of a worker process: it depends only on the contracts. */
let validate: ResponseValidator | undefined;

async function hasDueJobs(): Promise<boolean> {
  const { rows } = await pool().query(
    "select 1 from graphile_worker._private_jobs where run_at <= now() and locked_at is null and attempts < max_attempts limit 1",
  );
  return rows.length > 0;
}

/** Runs due jobs and waits until their outcome is stored; graphile-worker returns earlier. */
async function performDueJobs(): Promise<void> {
  const performedIds: string[] = [];
  const events: WorkerEvents = new EventEmitter();
  events.on("job:complete", ({ job }) => performedIds.push(job.id));
  const logger = new Logger(() => () => {});
  await runOnce({ pgPool: pool(), taskList: buildTaskList(), noHandleSignals: true, logger, events });
  const unsettledSql =
    "select 1 from graphile_worker._private_jobs where id = any($1) and locked_at is not null";
  while ((await pool().query(unsettledSql, [performedIds])).rows.length > 0) await sleep(5);
}

/** Uses a new database. Call it once at the top of a file; it closes after the last test. Pages are stubs. */
export async function startTestServer({
  worker = false,
  env = {},
}: TestServerOptions = {}): Promise<TestServer> {
  await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "tellal-data-"));
  const settings = {
    DATA_DIR: dataDir,
    TRUSTED_PROXY_HOPS: "1",
    APP_URL: "http://panel.test",
    RATE_LIMITS: "strict",
    COMMON_PASSWORDS: "refuse",
    ...env,
  };
  overrideSettings(settings);

  await ensureDefaultPlans(withoutTransaction());
  await prepareDecoyHash();
  const runner = worker ? await startWorker() : undefined;
  const server = createHttpServer(async (req, res) => void res.writeHead(404).end(`page ${req.url}`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  afterAll(async () => {
    await closeHttpServer(server, 1000);
    await runner?.stop();
    await closeLimiter();
    await closeDatabase();
    await rm(dataDir, { recursive: true, force: true });
  });

  validate ??= createResponseValidator(getRouteTable());
  const validateResponse = validate;
  const call: TestServer["call"] = async (method, path, options) => {
    const response = await sendHttp(port, method, path, options);
    validateResponse(method, path, response);
    return response;
  };
  return {
    port,
    server,
    call,
    get: (path, token) => call("GET", path, { token }),
    runJobs: async () => {
      await waitForWebhookFanOut();
      // Jobs queued behind another one need further rounds.
      for (let round = 0; round < 5 && (round === 0 || (await hasDueJobs())); round++) await performDueJobs();
    },
    post: (path, body, options) => call("POST", path, { body, ...options }),
    validate: validateResponse,
  };
}
