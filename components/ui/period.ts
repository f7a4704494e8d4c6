/** Calendar dates such as `2027-11-20`, both inclusive. Null: no limit on that side. */
export interface Period {
  from: string | null;
  to: string | null;
}

const DAY_MS = 86_400_000;

/** Adds days in UTC, where every day has 24 hours. */
function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

function getFirstOfMonth(day: string, monthOffset: number): string {
  const date = new Date(day);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthOffset))
    .toISOString()
    .slice(0, 10);
}

function getFirstOfWeek(day: string, weekStart: number): string {
  return addDays(day, -((new Date(day).getUTCDay() - weekStart + 7) % 7));
}

/** Returns the predefined periods. `weekStart` is a weekday as in `Date`: 0 is Sunday. */
export function getNamedPeriods(today: string, weekStart: number) {
  const weekFirstDay = getFirstOfWeek(today, weekStart);
  const monthFirstDay = getFirstOfMonth(today, 0);
  return {
    today: { from: today, to: today },
    yesterday: { from: addDays(today, -1), to: addDays(today, -1) },
    thisWeek: { from: weekFirstDay, to: addDays(weekFirstDay, 6) },
    lastWeek: { from: addDays(weekFirstDay, -7), to: addDays(weekFirstDay, -1) },
    thisMonth: { from: monthFirstDay, to: addDays(getFirstOfMonth(today, 1), -1) },
    lastMonth: { from: getFirstOfMonth(today, -1), to: addDays(monthFirstDay, -1) },
  } satisfies Record<string, Period>;
}

export function findPeriodName({ from, to }: Period, periods: ReturnType<typeof getNamedPeriods>) {
  const names = Object.keys(periods) as Array<keyof typeof periods>;
  return names.find((name) => periods[name].from === from && periods[name].to === to);
}
