import { foldText } from "@/server/core/fold";
import { findAddress, findPhone, isAddress, isPhone } from "./cell-values";
import type { Mapping } from "./check-rows";
import { type Heading, type HeadingMeaning, parseHeading } from "./headings";

const MAX_SAMPLE_ROWS = 200;
/** Columns with longer cells are notes unless their heading says otherwise. */
const MAX_NAME_LENGTH = 100;

/** Shares are from 0 to 1: the filled share of all cells, the others of the non-empty cells. */
interface ColumnStatistics {
  index: number;
  heading: Heading | undefined;
  cells: string[];
  filledShare: number;
  addressShare: number;
  phoneShare: number;
  nameShare: number;
  distinctShare: number;
}

/** Detects columns by their cells; headings decide between candidates. With no rows, only headings count. */
export function detectMapping(
  headings: readonly string[],
  rows: readonly (readonly string[])[] = [],
): Mapping {
  const sample = rows.slice(0, MAX_SAMPLE_ROWS);
  const columns = headings.map((heading, index) => measureColumn(heading, index, sample));
  // With a matching heading one matching cell is enough; without, half of the cells must match.
  const fits: Fits = (share, hasHeading) =>
    sample.length === 0 ? hasHeading : hasHeading ? share > 0 : share >= 0.5;
  const emailColumn = findBest(columns, ({ heading, addressShare, filledShare, distinctShare }) => {
    const hasHeading = heading?.meaning === "email";
    if (!fits(addressShare, hasHeading)) return undefined;
    return (
      filledShare * distinctShare * addressShare + (hasHeading ? 0.5 : 0) - (heading?.isSecondary ? 0.3 : 0)
    );
  });
  const otherColumns = columns.filter((column) => column !== emailColumn && column.addressShare < 0.5);
  // Fall back to a column with an e-mail heading: its rows then report invalid addresses.
  const addressColumn =
    emailColumn ?? findBest(otherColumns, ({ heading }) => (heading?.meaning === "email" ? 0 : undefined));
  const hasPhoneHeading = columns.some(
    ({ heading, phoneShare }) => heading?.meaning === "phone" && phoneShare > 0,
  );
  const phoneColumn = findBest(otherColumns, ({ heading, phoneShare, filledShare }) => {
    const hasHeading = heading?.meaning === "phone";
    if (!fits(phoneShare, hasHeading) || (!hasHeading && (heading || hasPhoneHeading))) return undefined;
    return filledShare * phoneShare + (heading?.isMobile ? 0.3 : 0) - (heading?.isSecondary ? 0.3 : 0);
  });
  const nameCandidates = otherColumns.filter((column) => column !== phoneColumn && column !== addressColumn);
  return {
    ...detectNameColumns(nameCandidates, fits),
    email: addressColumn?.index ?? null,
    phone: phoneColumn?.index ?? null,
  };
}

type Fits = (share: number, hasHeading: boolean) => boolean;

function detectNameColumns(
  candidates: readonly ColumnStatistics[],
  fits: Fits,
): Pick<Mapping, "name" | "last_name"> {
  const columns = candidates.filter(({ heading, nameShare }) => fits(nameShare, heading !== undefined));
  const findByMeaning = (meaning: HeadingMeaning) =>
    findBest(columns, ({ heading, filledShare, index }) =>
      heading?.meaning === meaning ? filledShare - index / 1000 : undefined,
    );
  let [full, first, last] = [findByMeaning("full"), findByMeaning("first"), findByMeaning("last")];
  const [name, person] = [findByMeaning("name"), findByMeaning("person")];
  // Next to "Vorname", "Name" is the last name; next to "Soyadı", "Ad" is the first.
  const namePart = name ?? person;
  if (namePart && first && !last && !containsValues(namePart, first)) last = namePart;
  else if (namePart && last && !first && !containsValues(namePart, last)) first = namePart;
  else full ??= [person, name].find((column) => column && !isConstant(column)) ?? namePart;
  const isFuller =
    full && !isConstant(full) && full.filledShare > Math.max(first?.filledShare ?? 0, last?.filledShare ?? 0);
  if (first && last && !isFuller) return { name: first.index, last_name: last.index };
  const fallbackColumns = [full, first, last, findByMeaning("company"), findUnnamedColumn(columns)].filter(
    (column) => column !== undefined,
  );
  const fallbackColumn = fallbackColumns.find((column) => !isConstant(column)) ?? fallbackColumns[0];
  return { name: fallbackColumn?.index ?? null, last_name: null };
}

const isConstant = ({ cells, distinctShare }: ColumnStatistics) => {
  const { length } = cells.filter(Boolean);
  return length > 1 && distinctShare * length === 1;
};

function findUnnamedColumn(columns: readonly ColumnStatistics[]): ColumnStatistics | undefined {
  return findBest(columns, ({ heading, cells, filledShare, distinctShare }) => {
    if (heading || cells.some((cell) => cell.length > MAX_NAME_LENGTH)) return undefined;
    const multiWordShare = cells.filter((cell) => cell.includes(" ")).length / cells.length;
    return filledShare + distinctShare + multiWordShare / 2;
  });
}

function containsValues(whole: ColumnStatistics, part: ColumnStatistics): boolean {
  const pairs = whole.cells
    .map((cell, row) => [foldText(cell), foldText(part.cells[row] ?? "")] as const)
    .filter(([cell, other]) => cell && other);
  return pairs.length > 0 && pairs.filter(([cell, other]) => cell.includes(other)).length > pairs.length / 2;
}

function measureColumn(
  heading: string,
  index: number,
  rows: readonly (readonly string[])[],
): ColumnStatistics {
  const cells = rows.map((row) => row[index] ?? "");
  const filledCells = cells.filter(Boolean);
  const getShare = (matches: (cell: string) => boolean) =>
    filledCells.filter(matches).length / (filledCells.length || 1);
  const parsedHeading = parseHeading(heading);
  return {
    index,
    heading: parsedHeading,
    cells,
    filledShare: filledCells.length / (rows.length || 1),
    addressShare: getShare((cell) => isAddress(findAddress(cell))),
    phoneShare: getShare((cell) =>
      parsedHeading?.meaning === "phone" ? hasDigits(cell) : isPhone(findPhone(cell)),
    ),
    nameShare: getShare(looksLikeName),
    distinctShare: new Set(filledCells).size / (filledCells.length || 1),
  };
}

/** Under a phone heading, also accept local numbers and numbers shortened by a spreadsheet. */
const hasDigits = (cell: string) => cell.replace(/\P{Nd}/gu, "").length >= 5;

/** Mostly letters, as in "Café 1923"; no address, number, date or link. */
function looksLikeName(cell: string): boolean {
  if (cell.includes("@") || cell.includes("://")) return false;
  const letters = cell.replace(/\P{L}/gu, "").length;
  return letters > 0 && letters >= cell.replace(/\P{Nd}/gu, "").length;
}

function findBest<T>(items: readonly T[], score: (item: T) => number | undefined): T | undefined {
  let [bestItem, highest]: [T | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
  for (const item of items) {
    const itemScore = score(item);
    if (itemScore !== undefined && itemScore > highest) [bestItem, highest] = [item, itemScore];
  }
  return bestItem;
}
