import { useLocale, useTimeZone } from "next-intl";
import { formatter } from "./format";

/** The formatter of the reader's language and zone, in server and client components alike. */
export function useFormat() {
  const locale = useLocale();
  const timeZone = useTimeZone() ?? "Europe/Istanbul";
  return formatter({ locale, timeZone });
}
