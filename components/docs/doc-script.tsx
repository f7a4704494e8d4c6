"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { announce } from "@/components/ui/live-regions";

// Loaded when the first form is opened, because most readers open none.
const TryIt = lazy(() => import("./try/try-it").then((file) => ({ default: file.TryIt })));

const COPIED_DURATION = 2000;

export interface DocScriptProps {
  /** Path of the reference: the panel's or the public one. */
  base: string;
  copied: string;
  failed: string;
  unloaded: string;
}

/** Adds behaviour to the static markup: copy buttons, links to operations, forms to try operations. */
export function DocScript({ base, copied, failed, unloaded }: DocScriptProps) {
  const [places, setPlaces] = useState<ReadonlyMap<string, Element>>(new Map());

  useEffect(() => {
    function openTarget() {
      const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
      const details = target?.closest("details");
      // The operation may have moved to another page since it was linked; the contents page redirects.
      if (!target && /^#\w+$/.test(window.location.hash) && window.location.pathname !== base)
        return window.location.replace(base + window.location.hash);
      // Some browsers expand the details themselves.
      if (!target || !details || details.open) return;
      details.open = true;
      target.scrollIntoView();
    }
    async function copy(button: HTMLElement) {
      const blocks = [...(button.closest("figure")?.querySelectorAll<HTMLElement>("pre") ?? [])];
      // Copies the visible one of several languages.
      const text = blocks.find(({ offsetParent }) => offsetParent)?.textContent;
      if (!text) return;
      try {
        await navigator.clipboard.writeText(text);
        announce(copied);
        button.dataset.copied = "";
        window.setTimeout(() => delete button.dataset.copied, COPIED_DURATION);
      } catch {
        announce(failed);
      }
    }
    function tryIt(button: HTMLElement) {
      const [id, place] = [button.dataset.try, button.nextElementSibling];
      if (!id || !place) return;
      const isOpening = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(isOpening));
      setPlaces((previous) => {
        const next = new Map(previous);
        if (isOpening) next.set(id, place);
        else next.delete(id);
        return next;
      });
    }
    function handleClick({ target }: MouseEvent) {
      const button =
        target instanceof Element ? target.closest<HTMLElement>("[data-copy], [data-try]") : null;
      if (!button) return;
      if ("try" in button.dataset) tryIt(button);
      else void copy(button);
    }
    openTarget();
    window.addEventListener("hashchange", openTarget);
    document.addEventListener("click", handleClick);
    return () => {
      window.removeEventListener("hashchange", openTarget);
      document.removeEventListener("click", handleClick);
    };
  }, [base, copied, failed]);

  return [...places].map(([id, place]) =>
    // A language change replaces the markup.
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
