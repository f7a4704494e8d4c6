"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Drawer } from "@/components/ui/drawer";
import { IconButton } from "@/components/ui/icon-button";
import { LinkButton } from "@/components/ui/link-button";
import { hasOpenPopup } from "@/components/ui/open-popup";
import { hasSingleKeyShortcuts } from "@/components/ui/preference";
import { getShortcutKey } from "@/components/ui/shortcut-key";
import { useHasDock } from "@/components/ui/use-media-query";
import { useNavigate } from "@/components/ui/use-navigate";

/** Settles when the URL has changed: nuqs would cancel a navigation that starts earlier. */
let addressUpdate: Promise<unknown> = Promise.resolve();

/** Returns the key of the previewed row, which the URL stores, and its setter. */
export function useRowPreview() {
  const [key, setKey] = useQueryState("peek", parseAsString.withOptions({ history: "push" }));
  function setPreview(...next: Parameters<typeof setKey>): void {
    addressUpdate = setKey(...next);
  }
  return [key, setPreview] as const;
}

export interface RowPreviewProps<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  title: (row: Row) => ReactNode;
  href: (row: Row) => Route;
  children: (row: Row) => ReactNode;
}

/**
 * Previews a row in a drawer: j and k step through the rows, Enter opens the page, Space closes. Beside the list,
 * arrow keys and clicks on rows change the previewed row, too.
 */
export function RowPreview<Row>({ rows, rowKey, title, href, children }: RowPreviewProps<Row>) {
  const t = useTranslations("ui.peek");
  const [previewKey, setPreviewKey] = useRowPreview();
  const navigate = useNavigate();
  const pageLink = useRef<HTMLAnchorElement>(null);
  const index = rows.findIndex((row) => rowKey(row) === previewKey);
  const isOpen = index >= 0;
  // Keeps the content while the drawer slides out.
  const [lastRow, setLastRow] = useState<Row>();
  if (rows[index] && rows[index] !== lastRow) setLastRow(rows[index]);

  const isDocked = useHasDock();
  const hasUnsaved = useRef(false);

  function show(key: string) {
    if (!hasUnsaved.current) setPreviewKey(key, { history: "replace" });
  }

  function moveBy(offset: 1 | -1) {
    const next = rows[index + offset];
    if (!next) return;
    const nextKey = rowKey(next);
    show(nextKey);
    findRow(nextKey)?.scrollIntoView({ block: "nearest" });
    if (document.activeElement?.closest("main tr")) findRowLink(nextKey)?.focus();
  }

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { ctrlKey, metaKey, altKey, defaultPrevented, target } = event;
    if (ctrlKey || metaKey || altKey || defaultPrevented) return;
    if (target instanceof Element && target.closest(OWN_KEYS_SELECTOR)) return;
    if (isDocked && hasOpenPopup()) return;
    const letter = getShortcutKey(event);
    if (isDocked && letter === "ArrowDown") moveBy(1);
    else if (isDocked && letter === "ArrowUp") moveBy(-1);
    else if (!hasSingleKeyShortcuts()) return;
    else if (letter === "j") moveBy(1);
    else if (letter === "k") moveBy(-1);
    else if (event.repeat) return;
    else if (letter === " " && !(target instanceof Element && target.matches("button, input")))
      setPreviewKey(null);
    // Also before the focus has reached the link.
    else if (
      letter === "Enter" &&
      rows[index] &&
      (target === pageLink.current || !isControl(target, isDocked ? rowKey(rows[index]) : undefined))
    ) {
      const rowPath = href(rows[index]);
      void addressUpdate.finally(() => navigate(rowPath));
    } else return;
    event.preventDefault();
  });
  const handleClick = useEffectEvent((event: MouseEvent) => {
    const key = isDocked ? findClickedRow(event) : undefined;
    if (key === undefined || !rows.some((row) => rowKey(row) === key)) return;
    event.preventDefault();
    event.stopPropagation();
    show(key);
  });
  useEffect(() => {
    if (!isOpen) return;
    // Before the shortcuts of the list and the links of the rows.
    const isEarly = { capture: true };
    document.addEventListener("keydown", handleKey, isEarly);
    document.addEventListener("click", handleClick, isEarly);
    return () => {
      document.removeEventListener("keydown", handleKey, isEarly);
      document.removeEventListener("click", handleClick, isEarly);
    };
  }, [isOpen]);

  if (!lastRow) return null;
  const shownKey = rowKey(lastRow);
  return (
    <Drawer
      docks
      unsavedRef={hasUnsaved}
      open={isOpen}
      onOpenChange={(next) => next || setPreviewKey(null)}
      initialFocus={pageLink}
      getFinalFocus={() => findRowLink(shownKey) ?? true}
      title={<bdi>{title(lastRow)}</bdi>}
      footer={
        <>
          <IconButton
            label={t("previous")}
            icon={<ChevronUp />}
            disabled={index <= 0}
            onClick={() => moveBy(-1)}
          />
          <IconButton
            label={t("next")}
            icon={<ChevronDown />}
            disabled={index === rows.length - 1}
            onClick={() => moveBy(1)}
          />
          <LinkButton ref={pageLink} variant="primary" href={href(lastRow)}>
            {t("open")}
          </LinkButton>
        </>
      }
    >
      <div key={shownKey}>{children(lastRow)}</div>
    </Drawer>
  );
}

/** Fields and popups that use letters and arrow keys themselves. */
const OWN_KEYS_SELECTOR = "input:not([type=checkbox]), textarea, select, [role=menu], [role=listbox]";

/** True for controls that handle Enter themselves: not those behind a drawer, and not the link of a docked row. */
function isControl(target: EventTarget | null, dockedKey: string | undefined): boolean {
  if (!(target instanceof Element) || !target.matches("a, button, input, select, textarea")) return false;
  return dockedKey === undefined ? !target.closest("main") : target !== findRowLink(dockedKey);
}

const findRow = (key: string) =>
  document.querySelector<HTMLElement>(`main tr[data-row="${CSS.escape(key)}"]`);

/** Finds the link of the row, from which j and k continue after the drawer has closed. */
function findRowLink(key: string): HTMLElement | null {
  return findRow(key)?.querySelector<HTMLElement>("a[href]") ?? null;
}

/** Returns the key of a row that was clicked with the mouse, unless a control of the row was meant. */
function findClickedRow({
  target,
  detail,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: MouseEvent): string | undefined {
  if (!(target instanceof Element) || detail === 0 || ctrlKey || metaKey || shiftKey || altKey)
    return undefined;
  if (target.closest("button, input, label, td:not([data-title]) a")) return undefined;
  return target.closest<HTMLElement>("main tr[data-row]")?.dataset.row;
}
