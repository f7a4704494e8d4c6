import * as z from "zod";
import { pool } from "@/server/infrastructure/database/client";
import { statement } from "@/server/infrastructure/database/statement";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { type Counter, type CounterState, counterState, keyOf, pointsOf } from "./limiter";

type Counted = readonly [counter: Counter, key: string];

/** Returns the statement for `count` counters; rows have the format of rate-limiter-flexible. */
function textFor(count: number): string {
  const step = (place: number) => {
    const [key, milliseconds, limit] = [0, 1, 2].map((offset) => `$${3 * place - 1 + offset}`);
    const before = place === 1 ? "" : ` from c${place - 1} where points <= allowed`;
    return `c${place} as (
      insert into rate_limits as kept (key, points, expire) select ${key}::text, 1, $1::bigint + ${milliseconds}::int${before}
      on conflict (key) do update
        set points = case when kept.expire <= $1::bigint then 1 else kept.points + 1 end,
            expire = case when kept.expire <= $1::bigint then excluded.expire else kept.expire end
      returning points, expire, ${limit}::int as allowed)`;
  };
  const places = Array.from({ length: count }, (_, index) => index + 1);
  const rows = places.map(
    (place) => `select ${place} as place, points, expire::float8 as expire from c${place}`,
  );
  return `with ${places.map(step).join(", ")} ${rows.join(" union all ")} order by place`;
}

/** Counts a call with several counters in turn while they allow it; returns their states. Exact. */
export async function consumeSequentially(...counted: Counted[]): Promise<CounterState[]> {
  const now = Date.now();
  const values = counted.flatMap(([counter, key]) => [
    keyOf(counter, key),
    counter.per * 1000,
    pointsOf(counter),
  ]);
  const { rows } = await pool().query<{ points: number; expire: number }>({
    name: `limits_in_turn_${counted.length}`,
    text: textFor(counted.length),
    values: [now, ...values],
  });
  return rows.map(({ points, expire }, index) =>
    counterState(counted[index]![0], { consumedPoints: points, msBeforeNext: Math.max(0, expire - now) }),
  );
}

/** Locks rows in the same order as {@link consumeSequentially}, to avoid deadlocks. */
const settle = statement(z.never())<{ reset: string; returned: string[]; now: number }>`
  with gone as (delete from rate_limits where key = ${({ reset }) => reset} returning key),
       held as materialized (
         select key from unnest(${({ returned }) => returned}::text[]) with ordinality as given(key, place)
           join rate_limits using (key)
          where (select count(*) from gone) >= 0 order by place for update of rate_limits)
  update rate_limits set points = points - 1
   where key in (select key from held) and points > 0 and expire > ${({ now }) => now}`;

/** Resets one counter and returns a point to the others; in a transaction sent with its next statement. */
export async function settleCounters(
  work: Pick<DbAccess, "sql">,
  reset: Counted,
  returned: Counted[],
): Promise<void> {
  const keys = returned.map((each) => keyOf(...each));
  await settle.later(work, { reset: keyOf(...reset), returned: keys, now: Date.now() });
}
