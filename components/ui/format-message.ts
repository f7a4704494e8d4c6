import { createElement, type ReactNode } from "react";
import formatCompiled from "use-intl/format-message/format-only";
import { formatSmallInteger } from "./format";

type FormatArguments = Parameters<typeof formatCompiled>;
type RenderChunks = (chunks: ReactNode) => ReactNode;

/** Message formatter, given to next-intl by an alias in next.config.mjs. Compiled messages need no parser. */
export default function formatMessage(
  ...[key, message, values, { formatters, ...options }]: FormatArguments
): ReturnType<typeof formatCompiled> {
  const getNumberFormat: typeof formatters.getNumberFormat = (...args) =>
    args[1]
      ? formatters.getNumberFormat(...args)
      : ({
          format: (value: number) =>
            formatSmallInteger(value) ?? formatters.getNumberFormat(...args).format(value),
        } as Intl.NumberFormat);
  return wrapTexts(
    formatCompiled(key, message, values && wrapChunkCallbacks(values), {
      ...options,
      formatters: { ...formatters, getNumberFormat },
    }),
  );
}

formatMessage.raw = formatCompiled.raw;

function wrapChunkCallbacks(values: NonNullable<FormatArguments[2]>): NonNullable<FormatArguments[2]> {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "function" ? (chunks: ReactNode) => (value as RenderChunks)(wrapTexts(chunks)) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Wraps texts next to elements in spans, see scripts/lib/bare-text.ts. */
function wrapTexts<Content>(content: Content): Content {
  if (!Array.isArray(content)) return content;
  if (content.length === 1) return content[0];
  return content.map((part, index) =>
    typeof part === "string" ? createElement("span", { key: `text${index}` }, part) : part,
  ) as Content;
}
