"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { findRowOpener } from "@/components/ui/data-table";
import { Drawer } from "@/components/ui/drawer";
import { IconButton } from "@/components/ui/icon-button";
import { LinkButton } from "@/components/ui/link-button";
import { hasOpenPopup } from "@/components/ui/open-popup";
import { hasSingleKeyShortcuts } from "@/components/ui/preference";
import { getShortcutKey } from "@/components/ui/shortcut-key";
import { useRegisterUnsaved } from "@/components/ui/unsaved";
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
  /** The page of the row, if it has one. */
  href?: (row: Row) => Route;
  children: (row: Row, close: () => void) => ReactNode;
}

/**
 * Previews a row in a drawer: j and k step through the rows, Enter opens the page, Space closes. Beside the list,
 * arrow keys and clicks on rows change the previewed row, too.
 */
export function RowPreview<Row>({ rows, rowKey, title, href, children }: RowPreviewProps<Row>) {
  const t = useTranslations("ui");
  const [previewKey, setPreviewKey] = useRowPreview();
  const navigate = useNavigate();
  const pageLink = useRef<HTMLAnchorElement>(null);
  const isDocked = useHasDock();
  const [hasUnsaved, setHasUnsaved] = useState(false);
  const [pendingChange, setPendingChange] = useState<{ key: string | null }>();
  // Keeps the content while the drawer slides out.
  const [lastRow, setLastRow] = useState<Row>();
  // Unsaved input keeps its row, also if the list no longer contains it.
  const openKey = hasUnsaved && lastRow ? rowKey(lastRow) : previewKey;
  const index = rows.findIndex((row) => rowKey(row) === openKey);
  const openRow = rows[index] ?? (hasUnsaved ? lastRow : undefined);
  const isOpen = openRow !== undefined;
  if (openRow && openRow !== lastRow) setLastRow(openRow);
  // A modal drawer blocks the page's links itself.
  useRegisterUnsaved(hasUnsaved && isDocked);

  function change(key: string | null) {
    setHasUnsaved(false);
    setPreviewKey(key, { history: key === null ? "push" : "replace" });
  }

  /** Returns false if the user is asked about unsaved input first. */
  function requestChange(key: string | null): boolean {
    if (key === openKey) return true;
    if (hasUnsaved) setPendingChange({ key });
    else change(key);
    return !hasUnsaved;
  }

  function moveBy(offset: 1 | -1) {
    const next = rows[index + offset];
    if (!next) return;
    const nextKey = rowKey(next);
    if (!requestChange(nextKey)) return;
    findRow(nextKey)?.scrollIntoView({ block: "nearest" });
    if (document.activeElement?.closest("main tr")) findOpener(nextKey)?.focus();
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
      requestChange(null);
    // Also before the focus has reached the link.
    else if (
      letter === "Enter" &&
      href &&
      openRow &&
      (target === pageLink.current || !isControl(target, isDocked ? rowKey(openRow) : undefined))
    ) {
      const rowPath = href(openRow);
      void addressUpdate.finally(() => navigate(rowPath));
    } else return;
    event.preventDefault();
  });
  const handleClick = useEffectEvent((event: MouseEvent) => {
    const key = isDocked ? findClickedRow(event) : undefined;
    if (key === undefined || !rows.some((row) => rowKey(row) === key)) return;
    event.preventDefault();
    event.stopPropagation();
    requestChange(key);
  });
  useEffect(() => {
    if (!isOpen) return;
    // Before the shortcuts of the list and the links of the rows.
    const listenerOptions = { capture: true };
    document.addEventListener("keydown", handleKey, listenerOptions);
    document.addEventListener("click", handleClick, listenerOptions);
    return () => {
      document.removeEventListener("keydown", handleKey, listenerOptions);
      document.removeEventListener("click", handleClick, listenerOptions);
    };
  }, [isOpen]);
  const scrollToRow = useEffectEvent(() => {
    if (openKey !== null) findRow(openKey)?.scrollIntoView({ block: "nearest" });
  });
  useEffect(() => {
    if (isOpen && isDocked) scrollToRow();
  }, [isOpen, isDocked]);

  if (!lastRow) return null;
  const shownKey = rowKey(lastRow);
  return (
    <Drawer
      docks
      onUnsavedChange={setHasUnsaved}
      open={isOpen}
      onOpenChange={(next) => next || change(null)}
      initialFocus={href && pageLink}
      getFinalFocus={() => findOpener(shownKey) ?? true}
      title={<bdi>{title(lastRow)}</bdi>}
      footer={
        <>
          <IconButton
            label={t("peek.previous")}
            icon={<ChevronUp />}
            disabled={index <= 0}
            onClick={() => moveBy(-1)}
          />
          <IconButton
            label={t("peek.next")}
            icon={<ChevronDown />}
            disabled={index < 0 || index === rows.length - 1}
            onClick={() => moveBy(1)}
          />
          {href ? (
            <LinkButton ref={pageLink} variant="primary" href={href(lastRow)}>
              {t("peek.open")}
            </LinkButton>
          ) : null}
        </>
      }
    >
      <div key={shownKey}>{children(lastRow, () => change(null))}</div>
      <AlertDialog
        open={pendingChange !== undefined}
        onOpenChange={(next) => next || setPendingChange(undefined)}
        title={t("form.leave.title")}
        description={t("form.leave.text")}
        confirmLabel={t("form.leave.confirm")}
        cancelLabel={t("form.leave.cancel")}
        onConfirm={() => pendingChange && change(pendingChange.key)}
      />
    </Drawer>
  );
}

/** Fields and popups that use letters and arrow keys themselves. */
const OWN_KEYS_SELECTOR =
  "input:not([type=checkbox]), textarea, select, [role=combobox], [role=menu], [role=listbox], [role=radio], [role=slider], [role=tab]";

/** True for controls that handle Enter themselves: not those behind a drawer, and not the opener of a docked row. */
function isControl(target: EventTarget | null, dockedKey: string | undefined): boolean {
  if (!(target instanceof Element) || !target.matches("a, button, input, select, textarea")) return false;
  return dockedKey === undefined ? !target.closest("main") : target !== findOpener(dockedKey);
}

const findRow = (key: string) =>
  document.querySelector<HTMLElement>(`main tr[data-row="${CSS.escape(key)}"]`);

/** j and k continue from here after the drawer has closed. */
const findOpener = (key: string) => findRowOpener(findRow(key));

/** Buttons of a row that open its preview. */
const PREVIEW_BUTTON_SELECTOR = "[data-peek], [data-opens-row], [data-title] button";

/** Returns the key of a row whose preview was asked for: by its button, or by a click beside all controls. */
function findClickedRow({
  target,
  detail,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: MouseEvent): string | undefined {
  if (!(target instanceof Element) || ctrlKey || metaKey || shiftKey || altKey) return undefined;
  const control = target.closest("button, input, label, td:not([data-title]) a");
  const isPreviewButton = control?.matches(PREVIEW_BUTTON_SELECTOR) ?? false;
  if (!isPreviewButton && (control || detail === 0)) return undefined;
  if (window.getSelection()?.type === "Range") return undefined;
  return target.closest<HTMLElement>("main tr[data-row]")?.dataset.row;
}
