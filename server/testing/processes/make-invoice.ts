import "@/server/transports/rest/operations";
import { advance } from "@/server/domains/billing/accounting/service/advance";
import { Hold } from "@/server/domains/billing/accounting/service/hold";
import { ACTIONS } from "@/server/domains/billing/accounting/service/steps";
import { connectTo } from "@/server/infrastructure/database/client";

/*
 * Makes invoices, until a test kills it: `7:12` stands still for ever at the twelfth point of invoice 7. Points are before
 * and after each call and each write of a state. It is ready once all that shall stand still do.
 */

const orders = process.argv.slice(2).map((order) => order.split(":").map(Number));
const ends = new Map(orders.map(([id, end]) => [id!, end]));
const passed = new Map<number, number>();
let going = [...ends.values()].filter((end) => end !== undefined).length;
const ready = () => void process.stdout.write("ready\n");

async function point(id: number): Promise<void> {
  const count = (passed.get(id) ?? 0) + 1;
  passed.set(id, count);
  if (count !== ends.get(id)) return;
  if (--going === 0) ready();
  await new Promise(() => {});
}

/** The same function with a point on both sides of it. */
function between<A extends unknown[], R>(id: number, work: (...args: A) => Promise<R>) {
  return async (...args: A): Promise<R> => {
    await point(id);
    const found = await work(...args);
    await point(id);
    return found;
  };
}

for (const [step, action] of Object.entries(ACTIONS) as Array<[keyof typeof ACTIONS, typeof ACTIONS.queued]>)
  ACTIONS[step] = (row, tools) => action(row, { ...tools, call: between(row.id, tools.call) });
for (const name of ["keep", "move", "release"] as const) {
  const write = Hold.prototype[name] as (this: Hold, ...args: unknown[]) => Promise<void>;
  Object.assign(Hold.prototype, {
    [name](this: Hold, ...args: unknown[]) {
      return between(this.id, write.bind(this))(...args);
    },
  });
}

connectTo(process.env.DATABASE_URL!);
if (going === 0) ready();
await Promise.all(
  orders.map(async ([id, end]) => {
    for (let round = 0; round < 20; round++) await advance(id!);
    if (end !== undefined) throw new Error(`invoice ${id} has no point ${end}`);
    if (process.env.COUNT) process.stderr.write(`points:${passed.get(id!)}\n`);
  }),
);
process.exit(0);
