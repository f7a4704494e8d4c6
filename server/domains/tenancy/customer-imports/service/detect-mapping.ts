import { fold } from "@/server/core/fold";
import { findAddress, findPhone, isAddress, isPhone } from "./cell-values";
import type { Mapping } from "./check-rows";
import { type Heading, type Meaning, parseHeading } from "./headings";

const MAX_SAMPLE_ROWS = 200;
/** Columns with longer cells are notes unless their heading says otherwise. */
const MAX_NAME_LENGTH = 100;

/** Statistics of a column; shares refer to its non-empty cells. */
interface Column {
  index: number;
  heading: Heading | undefined;
  cells: string[];
  filled: number;
  addresses: number;
  phones: number;
  names: number;
  distinct: number;
}

/** Detects columns by their cells. Headings decide between candidates, and alone if there are no rows. */
export function detectMapping(
  headings: readonly string[],
  rows: readonly (readonly string[])[] = [],
): Mapping {
  const sample = rows.slice(0, MAX_SAMPLE_ROWS);
  const columns = headings.map((heading, index) => measureColumn(heading, index, sample));
  // With a matching heading one matching cell is enough; without, half of the cells must match.
  const fits: Fits = (share, hasHeading) =>
    sample.length === 0 ? hasHeading : hasHeading ? share > 0 : share >= 0.5;
  const emailColumn = findBest(columns, ({ heading, addresses, filled, distinct }) => {
    const hasHeading = heading?.meaning === "email";
    if (!fits(addresses, hasHeading)) return undefined;
    return filled * distinct * addresses + (hasHeading ? 0.5 : 0) - (heading?.isSecondary ? 0.3 : 0);
  });
  const otherColumns = columns.filter((column) => column !== emailColumn && column.addresses < 0.5);
  // Fall back to a column with an e-mail heading: its rows then report invalid addresses.
  const addressColumn =
    emailColumn ?? findBest(otherColumns, ({ heading }) => (heading?.meaning === "email" ? 0 : undefined));
  const hasPhoneHeading = columns.some(({ heading, phones }) => heading?.meaning === "phone" && phones > 0);
  const phoneColumn = findBest(otherColumns, ({ heading, phones, filled }) => {
    const hasHeading = heading?.meaning === "phone";
    if (!fits(phones, hasHeading) || (!hasHeading && (heading || hasPhoneHeading))) return undefined;
    return filled * phones + (heading?.isMobile ? 0.3 : 0) - (heading?.isSecondary ? 0.3 : 0);
  });
  const nameCandidates = otherColumns.filter((column) => column !== phoneColumn && column !== addressColumn);
  return {
    ...detectName(nameCandidates, fits),
    email: addressColumn?.index ?? null,
    phone: phoneColumn?.index ?? null,
  };
}

type Fits = (share: number, hasHeading: boolean) => boolean;

function detectName(candidates: readonly Column[], fits: Fits): Pick<Mapping, "name" | "last_name"> {
  const columns = candidates.filter(({ heading, names }) => fits(names, heading !== undefined));
  const findByMeaning = (meaning: Meaning) =>
    findBest(columns, ({ heading, filled, index }) =>
      heading?.meaning === meaning ? filled - index / 1000 : undefined,
    );
  let [full, first, last] = [findByMeaning("full"), findByMeaning("first"), findByMeaning("last")];
  const [name, person] = [findByMeaning("name"), findByMeaning("person")];
  // Next to "Vorname", "Name" is the last name; next to "Soyadı", "Ad" is the first.
  const namePart = name ?? person;
  if (namePart && first && !last && !containsValues(namePart, first)) last = namePart;
  else if (namePart && last && !first && !containsValues(namePart, last)) first = namePart;
  else full ??= [person, name].find((column) => column && !isConstant(column)) ?? namePart;
  const isFuller = full && !isConstant(full) && full.filled > Math.max(first?.filled ?? 0, last?.filled ?? 0);
  if (first && last && !isFuller) return { name: first.index, last_name: last.index };
  const fallbackColumns = [full, first, last, findByMeaning("company"), findUnnamedColumn(columns)].filter(
    (column) => column !== undefined,
  );
  const fallbackColumn = fallbackColumns.find((column) => !isConstant(column)) ?? fallbackColumns[0];
  return { name: fallbackColumn?.index ?? null, last_name: null };
}

const isConstant = ({ cells, distinct }: Column) => {
  const { length } = cells.filter(Boolean);
  return length > 1 && distinct * length === 1;
};

/** Picks the column whose cells differ most and have several words. */
function findUnnamedColumn(columns: readonly Column[]): Column | undefined {
  return findBest(columns, ({ heading, cells, filled, distinct }) => {
    if (heading || cells.some((cell) => cell.length > MAX_NAME_LENGTH)) return undefined;
    const multiWordShare = cells.filter((cell) => cell.includes(" ")).length / cells.length;
    return filled + distinct + multiWordShare / 2;
  });
}

function containsValues(whole: Column, part: Column): boolean {
  const pairs = whole.cells
    .map((cell, row) => [fold(cell), fold(part.cells[row] ?? "")] as const)
    .filter(([cell, other]) => cell && other);
  return pairs.length > 0 && pairs.filter(([cell, other]) => cell.includes(other)).length > pairs.length / 2;
}

function measureColumn(heading: string, index: number, rows: readonly (readonly string[])[]): Column {
  const cells = rows.map((row) => row[index] ?? "");
  const present = cells.filter(Boolean);
  const share = (matches: (cell: string) => boolean) =>
    present.filter(matches).length / (present.length || 1);
  const meaning = parseHeading(heading);
  return {
    index,
    heading: meaning,
    cells,
    filled: present.length / (rows.length || 1),
    addresses: share((cell) => isAddress(findAddress(cell))),
    phones: share((cell) => (meaning?.meaning === "phone" ? hasDigits(cell) : isPhone(findPhone(cell)))),
    names: share(looksLikeName),
    distinct: new Set(present).size / (present.length || 1),
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
    const value = score(item);
    if (value !== undefined && value > highest) [bestItem, highest] = [item, value];
  }
  return bestItem;
}
