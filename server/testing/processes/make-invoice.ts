import "@/server/transports/rest/operations";
import { Lease } from "@/server/domains/billing/accounting/service/lease";
import { processDocument } from "@/server/domains/billing/accounting/service/process";
import { STEP_ACTIONS } from "@/server/domains/billing/accounting/service/steps";
import { openDatabase } from "@/server/infrastructure/database/client";

/* Creates invoices until killed. `7:12` stops invoice 7 at point 12. Prints "ready" once all stopped. */

const idsAndStopPoints = process.argv.slice(2).map((argument) => argument.split(":").map(Number));
const stopPoints = new Map(idsAndStopPoints.map(([id, stopPoint]) => [id!, stopPoint]));
const passedPoints = new Map<number, number>();
let remainingStops = [...stopPoints.values()].filter((stopPoint) => stopPoint !== undefined).length;
const printReady = () => void process.stdout.write("ready\n");

async function passPoint(id: number): Promise<void> {
  const count = (passedPoints.get(id) ?? 0) + 1;
  passedPoints.set(id, count);
  if (count !== stopPoints.get(id)) return;
  if (--remainingStops === 0) printReady();
  await new Promise(() => {});
}

function withPoints<A extends unknown[], R>(id: number, work: (...args: A) => Promise<R>) {
  return async (...args: A): Promise<R> => {
    await passPoint(id);
    const result = await work(...args);
    await passPoint(id);
    return result;
  };
}

for (const [step, action] of Object.entries(STEP_ACTIONS) as Array<
  [keyof typeof STEP_ACTIONS, typeof STEP_ACTIONS.queued]
>)
  STEP_ACTIONS[step] = (row, tools) => action(row, { ...tools, call: withPoints(row.id, tools.call) });
for (const name of ["saveResults", "storeTransition", "release"] as const) {
  const write = Lease.prototype[name] as (this: Lease, ...args: unknown[]) => Promise<void>;
  Object.assign(Lease.prototype, {
    [name](this: Lease, ...args: unknown[]) {
      return withPoints(this.id, write.bind(this))(...args);
    },
  });
}

openDatabase(process.env.DATABASE_URL!);
if (remainingStops === 0) printReady();
await Promise.all(
  idsAndStopPoints.map(async ([id, stopPoint]) => {
    for (let round = 0; round < 20; round++) await processDocument(id!);
    if (stopPoint !== undefined) throw new Error(`invoice ${id} has no point ${stopPoint}`);
    if (process.env.COUNT) process.stderr.write(`points:${passedPoints.get(id!)}\n`);
  }),
);
process.exit(0);
