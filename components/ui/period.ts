/** Calendar dates such as `2027-11-20`, both inclusive. Null means open. */
export interface Period {
  from: string | null;
  to: string | null;
}

const DAY = 86_400_000;

/** Adds days, in UTC, where every day has 24 hours. */
function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

function firstOfMonth(day: string, months: number): string {
  const date = new Date(day);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)).toISOString().slice(0, 10);
}

function firstOfWeek(day: string, start: number): string {
  return addDays(day, -((new Date(day).getUTCDay() - start + 7) % 7));
}

/** Returns the predefined periods; `weekStart` is a weekday as in `Date`. */
export function namedPeriods(today: string, weekStart: number) {
  const week = firstOfWeek(today, weekStart);
  const month = firstOfMonth(today, 0);
  return {
    today: { from: today, to: today },
    yesterday: { from: addDays(today, -1), to: addDays(today, -1) },
    thisWeek: { from: week, to: addDays(week, 6) },
    lastWeek: { from: addDays(week, -7), to: addDays(week, -1) },
    thisMonth: { from: month, to: addDays(firstOfMonth(today, 1), -1) },
    lastMonth: { from: firstOfMonth(today, -1), to: addDays(month, -1) },
  } satisfies Record<string, Period>;
}

export function nameOf({ from, to }: Period, named: ReturnType<typeof namedPeriods>) {
  const names = Object.keys(named) as Array<keyof typeof named>;
  return names.find((name) => named[name].from === from && named[name].to === to);
}
