import { startEmbeddedPostgres } from "../../infrastructure/database/embedded";

/* For tests that kill: starts the database of a directory, prints its address, and stays. */
const [dataDir, ephemeral] = process.argv.slice(2);
const database = await startEmbeddedPostgres({ dataDir: dataDir!, ephemeral: ephemeral === "ephemeral" });
process.stdout.write(`${JSON.stringify({ url: database.url, pid: database.pid })}\n`);
setInterval(() => {}, 1_000_000);
