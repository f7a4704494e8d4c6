import { fold } from "@/server/core/fold";
import type { Mapping } from "./check-rows";
import { addressOf, isAddress, isPhone, phoneOf } from "./clean";
import { type Heading, headingOf, type Meaning } from "./headings";

const SAMPLE = 200;
/** Columns with longer cells are notes unless their heading says otherwise. */
const LONGEST_NAME = 100;

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

/** Detects columns by their cells. Headings decide between several, and alone without rows. */
export function detectMapping(
  headings: readonly string[],
  rows: readonly (readonly string[])[] = [],
): Mapping {
  const sample = rows.slice(0, SAMPLE);
  const columns = headings.map((heading, index) => columnOf(heading, index, sample));
  // With a matching heading, one such cell is enough; without, half of the cells must match.
  const fits: Fits = (share, isCalled) =>
    sample.length === 0 ? isCalled : isCalled ? share > 0 : share >= 0.5;
  const emailColumn = best(columns, ({ heading, addresses, filled, distinct }) => {
    const isCalled = heading?.meaning === "email";
    if (!fits(addresses, isCalled)) return undefined;
    return filled * distinct * addresses + (isCalled ? 0.5 : 0) - (heading?.isSecondary ? 0.3 : 0);
  });
  const others = columns.filter((column) => column !== emailColumn && column.addresses < 0.5);
  // A column with the heading of an address is better than none: its rows then report the error.
  const addressColumn =
    emailColumn ?? best(others, ({ heading }) => (heading?.meaning === "email" ? 0 : undefined));
  const hasPhoneHeading = columns.some(({ heading, phones }) => heading?.meaning === "phone" && phones > 0);
  const phoneColumn = best(others, ({ heading, phones, filled }) => {
    const isCalled = heading?.meaning === "phone";
    if (!fits(phones, isCalled) || (!isCalled && (heading || hasPhoneHeading))) return undefined;
    return filled * phones + (heading?.isMobile ? 0.3 : 0) - (heading?.isSecondary ? 0.3 : 0);
  });
  const rest = others.filter((column) => column !== phoneColumn && column !== addressColumn);
  return { ...nameOf(rest, fits), email: addressColumn?.index ?? null, phone: phoneColumn?.index ?? null };
}

type Fits = (share: number, isCalled: boolean) => boolean;

function nameOf(all: readonly Column[], fits: Fits): Pick<Mapping, "name" | "last_name"> {
  const columns = all.filter(({ heading, names }) => fits(names, heading !== undefined));
  const columnCalled = (meaning: Meaning) =>
    best(columns, ({ heading, filled, index }) =>
      heading?.meaning === meaning ? filled - index / 1000 : undefined,
    );
  let [full, first, last] = [columnCalled("full"), columnCalled("first"), columnCalled("last")];
  const [name, person] = [columnCalled("name"), columnCalled("person")];
  // Next to "Vorname", "Name" is the last name; next to "Soyadı", "Ad" is the first.
  const part = name ?? person;
  if (part && first && !last && !contains(part, first)) last = part;
  else if (part && last && !first && !contains(part, last)) first = part;
  else full ??= [person, name].find((column) => column && !isConstant(column)) ?? part;
  const isFuller = full && !isConstant(full) && full.filled > Math.max(first?.filled ?? 0, last?.filled ?? 0);
  if (first && last && !isFuller) return { name: first.index, last_name: last.index };
  const singles = [full, first, last, columnCalled("company"), unnamed(columns)].filter(
    (column) => column !== undefined,
  );
  const single = singles.find((column) => !isConstant(column)) ?? singles[0];
  return { name: single?.index ?? null, last_name: null };
}

const isConstant = ({ cells, distinct }: Column) => {
  const { length } = cells.filter(Boolean);
  return length > 1 && distinct * length === 1;
};

/** Without a heading, names are the cells that differ most and have several words. */
function unnamed(columns: readonly Column[]): Column | undefined {
  return best(columns, ({ heading, cells, filled, distinct }) => {
    if (heading || cells.some((cell) => cell.length > LONGEST_NAME)) return undefined;
    const several = cells.filter((cell) => cell.includes(" ")).length / cells.length;
    return filled + distinct + several / 2;
  });
}

function contains(whole: Column, part: Column): boolean {
  const pairs = whole.cells
    .map((cell, row) => [fold(cell), fold(part.cells[row] ?? "")] as const)
    .filter(([cell, other]) => cell && other);
  return pairs.length > 0 && pairs.filter(([cell, other]) => cell.includes(other)).length > pairs.length / 2;
}

function columnOf(heading: string, index: number, rows: readonly (readonly string[])[]): Column {
  const cells = rows.map((row) => row[index] ?? "");
  const present = cells.filter(Boolean);
  const share = (is: (cell: string) => boolean) => present.filter(is).length / (present.length || 1);
  const meaning = headingOf(heading);
  return {
    index,
    heading: meaning,
    cells,
    filled: present.length / (rows.length || 1),
    addresses: share((cell) => isAddress(addressOf(cell))),
    phones: share((cell) => (meaning?.meaning === "phone" ? hasDigits(cell) : isPhone(phoneOf(cell)))),
    names: share(isName),
    distinct: new Set(present).size / (present.length || 1),
  };
}

/** Under a phone heading, also accept local numbers and numbers shortened by a spreadsheet. */
const hasDigits = (cell: string) => cell.replace(/\P{Nd}/gu, "").length >= 5;

/** Mostly letters, as in "Café 1923"; no address, number, date or link. */
function isName(cell: string): boolean {
  if (cell.includes("@") || cell.includes("://")) return false;
  const letters = cell.replace(/\P{L}/gu, "").length;
  return letters > 0 && letters >= cell.replace(/\P{Nd}/gu, "").length;
}

function best<T>(items: readonly T[], score: (item: T) => number | undefined): T | undefined {
  let [bestItem, highest]: [T | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
  for (const item of items) {
    const value = score(item);
    if (value !== undefined && value > highest) [bestItem, highest] = [item, value];
  }
  return bestItem;
}
