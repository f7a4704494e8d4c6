import { useLocale, useMessages, useTimeZone } from "next-intl";
import { type FormatSettings, formatter } from "./format";

/** How the reader wants dates; `auto` is as the language has them. */
export interface ReaderPreferences {
  date_format: string;
  hour_cycle: string;
  week_start: string;
}

/** The preferences alone of whatever has them. */
export const preferencesOf = ({
  date_format,
  hour_cycle,
  week_start,
}: ReaderPreferences): ReaderPreferences => ({
  date_format,
  hour_cycle,
  week_start,
});

/**
 * The formatter of the reader's language, zone and preferences, in server and client components alike. Preferences travel
 * with the messages, which both read the same way.
 */
export function useFormat() {
  const locale = useLocale();
  const timeZone = useTimeZone() ?? "Europe/Istanbul";
  const { reader } = useMessages() as { reader?: ReaderPreferences };
  return formatter({ locale, timeZone, ...chosen(reader) });
}

/** What differs from the language's own way. */
export function chosen(reader: ReaderPreferences | undefined): Partial<FormatSettings> {
  const {
    date_format: dateFormat = "auto",
    hour_cycle: hourCycle = "auto",
    week_start: weekStart = "auto",
  } = reader ?? {};
  return {
    ...(dateFormat !== "auto" && { dateFormat: dateFormat as FormatSettings["dateFormat"] }),
    ...(hourCycle !== "auto" && { hourCycle: hourCycle as FormatSettings["hourCycle"] }),
    ...(weekStart !== "auto" && { weekStart: weekStart as FormatSettings["weekStart"] }),
  };
}
