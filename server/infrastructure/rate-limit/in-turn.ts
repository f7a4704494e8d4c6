import { pool } from "@/server/infrastructure/database/client";
import { type Counter, keyOf, pointsOf, type Standing, standing } from "./limiter";

type Counted = readonly [counter: Counter, key: string];

/** The statement for so many counters; each row is as the limiter's library keeps it. */
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

/**
 * Counts one call with each of these guarding counters, in one statement: the next only while those before it allow the
 * call. Returns the states of those that counted. Exact under concurrency.
 */
export async function consumeInTurn(...counted: Counted[]): Promise<Standing[]> {
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
    standing(counted[index]![0], { consumedPoints: points, msBeforeNext: Math.max(0, expire - now) }),
  );
}

/** Resets one guarding counter and returns a point of each of the others, as `forget` and `giveBack` do. */
export async function settleCounters(reset: Counted, given: Counted[]): Promise<void> {
  await pool().query({
    name: "limits_settle",
    text: `with gone as (delete from rate_limits where key = $1)
           update rate_limits set points = points - 1 where key = any($2) and points > 0 and expire > $3`,
    values: [keyOf(...reset), given.map((each) => keyOf(...each)), Date.now()],
  });
}
