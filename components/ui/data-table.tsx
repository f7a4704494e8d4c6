"use client";

import { clsx } from "clsx";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, type MouseEvent as RowMouseEvent, useRef } from "react";
import { Checkbox } from "./checkbox";
import { Pager, type PagerProps } from "./pager";
import { SkeletonRows } from "./skeleton";
import { useOverflow } from "./use-overflow";

export interface Column<Row> {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  sortable?: boolean;
  align?: "start" | "end";
  /** Title of the card on phones; default: the first column. */
  isCardTitle?: boolean;
  hideOnCard?: boolean;
  /** Narrower tables hide the column: `narrow` is 480 px, `medium` about 830, `wide` 960. Cards always show it. */
  minTableWidth?: "narrow" | "medium" | "wide";
  hideHeader?: boolean;
}

export function createActionColumn<Row>(header: string, cell: Column<Row>["cell"]): Column<Row> {
  return { id: "actions", header, cell, hideHeader: true, align: "end" };
}

export interface Sort {
  by: string;
  direction: "asc" | "desc";
}

export interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  selection?: {
    selected: ReadonlySet<string>;
    onChange: (selected: Set<string>) => void;
    rowLabel: (row: Row) => string;
    /** Default: every row. */
    canSelect?: (row: Row) => boolean;
  };
  /** Row that is shown beside the list. */
  currentKey?: string | null;
  paging?: PagerProps;
  loading?: boolean;
  stale?: boolean;
  emptyState?: ReactNode;
}

/** Explicit, because some browsers drop table roles when CSS changes the layout to cards. */
const ARIA_ROLE = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

const HIDDEN_BELOW_CLASS = {
  narrow: "sm:@max-[30rem]:hidden",
  medium: "sm:@max-[52rem]:hidden",
  wide: "sm:@max-[60rem]:hidden",
} as const;

/** Keeps the action column visible while scrolling; a shade marks columns hidden underneath. */
const STICKY_COLUMN_CLASS = clsx(
  "sm:sticky sm:end-0 sm:bg-inherit before:pointer-events-none before:absolute before:inset-y-0 before:end-full",
  "before:w-6 before:bg-linear-to-r before:from-transparent before:to-surface rtl:before:bg-linear-to-l",
  "before:opacity-0 sm:group-data-cut/scroller:before:opacity-100 in-aria-[current]:before:hidden",
);

/** Control that opens the record of a row: a marked one, else the link or button in its title. */
const ROW_OPENER_SELECTORS = ["[data-opens-row]", "[data-title] :is(a[href], button)"];

export function findRowOpener(row: Element | null | undefined): HTMLElement | undefined {
  const [opener] = ROW_OPENER_SELECTORS.flatMap(
    (selector) => row?.querySelector<HTMLElement>(selector) ?? [],
  );
  return opener;
}

const ROW_CONTROL_SELECTOR = "a, button, input, label, select, textarea, summary";

/**
 * Clicks on a row act on its opener, so that the whole row is the target while its text stays selectable.
 * Ctrl, ⌘, Shift and the middle button open the record as for a link.
 */
function openRow(event: RowMouseEvent<HTMLTableRowElement>): void {
  const { currentTarget: row, target } = event;
  // Popups of the row are elsewhere in the document.
  if (!(target instanceof Element) || !row.contains(target) || target.closest(ROW_CONTROL_SELECTOR)) return;
  if (event.button > 1 || window.getSelection()?.type === "Range") return;
  const opener = findRowOpener(row);
  const opensTab = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey;
  if (!opensTab) opener?.click();
  else if (opener instanceof HTMLAnchorElement) window.open(opener.href, "_blank", "noopener");
}

/**
 * Table of records, shown as cards on phones. The server sorts and pages. A link or button in the title column
 * opens the record; then the whole row does.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, paging, loading, stale, emptyState } = props;
  const { ref, isOverflowing } = useOverflow<HTMLDivElement>();
  const lastSelectedKey = useRef<string>(undefined);
  if (loading) return <SkeletonRows />;
  if (rows.length === 0 && emptyState) return <>{emptyState}</>;
  const { canSelect = () => true } = props.selection ?? {};
  const selectableKeys = rows.filter(canSelect).map(rowKey);
  const selection = selectableKeys.length > 0 ? props.selection : undefined;
  const titleColumn = columns.find((column) => column.isCardTitle) ?? columns[0];
  return (
    <div className="@container min-w-0">
      <div
        ref={ref}
        data-cut={isOverflowing || undefined}
        className="group/scroller relative sm:overflow-x-auto"
      >
        <table
          {...ARIA_ROLE.table}
          aria-busy={stale}
          className={clsx(
            "w-full border-collapse text-sm transition-opacity max-sm:block",
            stale && "opacity-60",
          )}
        >
          <caption className="sr-only">{caption}</caption>
          <thead {...ARIA_ROLE.rowgroup} className="max-sm:sr-only">
            <tr {...ARIA_ROLE.row} className="border-border border-b bg-surface">
              {selection ? <SelectAllHeader keys={selectableKeys} selection={selection} /> : null}
              {columns.map((column) => (
                <HeaderCell key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
              ))}
            </tr>
          </thead>
          <tbody {...ARIA_ROLE.rowgroup} className="divide-y divide-border max-sm:block">
            {rows.map((row) => {
              const key = rowKey(row);
              const isCurrent = key === props.currentKey;
              const isSelected = selection?.selected.has(key) ?? false;
              return (
                <tr
                  key={key}
                  data-row={key}
                  {...ARIA_ROLE.row}
                  aria-current={isCurrent || undefined}
                  onClick={openRow}
                  onAuxClick={openRow}
                  className={clsx(
                    "transition-colors duration-120 max-sm:relative max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_fit-content(60%)] max-sm:gap-y-1 max-sm:px-5 max-sm:py-4",
                    "has-[[data-title]_:is(a,button)]:cursor-pointer",
                    isSelected || isCurrent ? "bg-primary-soft" : "bg-surface sm:hover:bg-sunken",
                  )}
                >
                  {selection ? (
                    <td
                      {...ARIA_ROLE.cell}
                      data-print="never"
                      className="w-12 ps-5 max-sm:absolute max-sm:start-5 max-sm:top-4 max-sm:w-auto max-sm:ps-0"
                    >
                      {canSelect(row) ? (
                        <Checkbox
                          hideLabel
                          label={selection.rowLabel(row)}
                          checked={isSelected}
                          onChange={({ nativeEvent }) => {
                            const rangeStart = selection.selected.has(lastSelectedKey.current ?? "")
                              ? lastSelectedKey.current
                              : undefined;
                            if (!isSelected) lastSelectedKey.current = key;
                            selection.onChange(
                              rangeStart && !isSelected && (nativeEvent as MouseEvent).shiftKey
                                ? new Set([
                                    ...selection.selected,
                                    ...getKeysBetween(selectableKeys, rangeStart, key),
                                  ])
                                : toggleKey(selection.selected, key),
                            );
                          }}
                        />
                      ) : null}
                    </td>
                  ) : null}
                  {columns.map((column) => (
                    <Cell
                      key={column.id}
                      column={column}
                      isTitle={column === titleColumn}
                      hasCheckbox={Boolean(selection)}
                      row={row}
                    />
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {paging ? <Pager {...paging} /> : null}
    </div>
  );
}

/** Returns the keys between two rows in either order; only `to` if `from` is on another page. */
function getKeysBetween(keys: readonly string[], from: string, to: string): string[] {
  const [start, end] = [keys.indexOf(from), keys.indexOf(to)];
  return start < 0 ? [to] : keys.slice(Math.min(start, end), Math.max(start, end) + 1);
}

