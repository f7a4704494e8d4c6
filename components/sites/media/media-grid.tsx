"use client";

import { clsx } from "clsx";
import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { useFormat } from "@/components/ui/use-format";
import { Thumbnail } from "./thumbnail";
import type { MediaRow } from "./types";

/** Steps of the arrow keys, for left-to-right text. */
const ARROW_STEPS: Record<string, [tiles: number, rows: number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export interface MediaGridProps {
  files: readonly MediaRow[];
  stale?: boolean;
  selectedIds: ReadonlySet<string>;
  /** File that is previewed beside the grid. */
  currentKey: string | null;
  onSelectionChange: (selected: Set<string>) => void;
  onOpen: (file: MediaRow) => void;
  onRemove: (file: MediaRow) => void;
}

/** Tiles with one tab stop. Arrows, Home and End move, Enter opens, Space selects, Delete deletes. */
export function MediaGrid({
  files,
  stale,
  selectedIds,
  currentKey,
  onSelectionChange,
  onOpen,
  onRemove,
}: MediaGridProps) {
  const t = useTranslations("media");
  const { bytes } = useFormat();
  const gridRef = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const [focusedIndex, setFocusedIndex] = useState(0);
  const activeIndex = Math.min(focusedIndex, files.length - 1);
  const getTiles = () => [...(gridRef.current?.querySelectorAll<HTMLElement>("[role=option]") ?? [])];
  useRestoredFocus(gridRef, files, () => getTiles()[activeIndex]?.focus());

  function focusTile(index: number) {
    const nextIndex = Math.max(0, Math.min(index, files.length - 1));
    setFocusedIndex(nextIndex);
    getTiles()[nextIndex]?.focus();
  }

  function toggleSelection(file: MediaRow) {
    if (!file.can_delete) return;
    const nextSelection = new Set(selectedIds);
    if (!nextSelection.delete(String(file.id))) nextSelection.add(String(file.id));
    onSelectionChange(nextSelection);
  }

  function handleKeyDown(event: KeyboardEvent, file: MediaRow) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ARROW_STEPS[event.key];
    if (step) {
      const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
      const [across, down] = step;
      focusTile(activeIndex + (isRtl ? -across : across) + down * countColumns(getTiles()));
    } else if (event.key === "Home") focusTile(0);
    else if (event.key === "End") focusTile(files.length - 1);
    else if (event.key === "Enter") onOpen(file);
    else if (event.key === " ") toggleSelection(file);
    else if (event.key === "Delete" && file.can_delete) onRemove(file);
    else return;
    event.preventDefault();
  }

  function handleClick(event: MouseEvent, file: MediaRow) {
    const isOnMark = (event.target as HTMLElement).closest("[data-mark]");
    if (isOnMark || event.ctrlKey || event.metaKey || event.shiftKey) toggleSelection(file);
    else onOpen(file);
  }

  return (
    <div className={clsx("px-5 pb-5 transition-opacity", stale && "opacity-60")}>
      <p id={hintId} className="sr-only">
        {t("grid.keys")}
      </p>
      <div
        ref={gridRef}
        role="listbox"
        aria-label={t("title")}
        aria-describedby={hintId}
        aria-multiselectable
        aria-busy={stale}
        className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-3"
      >
        {files.map((file, index) => {
          const isSelected = selectedIds.has(String(file.id));
          return (
            <div
              key={file.id}
              role="option"
              aria-selected={isSelected}
              aria-current={String(file.id) === currentKey || undefined}
              tabIndex={index === activeIndex ? 0 : -1}
              onFocus={() => setFocusedIndex(index)}
              onKeyDown={(event) => handleKeyDown(event, file)}
              onClick={(event) => handleClick(event, file)}
              className={clsx(
                "group/tile relative flex cursor-pointer flex-col gap-1.5 rounded-card p-2 outline-primary focus-visible:outline-2 focus-visible:outline-offset-2 aria-current:outline-2",
                isSelected ? "bg-primary-soft" : "hover:bg-sunken",
              )}
            >
              <Thumbnail file={file} size="lg" />
              <span className="line-clamp-2 wrap-anywhere font-medium text-compact">
                <bdi>{file.name}</bdi>
              </span>
              <span className="text-compact text-fg-muted">
                <span className="sr-only">{t(`kinds.${file.kind}`)}</span> <span>{bytes(file.size)}</span>
              </span>
              {file.can_delete ? (
                <SelectionMark isSelected={isSelected} hasSelection={selectedIds.size > 0} />
              ) : null}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/**
 * Checkbox in the corner of a tile; a click on it selects the file instead of opening it. Visible on hover,
 * on touch devices and while files are selected.
 */
function SelectionMark({ isSelected, hasSelection }: { isSelected: boolean; hasSelection: boolean }) {
  return (
    <span
      data-mark
      aria-hidden
      className={clsx(
        "absolute start-0 top-0 grid size-11 place-items-center",
        !hasSelection &&
          "opacity-0 group-hover/tile:opacity-100 group-focus-visible/tile:opacity-100 pointer-coarse:opacity-100",
      )}
    >
      <span
        className={clsx(
          "grid size-5 place-items-center rounded-sm border",
          isSelected ? "border-primary-border bg-primary text-primary-fg" : "border-border-strong bg-surface",
        )}
      >
        {isSelected ? <Check className="size-4" /> : null}
      </span>
    </span>
  );
}

function countColumns(tiles: HTMLElement[]): number {
  const top = tiles[0]?.offsetTop;
  const nextRowStart = tiles.findIndex(({ offsetTop }) => offsetTop !== top);
  return nextRowStart < 0 ? tiles.length : nextRowStart;
}

/** When the focused tile was deleted, focuses the tile that is now at its position. */
function useRestoredFocus(
  gridRef: React.RefObject<HTMLElement | null>,
  files: readonly MediaRow[],
  focus: () => void,
): void {
  const hadFocus = useRef(false);
  useEffect(() => {
    const recordFocus = () => {
      const { activeElement } = document;
      if (activeElement && activeElement !== document.body)
        hadFocus.current = Boolean(gridRef.current?.contains(activeElement));
    };
    document.addEventListener("focusin", recordFocus);
    return () => document.removeEventListener("focusin", recordFocus);
  }, [gridRef]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the files change
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) focus();
  }, [files]);
}
