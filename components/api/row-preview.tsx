"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Drawer } from "@/components/ui/drawer";
import { IconButton } from "@/components/ui/icon-button";
import { LinkButton } from "@/components/ui/link-button";
import { hasSingleKeyShortcuts } from "@/components/ui/preference";
import { getShortcutKey } from "@/components/ui/shortcut-key";
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

/** Previews a row in a drawer: j and k step through the rows, Enter opens the page, Space closes. */
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

  function moveBy(offset: 1 | -1) {
    const next = rows[index + offset];
    if (next) setPreviewKey(rowKey(next), { history: "replace" });
  }

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { ctrlKey, metaKey, altKey, defaultPrevented, target } = event;
    if (ctrlKey || metaKey || altKey || defaultPrevented || !hasSingleKeyShortcuts()) return;
    const letter = getShortcutKey(event);
    if (letter === "j") moveBy(1);
    else if (letter === "k") moveBy(-1);
    else if (event.repeat) return;
    else if (letter === " " && !(target instanceof HTMLButtonElement)) setPreviewKey(null);
    // Also before the focus has reached the link.
    else if (letter === "Enter" && rows[index] && (target === pageLink.current || !isControl(target))) {
      const rowPath = href(rows[index]);
      void addressUpdate.finally(() => navigate(rowPath));
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    if (!isOpen) return;
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, [isOpen]);

  if (!lastRow) return null;
  const shownKey = rowKey(lastRow);
  return (
    <Drawer
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

/** True for controls that handle Enter themselves, except those of the list behind the drawer. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(":is(a, button, input, select, textarea):not(main *)");
}

/** Finds the link of the row, from which j and k continue after the drawer has closed. */
function findRowLink(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main tr[data-row="${CSS.escape(key)}"] a[href]`);
}
