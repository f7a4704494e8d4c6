"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { announce } from "@/components/ui/live-regions";

// Most readers try nothing: the form is loaded when the first one is opened.
const TryIt = lazy(() => import("./try/try-it").then((file) => ({ default: file.TryIt })));

/** How long a button shows that it has copied. */
const SHOWN = 2000;

export interface DocScriptProps {
  /** Where the reference is: in the panel, or for everybody. */
  base: string;
  copied: string;
  failed: string;
  /** When the form to try an operation cannot be loaded. */
  unloaded: string;
}

/**
 * What scripts add to the reference, which is markup: buttons that copy, the operation that a link points at, and forms
 * to try operations, each in its place in the markup.
 */
export function DocScript({ base, copied, failed, unloaded }: DocScriptProps) {
  const [places, setPlaces] = useState<ReadonlyMap<string, Element>>(new Map());

  useEffect(() => {
    function open() {
      const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
      const fold = target?.closest("details");
      // It may have moved to another page of the reference since somebody linked it: the contents know where.
      if (!target && /^#\w+$/.test(window.location.hash) && window.location.pathname !== base)
        return window.location.replace(base + window.location.hash);
      // Some browsers expand it themselves.
      if (!target || !fold || fold.open) return;
      fold.open = true;
      target.scrollIntoView();
    }
    async function copy(button: HTMLElement) {
      const written = [...(button.closest("figure")?.querySelectorAll<HTMLElement>("pre") ?? [])];
      // Of several languages, the one that is shown.
      const text = written.find(({ offsetParent }) => offsetParent)?.textContent;
      if (!text) return;
      try {
        await navigator.clipboard.writeText(text);
        announce(copied);
        button.dataset.copied = "";
        window.setTimeout(() => delete button.dataset.copied, SHOWN);
      } catch {
        announce(failed);
      }
    }
    function tryIt(button: HTMLElement) {
      const [id, place] = [button.dataset.try, button.nextElementSibling];
      if (!id || !place) return;
      const opens = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(opens));
      setPlaces((known) => {
        const next = new Map(known);
        if (opens) next.set(id, place);
        else next.delete(id);
        return next;
      });
    }
    function press({ target }: MouseEvent) {
      const button =
        target instanceof Element ? target.closest<HTMLElement>("[data-copy], [data-try]") : null;
      if (!button) return;
      if ("try" in button.dataset) tryIt(button);
      else void copy(button);
    }
    open();
    window.addEventListener("hashchange", open);
    document.addEventListener("click", press);
    return () => {
      window.removeEventListener("hashchange", open);
      document.removeEventListener("click", press);
    };
  }, [base, copied, failed]);

  return [...places].map(([id, place]) =>
    // Markup in another language has places of its own.
    place.isConnected
      ? createPortal(
          <Suspense fallback={<div aria-busy className="min-h-80" />}>
            <TryIt operation={id} base={base} unloaded={unloaded} />
          </Suspense>,
          place,
          id,
        )
      : null,
  );
}
