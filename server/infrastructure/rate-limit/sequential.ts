import * as z from "zod";
import { pool } from "@/server/infrastructure/database/client";
import { statement } from "@/server/infrastructure/database/statement";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import {
  type CounterState,
  getAllowedPoints,
  type RateLimitCounter,
  toCounterState,
  toRateLimitKey,
} from "./limiter";

type CounterKey = readonly [counter: RateLimitCounter, key: string];

/** Returns the statement for `count` counters; rows have the format of rate-limiter-flexible. */
function buildStatementText(count: number): string {
  const buildStep = (position: number) => {
    const [key, milliseconds, limit] = [0, 1, 2].map((offset) => `$${3 * position - 1 + offset}`);
    const source = position === 1 ? "" : ` from c${position - 1} where points <= allowed`;
    return `c${position} as (
      insert into rate_limits as kept (key, points, expire) select ${key}::text, 1, $1::bigint + ${milliseconds}::int${source}
      on conflict (key) do update
        set points = case when kept.expire <= $1::bigint then 1 else kept.points + 1 end,
            expire = case when kept.expire <= $1::bigint then excluded.expire else kept.expire end
      returning points, expire, ${limit}::int as allowed)`;
  };
  const positions = Array.from({ length: count }, (_, index) => index + 1);
  const rows = positions.map(
    (position) => `select ${position} as place, points, expire::float8 as expire from c${position}`,
  );
  return `with ${positions.map(buildStep).join(", ")} ${rows.join(" union all ")} order by place`;
}

/** Counts a call with one counter after the other while they allow it; returns their states. Exact. */
export async function consumeSequentially(...counterKeys: CounterKey[]): Promise<CounterState[]> {
  const now = Date.now();
  const values = counterKeys.flatMap(([counter, key]) => [
    toRateLimitKey(counter, key),
    counter.per * 1000,
    getAllowedPoints(counter),
  ]);
  const { rows } = await pool().query<{ points: number; expire: number }>({
    name: `limits_in_turn_${counterKeys.length}`,
    text: buildStatementText(counterKeys.length),
    values: [now, ...values],
  });
  return rows.map(({ points, expire }, index) =>
    toCounterState(counterKeys[index]![0], {
      consumedPoints: points,
      msBeforeNext: Math.max(0, expire - now),
    }),
  );
}

/** Locks rows in the same order as {@link consumeSequentially}, to avoid deadlocks. */
const resetAndReturnRows = statement(z.never())<{ reset: string; returned: string[]; now: number }>`
  with gone as (delete from rate_limits where key = ${({ reset }) => reset} returning key),
       held as materialized (
         select key from unnest(${({ returned }) => returned}::text[]) with ordinality as given(key, place)
           join rate_limits using (key)
          where (select count(*) from gone) >= 0 order by place for update of rate_limits)
  update rate_limits set points = points - 1
   where key in (select key from held) and points > 0 and expire > ${({ now }) => now}`;

/** Resets one counter and returns a point to the others; in a transaction sent with its next statement. */
export async function resetAndReturnPoints(
  access: Pick<DbAccess, "sql">,
  counterToReset: CounterKey,
  countersToReturn: CounterKey[],
): Promise<void> {
  const keys = countersToReturn.map((each) => toRateLimitKey(...each));
  await resetAndReturnRows.sendWithoutWaiting(access, {
    reset: toRateLimitKey(...counterToReset),
    returned: keys,
    now: Date.now(),
  });
}
