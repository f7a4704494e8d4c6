import formatCompiled from "use-intl/format-message/format-only";
import { digits } from "./format";

type Formatting = Parameters<typeof formatCompiled>;

/**
 * What next-intl formats messages with, by an alias of next.config.mjs: messages are compiled when the dictionaries are
 * joined, so no page needs a parser, and small numbers in them need no `Intl`.
 */
export default function formatMessage(
  ...[key, message, values, { formatters, ...options }]: Formatting
): ReturnType<typeof formatCompiled> {
  const getNumberFormat: typeof formatters.getNumberFormat = (...wanted) =>
    wanted[1]
      ? formatters.getNumberFormat(...wanted)
      : ({
          format: (value: number) => digits(value) ?? formatters.getNumberFormat(...wanted).format(value),
        } as Intl.NumberFormat);
  return formatCompiled(key, message, values, { ...options, formatters: { ...formatters, getNumberFormat } });
}

formatMessage.raw = formatCompiled.raw;
