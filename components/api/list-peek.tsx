"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Drawer } from "@/components/ui/drawer";
import { IconButton } from "@/components/ui/icon-button";
import { letterOf } from "@/components/ui/letter-of";
import { LinkButton } from "@/components/ui/link-button";
import { hasSingleKeys } from "@/components/ui/preference";
import { useNavigate } from "@/components/ui/use-navigate";

/** Settles once the address has changed: nuqs would cancel a navigation that starts earlier. */
let addressUpdate: Promise<unknown> = Promise.resolve();

/** Returns the key of the previewed row from the address (`peek`), and its setter. */
export function useRowPreview() {
  const [key, setKey] = useQueryState("peek", parseAsString.withOptions({ history: "push" }));
  function show(...next: Parameters<typeof setKey>): void {
    addressUpdate = setKey(...next);
  }
  return [key, show] as const;
}

export interface ListPeekProps<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  title: (row: Row) => ReactNode;
  href: (row: Row) => Route;
  children: (row: Row) => ReactNode;
}

/** Previews a row in a drawer: j and k step through the rows, Enter opens the page, Space closes. */
export function ListPeek<Row>({ rows, rowKey, title, href, children }: ListPeekProps<Row>) {
  const t = useTranslations("ui.peek");
  const [key, setKey] = useRowPreview();
  const go = useNavigate();
  const pageLink = useRef<HTMLAnchorElement>(null);
  const index = rows.findIndex((row) => rowKey(row) === key);
  const open = index >= 0;
  // Keeps the content while the drawer slides out.
  const [last, setLast] = useState<Row>();
  if (rows[index] && rows[index] !== last) setLast(rows[index]);

  function step(offset: 1 | -1) {
    const next = rows[index + offset];
    if (next) setKey(rowKey(next), { history: "replace" });
  }

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { ctrlKey, metaKey, altKey, defaultPrevented, target } = event;
    if (ctrlKey || metaKey || altKey || defaultPrevented || !hasSingleKeys()) return;
    const letter = letterOf(event);
    if (letter === "j") step(1);
    else if (letter === "k") step(-1);
    else if (event.repeat) return;
    else if (letter === " " && !(target instanceof HTMLButtonElement)) setKey(null);
    // Also before the focus has reached the link.
    else if (letter === "Enter" && rows[index] && (target === pageLink.current || !isControl(target))) {
      const address = href(rows[index]);
      void addressUpdate.finally(() => go(address));
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    if (!open) return;
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, [open]);

  if (!last) return null;
  const shown = rowKey(last);
  return (
    <Drawer
      open={open}
      onOpenChange={(next) => next || setKey(null)}
      initialFocus={pageLink}
      returnsFocus={() => openerOf(shown) ?? true}
      title={<bdi>{title(last)}</bdi>}
      footer={
        <>
          <IconButton
            label={t("previous")}
            icon={<ChevronUp />}
            disabled={index <= 0}
            onClick={() => step(-1)}
          />
          <IconButton
            label={t("next")}
            icon={<ChevronDown />}
            disabled={index === rows.length - 1}
            onClick={() => step(1)}
          />
          <LinkButton ref={pageLink} variant="primary" href={href(last)}>
            {t("open")}
          </LinkButton>
        </>
      }
    >
      <div key={shown}>{children(last)}</div>
    </Drawer>
  );
}

/** True for controls that handle Enter themselves; those of the list behind the drawer do not count. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(":is(a, button, input, select, textarea):not(main *)");
}

/** Link of the row, from which j and k continue after the drawer has closed. */
function openerOf(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main tr[data-row="${CSS.escape(key)}"] a[href]`);
}
