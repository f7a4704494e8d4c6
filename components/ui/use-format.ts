import { useLocale, useMessages, useTimeZone } from "next-intl";
import { type FormatSettings, formatter } from "./format";

/** Date preferences of the account; `auto` follows the language. */
export interface ReaderPreferences {
  date_format: string;
  hour_cycle: string;
  week_start: string;
}

export const preferencesOf = ({
  date_format,
  hour_cycle,
  week_start,
}: ReaderPreferences): ReaderPreferences => ({
  date_format,
  hour_cycle,
  week_start,
});

/** Works in server and client components, because preferences travel with the messages (`reader`). */
export function useFormat() {
  const locale = useLocale();
  const timeZone = useTimeZone() ?? "Europe/Istanbul";
  const { reader } = useMessages() as { reader?: ReaderPreferences };
  return formatter({ locale, timeZone, ...formatSettingsOf(reader) });
}

export function formatSettingsOf(reader: ReaderPreferences | undefined): Partial<FormatSettings> {
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
