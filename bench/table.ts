/** Formats rows as an aligned Markdown table; the first row is the header. Numbers are right-aligned. */
export function formatTable(rows: string[][]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const numeric = head.map((_, column) => column > 0 && body.every((row) => !/^[A-Za-z]/.test(row[column]!)));
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => (numeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    numeric[column] ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return [line(head), line(rule), ...body.map(line)].join("\n");
}

/** Formats a count or a time with a sensible number of digits. */
export function formatNumber(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "";
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(value >= 10 ? 1 : 2);
}

export const yesOrNo = (met: boolean): string => (met ? "yes" : "no");
