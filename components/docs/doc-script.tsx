"use client";

import { useEffect } from "react";
import { announce } from "@/components/ui/live-regions";

/** How long a button shows that it has copied. */
const SHOWN = 2000;

/** What scripts add to the reference, which is markup: buttons that copy, and the operation that a link points at. */
export function DocScript({ copied, failed }: { copied: string; failed: string }) {
  useEffect(() => {
    function open() {
      const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
      const fold = target?.closest("details");
      // Some browsers expand it themselves.
      if (!target || !fold || fold.open) return;
      fold.open = true;
      target.scrollIntoView();
    }
    async function copy({ target }: MouseEvent) {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null;
      const text = button?.closest("figure")?.querySelector("code")?.textContent;
      if (!button || !text) return;
      try {
        await navigator.clipboard.writeText(text);
        announce(copied);
        button.dataset.copied = "";
        window.setTimeout(() => delete button.dataset.copied, SHOWN);
      } catch {
        announce(failed);
      }
    }
    open();
    window.addEventListener("hashchange", open);
    document.addEventListener("click", copy);
    return () => {
      window.removeEventListener("hashchange", open);
      document.removeEventListener("click", copy);
    };
  }, [copied, failed]);
  return null;
}
