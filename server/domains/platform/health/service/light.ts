import type { Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { hasText, text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import type { HealthRow } from "../contract";
import { inTime } from "./check";

type Params = Record<string, string | number>;

/** What looking at a part has shown. */
export interface Sight {
  light: HealthRow["light"];
  /** A text that is the same in every language, or a key below `health.values` with what fills it in. */
  value: string | { key: string; params?: Params };
  since?: Date | null;
  /** Key below `health.fixes`, unless nothing has to be done, with what fills it in. */
  fix?: { key: string; params?: Params };
}

/** Looks at a part; undefined where this installation has no such part. */
export type Look = () => Promise<Sight | undefined>;

/** How long a part may take before it counts as broken: whoever asks waits for a page. */
const PATIENCE = 6_000;

/** Looks at all parts at once; one that throws, or takes too long, is red. */
export async function look(locale: Locale, parts: Record<string, Look>): Promise<HealthRow[]> {
  const seen = await Promise.all(
    Object.entries(parts).map(async ([name, run]) => {
      const sight = await inTime(run, PATIENCE).catch((cause: unknown): Sight => {
        log.warn({ event: "health.failed", part: name, cause });
        return { light: "red", value: { key: "failing" }, fix: { key: name } };
      });
      return sight ? [rowOf(locale, name, sight)] : [];
    }),
  );
  return seen.flat();
}

function rowOf(locale: Locale, name: string, { light, value, since, fix }: Sight): HealthRow {
  const key = fix && (hasText(locale, `health.fixes.${fix.key}`) ? fix.key : "part");
  return {
    name,
    light,
    value: typeof value === "string" ? value : text(locale, `health.values.${value.key}`, value.params),
    since: isoMicros(since ?? null),
    fix: key ? text(locale, `health.fixes.${key}`, { name, ...fix?.params }) : null,
  };
}
