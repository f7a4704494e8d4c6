import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@/server/testing/ports";
import { openS3 } from "@/server/testing/s3";
import { openSmtpPeer } from "@/server/testing/smtp";
import { fillAccounts } from "../data";
import { serverEnv } from "../servers";
import { asked, nginx, PASSWORD, type Part, pgbouncer, postgres, program, redis } from "./parts";

export const BOSS = "boss@example.com";
const run = promisify(execFile);

/** Everything that two servers need around them, and they; ends with {@link Installation.close}. */
export type Installation = Awaited<ReturnType<typeof install>>;

/**
 * Starts an installation with 10,000 accounts. `mode` is PgBouncer's; `former` the folder of a built release that servers and
 * worker are to be of at first: they keep their files in one folder then, because it may not know buckets.
 */
export async function install({ mode, former }: { mode: "transaction" | "session"; former?: string }) {
  for (const root of [process.cwd(), former ?? "."])
    if (!existsSync(join(root, "dist/main.js")))
      throw new Error(`there is no build in ${root}; run npm run build there`);
  const dir = await mkdtemp(join(tmpdir(), "tellal-drill-"));
  chmodSync(dir, 0o777);
  const running: Part[] = [];
  const [s3, mail] = await Promise.all([openS3(), openSmtpPeer()]);
  const close = async () => {
    for (const part of running.splice(0).reverse())
      await part.stop(part.name === "PostgreSQL" ? "SIGINT" : "SIGTERM");
    await Promise.all([s3.close(), mail.stop()]);
    await rm(dir, { recursive: true, force: true });
  };
  const begin = async (part: Part) => {
    running.push(part);
    await part.start();
    return part;
  };
  try {
    const ports = await Promise.all(Array.from({ length: 7 }, freePort));
    const [database, pooler, counters, door, first, second, aside] = ports as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const cluster = postgres(dir, database);
    await begin(cluster.part);
    const root = `postgresql://postgres@127.0.0.1:${database}/postgres`;
    await asked(root, `create role tellal login password '${PASSWORD}'`);
    await asked(root, "create database tellal owner tellal");
    await asked(root, "alter role tellal set statement_timeout = '30s'");
    const direct = `postgresql://tellal:${PASSWORD}@127.0.0.1:${database}/tellal`;
    const bouncer = await begin(pgbouncer(dir, pooler, { database, mode }));
    const limits = await begin(redis(dir, counters));
    const tokens = await (former ? fillBy(former, direct, dir) : fillAccounts(direct));

    const settings: Record<string, string> = {
      ...(former ? { DATA_DIR: join(dir, "data") } : s3.env),
      APP_URL: `http://localhost:${door}`,
      // A former release may know no pooler.
      DATABASE_URL: former ? direct : `postgresql://tellal:${PASSWORD}@127.0.0.1:${pooler}/tellal`,
      ...(mode === "transaction" && { DATABASE_DIRECT_URL: direct, DATABASE_STATEMENTS: "unnamed" }),
      REDIS_URL: `redis://127.0.0.1:${counters}`,
      SMTP_URL: mail.url,
      // Nothing listens there: whether a mail domain exists is no part of this.
      DNS_SERVERS: "127.0.0.1:9",
      ADMIN_EMAIL: BOSS,
      // The clients' own and nginx.
      TRUSTED_PROXY_HOPS: "2",
      WORKER: "off",
    };
    for (const name of ["data", "server-1", "server-2", "worker"]) mkdirSync(join(dir, name));
    const kinds = [
      { name: "server 1", port: first, file: "dist/main.js" },
      { name: "server 2", port: second, file: "dist/main.js" },
      { name: "worker", port: aside, file: "dist/worker.js" },
    ];
    const [one, two, worker] = (await inTurn(kinds, ({ name, ...each }) =>
      begin(program(dir, name, { ...each, settings, root: former })),
    )) as [Part, Part, Part];
    await begin(nginx(dir, door, [first, second]));
    return {
      version: cluster.version,
      // A former release may not know them.
      uploads: !former,
      direct,
      tokens,
      mail,
      urls: [`http://127.0.0.1:${first}`, `http://127.0.0.1:${second}`] as [string, string],
      proxy: `http://127.0.0.1:${door}`,
      programs: [one, two, worker],
      killable: [two, worker, limits, bouncer, cluster.part],
      /** Migrates by this release's command, while the former one serves. */
      migrate: () =>
        run(process.execPath, ["--import", "tsx", "scripts/db-migrate.ts"], {
          env: serverEnv({
            ...settings,
            TSX_TSCONFIG_PATH: "tsconfig.node.json",
            DATABASE_URL: direct,
            DATABASE_DIRECT_URL: "",
            DATA_DIR: join(dir, "data"),
          }),
        }),
      /** Puts this release in the place of the former one, one program after the other. */
      replace: () =>
        inTurn(kinds, async ({ name, ...each }, index) => {
          await [one, two, worker][index]!.stop();
          await begin(program(dir, name, { ...each, settings }));
        }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function inTurn<Each, Result>(
  list: Each[],
  work: (each: Each, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, each] of list.entries()) results.push(await work(each, index));
  return results;
}

/** Accounts as a former release writes them, by its own code. */
async function fillBy(root: string, url: string, dir: string): Promise<string[]> {
  const [program, tokens] = [join(dir, "fill.mts"), join(dir, "tokens.json")];
  const text = JSON.stringify;
  writeFileSync(
    program,
    `import { writeFileSync } from "node:fs";
     const { fillAccounts } = await import(${text(join(root, "bench/data.ts"))});
     writeFileSync(${text(tokens)}, JSON.stringify(await fillAccounts(${text(url)})));
     process.exit(0);`,
  );
  const env = serverEnv({ TSX_TSCONFIG_PATH: join(root, "tsconfig.node.json"), APP_URL: "http://localhost" });
  await run(process.execPath, ["--import", "tsx", program], { cwd: root, env });
  return JSON.parse(readFileSync(tokens, "utf8")) as string[];
}
