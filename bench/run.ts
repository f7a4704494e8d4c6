import { loadavg } from "node:os";
import { refuse } from "../scripts/lib/usage.mjs";
import { buildServerEnv } from "./servers";
import { formatTable } from "./table";

/*
 * npm run bench                            compares the server with bare `next start` and a hand-written one
 * npm run bench -- --check                 also fails when a CPU ratio is 15 % below the recorded one
 * npm run bench -- --record                also records the ratios
 * npm run bench -- compare <checkout> [<words>]   this build and another checkout's with the same schema, call by call
 * npm run bench -- accounting [<count>]    1,000 queued invoices by one worker, and reads at the same time
 * npm run bench -- administration          lists, searches and downloads of administrators
 * npm run bench -- billing                 activations, the job advance_subscriptions, a long overview
 * npm run bench -- connections             lists and clean-up of idle connections
 * npm run bench -- integrators             the OpenAPI document and the Postman collection
 * npm run bench -- media [<megabytes>]     uploads, a picture, pages of large libraries
 * npm run bench -- pages                   page loads on a slow phone, and the server's CPU time per view
 * npm run bench -- resellers               customer lists and searches
 * npm run bench -- series                  every time series over its longest period
 * npm run bench -- timing                  whether response times reveal that an account exists
 * npm run bench -- webhooks                the cost of events, and deliveries per second
 * npm run bench -- drill [session]         two servers behind nginx, with PgBouncer in both modes, or in `transaction` or `session`
 * npm run bench -- drill upgrade <folder>  replaces the build of a former release under load
 *
 * Needs `npm run build`. Exits with 1 if it cannot finish, if --check finds a regression, or if the drill fails.
 */

const [name = "main", ...args] = process.argv.slice(2).filter((each) => !each.startsWith("--"));

/** Returns the rows of a table, or undefined after printing its results. */
type Program = (args: string[]) => Promise<string[][] | undefined>;
const PROGRAMS: Record<string, () => Promise<{ default: Program }>> = {
  main: () => import("./main"),
  compare: () => import("./compare"),
  accounting: () => import("./accounting"),
  administration: () => import("./administration"),
  billing: () => import("./billing"),
  connections: () => import("./connections"),
  integrators: () => import("./integrators"),
  media: () => import("./media"),
  pages: () => import("./pages"),
  resellers: () => import("./resellers"),
  series: () => import("./series"),
  timing: () => import("./timing"),
  webhooks: () => import("./webhooks"),
  drill: () => import("./drill/run"),
};

const program = PROGRAMS[name] ?? refuse(import.meta.url, `${name} is none of these.`);
if (name === "compare" && !args[0]) refuse(import.meta.url, "<checkout> is missing.");
// Same APP_SECRET as the servers: they must decrypt values that are sealed here.
Object.assign(process.env, buildServerEnv({ APP_URL: "http://localhost:3000" }));

const { cleanUp } = await import("./environment");
try {
  const rows = await (await program()).default(args);
  if (rows)
    process.stdout.write(`${formatTable(rows)}\n\nload of this machine: ${loadavg()[0]!.toFixed(1)}\n`);
} catch (error) {
  process.stderr.write(`The bench could not finish: ${(error as Error).stack}\n`);
  process.exitCode = 1;
} finally {
  await cleanUp();
}
process.exit();
