import { startEmbeddedPostgres } from "../../infrastructure/database/embedded";

/* Starts an embedded database, prints its URL and pid, and runs until killed. */
const [dataDir, ephemeral] = process.argv.slice(2);
const database = await startEmbeddedPostgres({ dataDir: dataDir!, ephemeral: ephemeral === "ephemeral" });
process.stdout.write(`${JSON.stringify({ url: database.url, pid: database.pid })}\n`);
setInterval(() => {}, 1_000_000);
