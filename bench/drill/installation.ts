import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "@/server/testing/ports";
import { openFakeS3 } from "@/server/testing/s3";
import { openFakeSmtpServer } from "@/server/testing/smtp";
import { fillAccounts } from "../data";
import { buildServerEnv } from "../servers";
import {
  createAppProcess,
  createNginx,
  createPgBouncer,
  createPostgres,
  createRedis,
  DATABASE_PASSWORD,
  type Part,
  queryRows,
} from "./parts";

export const ADMINISTRATOR_EMAIL = "boss@example.com";
const execFileAsync = promisify(execFile);

export type Installation = Awaited<ReturnType<typeof startInstallation>>;

/** Starts an installation, or a former release in `formerFolder`. `poolMode` is the mode of PgBouncer. */
export async function startInstallation({
  poolMode,
  formerFolder,
}: {
  poolMode: "transaction" | "session";
  formerFolder?: string;
}) {
  for (const root of [process.cwd(), formerFolder ?? "."])
    if (!existsSync(join(root, "dist/main.js")))
      throw new Error(`there is no build in ${root}; run npm run build there`);
  const directory = await mkdtemp(join(tmpdir(), "tellal-drill-"));
  chmodSync(directory, 0o777);
  const runningParts: Part[] = [];
  const [s3, mail] = await Promise.all([openFakeS3(), openFakeSmtpServer()]);
  const close = async () => {
    for (const part of runningParts.splice(0).reverse())
      await part.stop(part.name === "PostgreSQL" ? "SIGINT" : "SIGTERM");
    await Promise.all([s3.close(), mail.stop()]);
    await rm(directory, { recursive: true, force: true });
  };
  const startPart = async (part: Part) => {
    runningParts.push(part);
    await part.start();
    return part;
  };
  try {
    const ports = await Promise.all(Array.from({ length: 7 }, findFreePort));
    const [databasePort, poolerPort, redisPort, proxyPort, firstPort, secondPort, workerPort] = ports as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const cluster = createPostgres(directory, databasePort);
    await startPart(cluster.part);
    const superuserUrl = `postgresql://postgres@127.0.0.1:${databasePort}/postgres`;
    await queryRows(superuserUrl, `create role tellal login password '${DATABASE_PASSWORD}'`);
    await queryRows(superuserUrl, "create database tellal owner tellal");
    await queryRows(superuserUrl, "alter role tellal set statement_timeout = '30s'");
    const directUrl = `postgresql://tellal:${DATABASE_PASSWORD}@127.0.0.1:${databasePort}/tellal`;
    const pooler = await startPart(createPgBouncer(directory, poolerPort, { databasePort, mode: poolMode }));
    const redisPart = await startPart(createRedis(directory, redisPort));
    const tokens = await (formerFolder
      ? fillWithRelease(formerFolder, directUrl, directory)
      : fillAccounts(directUrl));

    const settings: Record<string, string> = {
      ...(formerFolder ? { DATA_DIR: join(directory, "data") } : s3.env),
      APP_URL: `http://localhost:${proxyPort}`,
      // A former release may not support a pooler.
      DATABASE_URL: formerFolder
        ? directUrl
        : `postgresql://tellal:${DATABASE_PASSWORD}@127.0.0.1:${poolerPort}/tellal`,
      ...(poolMode === "transaction" && { DATABASE_DIRECT_URL: directUrl, DATABASE_STATEMENTS: "unnamed" }),
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      SMTP_URL: mail.url,
      // Nothing listens on this port, so lookups of mail domains fail.
      DNS_SERVERS: "127.0.0.1:9",
      ADMIN_EMAIL: ADMINISTRATOR_EMAIL,
      // The proxy that the clients imitate, and nginx.
      TRUSTED_PROXY_HOPS: "2",
      WORKER: "off",
    };
    for (const name of ["data", "server-1", "server-2", "worker"]) mkdirSync(join(directory, name));
    const processes = [
      { name: "server 1", port: firstPort, file: "dist/main.js" },
      { name: "server 2", port: secondPort, file: "dist/main.js" },
      { name: "worker", port: workerPort, file: "dist/worker.js" },
    ];
    const [firstServer, secondServer, worker] = (await mapInOrder(processes, ({ name, ...options }) =>
      startPart(createAppProcess(directory, name, { ...options, settings, root: formerFolder })),
    )) as [Part, Part, Part];
    await startPart(createNginx(directory, proxyPort, [firstPort, secondPort]));
    return {
      version: cluster.version,
      supportsUploads: !formerFolder,
      directUrl,
      tokens,
      mail,
      urls: [`http://127.0.0.1:${firstPort}`, `http://127.0.0.1:${secondPort}`] as [string, string],
      proxyUrl: `http://127.0.0.1:${proxyPort}`,
      appProcesses: [firstServer, secondServer, worker],
      killableParts: [secondServer, worker, redisPart, pooler, cluster.part],
      migrate: () =>
        execFileAsync(process.execPath, ["--import", "tsx", "scripts/db-migrate.ts"], {
          env: buildServerEnv({
            ...settings,
            TSX_TSCONFIG_PATH: "tsconfig.node.json",
            DATABASE_URL: directUrl,
            DATABASE_DIRECT_URL: "",
            DATA_DIR: join(directory, "data"),
          }),
        }),
      replaceProcesses: () =>
        mapInOrder(processes, async ({ name, ...options }, index) => {
          await [firstServer, secondServer, worker][index]!.stop();
          await startPart(createAppProcess(directory, name, { ...options, settings }));
        }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function mapInOrder<Item, Result>(
  items: Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) results.push(await work(item, index));
  return results;
}

async function fillWithRelease(root: string, url: string, directory: string): Promise<string[]> {
  const [programPath, tokensPath] = [join(directory, "fill.mts"), join(directory, "tokens.json")];
  const quote = JSON.stringify;
  writeFileSync(
    programPath,
    `import { writeFileSync } from "node:fs";
     const { fillAccounts } = await import(${quote(join(root, "bench/data.ts"))});
     writeFileSync(${quote(tokensPath)}, JSON.stringify(await fillAccounts(${quote(url)})));
     process.exit(0);`,
  );
  const env = buildServerEnv({
    TSX_TSCONFIG_PATH: join(root, "tsconfig.node.json"),
    APP_URL: "http://localhost",
  });
  await execFileAsync(process.execPath, ["--import", "tsx", programPath], { cwd: root, env });
  return JSON.parse(readFileSync(tokensPath, "utf8")) as string[];
}
