import { createElement, type ReactNode } from "react";
import formatCompiled from "use-intl/format-message/format-only";
import { digits } from "./format";

type Formatting = Parameters<typeof formatCompiled>;
type Chunks = (chunks: ReactNode) => ReactNode;

/** Formats compiled messages for next-intl, by an alias in next.config.mjs: pages need no parser. */
export default function formatMessage(
  ...[key, message, values, { formatters, ...options }]: Formatting
): ReturnType<typeof formatCompiled> {
  const getNumberFormat: typeof formatters.getNumberFormat = (...args) =>
    args[1]
      ? formatters.getNumberFormat(...args)
      : ({
          format: (value: number) => digits(value) ?? formatters.getNumberFormat(...args).format(value),
        } as Intl.NumberFormat);
  return inElements(
    formatCompiled(key, message, values && withChunks(values), {
      ...options,
      formatters: { ...formatters, getNumberFormat },
    }),
  );
}

formatMessage.raw = formatCompiled.raw;

function withChunks(values: NonNullable<Formatting[2]>): NonNullable<Formatting[2]> {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "function" ? (chunks: ReactNode) => (value as Chunks)(inElements(chunks)) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Wraps texts next to elements in spans, see scripts/lib/bare-text.ts. */
function inElements<Content>(content: Content): Content {
  if (!Array.isArray(content)) return content;
  if (content.length === 1) return content[0];
  return content.map((part, at) =>
    typeof part === "string" ? createElement("span", { key: `text${at}` }, part) : part,
  ) as Content;
}
