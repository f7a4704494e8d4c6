import type { Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { formatText, hasText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import type { HealthRow } from "../contract";
import { withTimeout } from "./check";

type MessageParams = Record<string, string | number>;

/**
 * `key`: message key below `health.fixes`; a key without a message uses `health.fixes.part`. If a check
 * throws, the key is the name of its part.
 */
export interface Fix {
  key: string;
  params?: MessageParams;
}

export interface PartState {
  light: HealthRow["light"];
  /** Text for all languages, or a message key below `health.values`. */
  value: string | { key: string; params?: MessageParams };
  since?: Date | null;
  fix?: Fix;
  code?: string;
  /** Logged only. */
  cause?: unknown;
}

export const toUnmeasuredState = (value: PartState["value"]): PartState => ({ light: "grey", value });

/** Checks a part; undefined when the installation does not have it. */
export type PartCheck = () => Promise<PartState | undefined>;

const PART_TIMEOUT_MS = 6_000;

/** Checks all parts in parallel. A part that throws or times out is red; the reason is logged. */
export async function checkParts(locale: Locale, parts: Record<string, PartCheck>): Promise<HealthRow[]> {
  const rows = await Promise.all(
    Object.entries(parts).map(async ([name, checkPart]) => {
      const toRedState = (cause: unknown): PartState => ({
        ...{ light: "red", value: { key: "failing" }, fix: { key: name } },
        cause,
      });
      const state = await withTimeout(checkPart, PART_TIMEOUT_MS).catch(toRedState);
      if (state?.light === "red") logReason(name, state);
      return state ? [toHealthRow(locale, name, state)] : [];
    }),
  );
  return rows.flat();
}

function logReason(part: string, { code, fix, cause }: PartState): void {
  const reason = [fix?.key, code].filter(Boolean).join(" ");
  log.warn({ event: "health.failed", part, reason, ...(cause !== undefined && { cause }) });
}

function toHealthRow(locale: Locale, name: string, { light, value, since, fix, code }: PartState): HealthRow {
  const fixKey = fix && (hasText(locale, `health.fixes.${fix.key}`) ? fix.key : "part");
  return {
    name,
    light,
    value: typeof value === "string" ? value : formatText(locale, `health.values.${value.key}`, value.params),
    since: toIsoMicros(since ?? null),
    code: code ?? null,
    fix: fixKey ? formatText(locale, `health.fixes.${fixKey}`, { name, ...fix?.params }) : null,
  };
}
