import { useLocale, useMessages, useTimeZone } from "next-intl";
import { createFormatter, type FormatSettings } from "./format";

/** Date preferences of the account; `auto` follows the language. */
export interface ReaderPreferences {
  date_format: string;
  hour_cycle: string;
  week_start: string;
}

export const pickReaderPreferences = ({
  date_format,
  hour_cycle,
  week_start,
}: ReaderPreferences): ReaderPreferences => ({
  date_format,
  hour_cycle,
  week_start,
});

/** Returns the reader's formatter. Its preferences are in the messages as `reader`, see app/i18n.ts. */
export function useFormat() {
  const locale = useLocale();
  const timeZone = useTimeZone() ?? "Europe/Istanbul";
  const { reader } = useMessages() as { reader?: ReaderPreferences };
  return createFormatter({ locale, timeZone, ...toFormatSettings(reader) });
}

export function toFormatSettings(preferences: ReaderPreferences | undefined): Partial<FormatSettings> {
  const {
    date_format: dateFormat = "auto",
    hour_cycle: hourCycle = "auto",
    week_start: weekStart = "auto",
  } = preferences ?? {};
  return {
    ...(dateFormat !== "auto" && { dateFormat: dateFormat as FormatSettings["dateFormat"] }),
    ...(hourCycle !== "auto" && { hourCycle: hourCycle as FormatSettings["hourCycle"] }),
    ...(weekStart !== "auto" && { weekStart: weekStart as FormatSettings["weekStart"] }),
  };
}
