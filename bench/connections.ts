import "@/server/domains";
import { cleanUpConnections } from "@/server/domains/sites/connections/service/clean-up";
import { listIdle } from "@/server/domains/sites/connections/service/list-idle";
import { migrateDatabase } from "@/server/infrastructure/database/migrate";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { EVOLUTION_KEY } from "@/server/sandbox/evolution";
import { createMemoryStore } from "@/server/sandbox/sandbox";
import { connectDatabase, createCallContext, runSql } from "./environment";
import { measureDurations, median } from "./measure";
import { startSandboxes } from "./sandboxes";
import { formatNumber, yesOrNo } from "./table";

const stores = { meta: createMemoryStore(), evolution: createMemoryStore() };
const APP_URL = "http://localhost:3000";
const CONTEXT_FACTORY_BY_READER = {
  "their owner": createCallContext.bind(null, 2, "user"),
  "the reseller of 1,000": createCallContext.bind(null, 3, "reseller"),
  administrator: createCallContext.bind(null, 1, "admin"),
};

let databaseUrl = "";
const sql = (text: string) => runSql(databaseUrl, text);

/** Measures lists of 1,000 idle connections and the clean-up of 100 at the sandboxes, in this process. */
export default async function measureConnections(): Promise<string[][]> {
  const { url } = await startSandboxes(stores);
  // Only demo mode may connect to private addresses.
  Object.assign(process.env, { APP_MODE: "demo", OUTBOUND_TRUSTED: url, META_GRAPH_URL: `${url}/meta` });
  databaseUrl = await connectDatabase(migrateDatabase);
  const header = ["row", "clock ms", "CPU ms", "measured", "target", "holds"];
  return [header, ...(await measureLists()), await measureCleanUp(url)];
}

/** Inserts accounts with one idle connection each. 1 is an administrator, 3 the reseller of 1,000. */
async function insertAccounts(firstId: number, lastId: number): Promise<void> {
  await sql(`insert into users (name, email, email_key, role, email_verified_at, reseller_id)
    select 'Ayşe Kaya ' || i, 'person' || i || '@example.com', 'person' || i || '@example.com',
           (case i when 1 then 'admin' when 3 then 'reseller' else 'user' end)::"Role", now(),
           case when i between 101 and 1100 then 3 end
      from generate_series(${firstId}, ${lastId}) i`);
  await sql(`insert into connections (user_id, channel, connection_type, label, remote_key, updated_at)
    select i, 'telegram', 'bot', '@bot' || i, i::text, now() from generate_series(${firstId}, ${lastId}) i`);
}

async function measureLists(): Promise<string[][]> {
  await insertAccounts(1, 10_000);
  await sql(`insert into connections (user_id, channel, connection_type, label, remote_key, updated_at)
    select 2, 'telegram', 'bot', '@own' || i, 'own' || i, now() from generate_series(1, 1000) i`);
  await sql("vacuum (analyze)");
  const mediansOf10k = await measureMedians();
  await insertAccounts(10_001, 100_000);
  await sql("vacuum (analyze)");
  const mediansOf100k = await measureMedians();
  return Object.entries(CONTEXT_FACTORY_BY_READER).map(([name], index) => {
    const [before, after] = [mediansOf10k[index]!, mediansOf100k[index]!];
    const growth = after / before;
    const row = `1,000 idle of 100,000, ${name}`;
    return [row, formatNumber(after), "", `${growth.toFixed(2)} of 10,000`, "1.2", yesOrNo(growth <= 1.2)];
  });
}

async function measureMedians(): Promise<number[]> {
  const medians: number[] = [];
  for (const createContext of Object.values(CONTEXT_FACTORY_BY_READER)) {
    const listOnce = async () => {
      const { text } = (await listIdle(createContext(), { query: {} } as Parameters<typeof listIdle>[1])) as {
        text: string;
      };
      const { connections } = JSON.parse(text) as { connections: unknown[] };
      if (connections.length !== 1000) throw new Error(`${connections.length} connections`);
    };
    medians.push(median(await measureDurations(listOnce, { rounds: 30, warmUp: 5 })));
  }
  return medians;
}

async function measureCleanUp(url: string): Promise<string[]> {
  const { db } = withoutTransaction();
  const getHookUrl = (channel: string) => `${APP_URL}/hooks/${channel}/x`;
  const items: Array<{ channel: "whatsapp" | "whatsapp_qr"; id: number }> = [];
  const createConnection = async (
    channel: "whatsapp" | "whatsapp_qr",
    data: { remoteKey: string; accountKey?: string; config?: object },
  ) => {
    const { id } = await db.connection.create({
      data: {
        ...{ userId: 4, channel, label: data.remoteKey.slice(-40) },
        connectionType: channel === "whatsapp" ? "cloud_api" : "evolution",
        secretSealed: seal(channel === "whatsapp" ? "a-token-of-meta" : EVOLUTION_KEY, "connection"),
        ...data,
      },
      select: { id: true },
    });
    items.push({ channel, id });
  };
  for (let index = 0; index < 50; index++) {
    const instance = `bench-${index}`;
    const [base_url, key] = [`${url}/evolution`, `instance:${instance}`];
    await stores.evolution.set(key, {
      name: instance,
      key: "k",
      state: "open",
      url: getHookUrl("whatsapp_qr"),
    });
    await createConnection("whatsapp_qr", {
      remoteKey: `${base_url}|${instance}`,
      config: { base_url, instance },
    });
    const accountKey = String(88_000 + (index % 5));
    const remoteKey = `${accountKey}${Math.floor(index / 5)}`;
    await stores.meta.set(`apps:${accountKey}`, [process.env.META_APP_ID ?? "100000000000001"]);
    await stores.meta.set(`override:${remoteKey}`, getHookUrl("whatsapp"));
    await createConnection("whatsapp", { remoteKey, accountKey });
  }
  const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()];
  const { cleaned_count: cleanedCount } = await cleanUpConnections(createCallContext(4, "user"), {
    body: { items },
  } as unknown as Parameters<typeof cleanUpConnections>[1]);
  const clockMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  if (cleanedCount !== items.length) throw new Error(`${cleanedCount} of ${items.length} were cleaned up`);
  const perSecond = items.length / (clockMs / 1000);
  const figures = [
    formatNumber(clockMs),
    formatNumber((user + system) / 1000),
    `${perSecond.toFixed(0)} a second`,
  ];
  return ["clean-up of 100 at sandboxes", ...figures, "20", yesOrNo(perSecond >= 20)];
}
