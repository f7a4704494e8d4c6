import type { Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { hasText, text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import type { HealthRow } from "../contract";
import { inTime } from "./check";

type Params = Record<string, string | number>;

/** Key below `health.fixes`, with what fills it in. */
export interface Fix {
  key: string;
  params?: Params;
}

/** The state of a part. */
export interface Sight {
  light: HealthRow["light"];
  /** A text that is the same in every language, or a key below `health.values` with what fills it in. */
  value: string | { key: string; params?: Params };
  since?: Date | null;
  /** Left out where nothing has to be done. */
  fix?: Fix;
  /** Technical code of the failure. */
  code?: string;
  /** For the log. */
  cause?: unknown;
}

/** A part that could not be measured yet, which is neither good nor bad. */
export const unmeasured = (value: Sight["value"]): Sight => ({ light: "grey", value });

/** Looks at a part; undefined where this installation has no such part. */
export type Look = () => Promise<Sight | undefined>;

/** How long a part may take before it counts as broken: whoever asks waits for a page. */
const PATIENCE = 6_000;

/** Looks at all parts at the same time. One that throws or takes too long is red. Logs the reason of every red one. */
export async function look(locale: Locale, parts: Record<string, Look>): Promise<HealthRow[]> {
  const seen = await Promise.all(
    Object.entries(parts).map(async ([name, run]) => {
      const failed = (cause: unknown): Sight => ({
        ...{ light: "red", value: { key: "failing" }, fix: { key: name } },
        cause,
      });
      const sight = await inTime(run, PATIENCE).catch(failed);
      if (sight?.light === "red") logReason(name, sight);
      return sight ? [rowOf(locale, name, sight)] : [];
    }),
  );
  return seen.flat();
}

function logReason(part: string, { code, fix, cause }: Sight): void {
  const reason = [fix?.key, code].filter(Boolean).join(" ");
  log.warn({ event: "health.failed", part, reason, ...(cause !== undefined && { cause }) });
}

function rowOf(locale: Locale, name: string, { light, value, since, fix, code }: Sight): HealthRow {
  const key = fix && (hasText(locale, `health.fixes.${fix.key}`) ? fix.key : "part");
  return {
    name,
    light,
    value: typeof value === "string" ? value : text(locale, `health.values.${value.key}`, value.params),
    since: isoMicros(since ?? null),
    code: code ?? null,
    fix: key ? text(locale, `health.fixes.${key}`, { name, ...fix?.params }) : null,
  };
}
