import { HOUR } from "./time";

/*
 * Days and months in Turkey, whose law and banks count. It has kept UTC+3 all year since 2016.
 */

const AHEAD = 3 * HOUR;

/** The clock on the wall, as if it were UTC. */
const onTheWall = (moment: Date) => new Date(moment.getTime() + AHEAD);

/** The day of a moment: `2027-11-20`. */
export function dayOf(moment: Date): string {
  return onTheWall(moment).toISOString().slice(0, 10);
}

/** The day in a column of days, which the database gives as midnight in UTC. */
export function dayIn(column: Date): string {
  return column.toISOString().slice(0, 10);
}

/** The same time of day some months later; the last day of a shorter month stands for days that it does not have. */
export function addMonths(moment: Date, months: number): Date {
  const wall = onTheWall(moment);
  const day = wall.getUTCDate();
  wall.setUTCDate(1);
  wall.setUTCMonth(wall.getUTCMonth() + months);
  const last = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate();
  wall.setUTCDate(Math.min(day, last));
  return new Date(wall.getTime() - AHEAD);
}

/** The last moment of the day that is some days after this one. */
export function endOfDay(day: string, { plus }: { plus: number }): Date {
  const midnight = new Date(`${day}T00:00:00.000Z`);
  midnight.setUTCDate(midnight.getUTCDate() + plus + 1);
  return new Date(midnight.getTime() - AHEAD - 1);
}