function toggleKey(selected: ReadonlySet<string>, key: string): Set<string> {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}

function SelectAllHeader({
  keys,
  selection,
}: {
  keys: readonly string[];
  selection: { selected: ReadonlySet<string>; onChange: (selected: Set<string>) => void };
}) {
  const t = useTranslations("ui.table");
  const selectedCount = keys.filter((key) => selection.selected.has(key)).length;
  return (
    <th scope="col" data-print="never" className="w-12 ps-5 text-start align-middle">
      <Checkbox
        hideLabel
        label={t("selectAll")}
        checked={selectedCount === keys.length}
        indeterminate={selectedCount > 0 && selectedCount < keys.length}
        onChange={() => selection.onChange(new Set(selectedCount === keys.length ? [] : keys))}
      />
    </th>
  );
}

function HeaderCell<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
}) {
  const isEndAligned = column.align === "end";
  const direction = sort?.by === column.id ? sort.direction : undefined;
  const headerClass = clsx(
    "h-10 px-3 font-medium text-compact text-fg-muted first:ps-5 last:pe-5",
    isEndAligned ? "text-end" : "text-start",
    column.minTableWidth && HIDDEN_BELOW_CLASS[column.minTableWidth],
    column.hideHeader && STICKY_COLUMN_CLASS,
  );
  if (!column.sortable || !onSort) {
    return (
      <th {...ARIA_ROLE.columnheader} scope="col" className={headerClass}>
        {column.hideHeader ? <span className="sr-only">{column.header}</span> : column.header}
      </th>
    );
  }
  const Icon = direction === undefined ? ChevronsUpDown : direction === "asc" ? ArrowUp : ArrowDown;
  return (
    <th
      {...ARIA_ROLE.columnheader}
      scope="col"
      aria-sort={direction === undefined ? undefined : direction === "asc" ? "ascending" : "descending"}
      className={headerClass}
    >
      <button
        type="button"
        className={clsx(
          "-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-control px-1.5 hover:text-fg",
          direction && "text-fg",
        )}
        onClick={() => onSort({ by: column.id, direction: direction === "asc" ? "desc" : "asc" })}
      >
        <span>{column.header}</span>
        <Icon className="size-3.5" />
      </button>
    </th>
  );
}

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  isTitle: boolean;
  hasCheckbox: boolean;
}

function Cell<Row>({ column, isTitle, hasCheckbox, row }: CellProps<Row>) {
  const content = column.cell(row);
  return (
    <td
      {...ARIA_ROLE.cell}
      data-title={isTitle || undefined}
      data-print={column.hideHeader ? "never" : undefined}
      className={clsx(
        "px-3 first:ps-5 last:pe-5 sm:h-row max-sm:flex max-sm:items-center max-sm:justify-between max-sm:gap-4",
        isTitle && hasCheckbox ? "max-sm:py-0! max-sm:ps-8! max-sm:pe-0!" : "max-sm:p-0!",
        isTitle ? "max-sm:col-start-1 max-sm:row-start-1" : column.hideHeader ? null : "max-sm:col-span-2",
        column.align === "end" ? "sm:text-end" : "text-start",
        isTitle && "font-medium max-sm:text-base",
        (column.hideOnCard || content === null) && "max-sm:hidden",
        column.minTableWidth && HIDDEN_BELOW_CLASS[column.minTableWidth],
        column.hideHeader && [
          "max-sm:col-start-2 max-sm:row-start-1 max-sm:items-start max-sm:ps-3!",
          STICKY_COLUMN_CLASS,
        ],
      )}
    >
      {isTitle || column.hideHeader ? null : (
        <span aria-hidden className="text-compact text-fg-muted sm:hidden">
          {column.header}
        </span>
      )}
      <span className="min-w-0 max-sm:wrap-anywhere">{content}</span>
    </td>
  );
}
