/** Formats rows as an aligned Markdown table; the first row is the header. Numbers are right-aligned. */
export function formatTable(rows: string[][]): string {
  const [header = [], ...body] = rows;
  const widths = header.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const isNumericColumn = header.map(
    (_, column) => column > 0 && body.every((row) => !/^[A-Za-z]/.test(row[column]!)),
  );
  const formatRow = (row: string[]) =>
    `| ${row.map((cell, column) => (isNumericColumn[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join(" | ")} |`;
  const separator = widths.map((width, column) =>
    isNumericColumn[column] ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return [formatRow(header), formatRow(separator), ...body.map(formatRow)].join("\n");
}

export function formatNumber(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "";
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(value >= 10 ? 1 : 2);
}

export const yesOrNo = (isMet: boolean): string => (isMet ? "yes" : "no");
