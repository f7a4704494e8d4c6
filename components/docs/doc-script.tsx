"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { announce } from "@/components/ui/live-regions";
import { colourCode, dropDetachedColours } from "./colour-code";
import type { DocName } from "./doc-name";

// Loaded when the first form is opened, because most readers open none.
const TryIt = lazy(() => import("./try/try-it").then((file) => ({ default: file.TryIt })));

const COPIED_DURATION_MS = 2000;

export interface DocScriptProps {
  /** Path of the reference: the panel's or the public one. */
  basePath: string;
  copiedText: string;
  copyFailedText: string;
  loadErrorText: string;
}

/** Adds behaviour to the static markup: copy buttons, links to operations and request forms. */
export function DocScript({ basePath, copiedText, copyFailedText, loadErrorText }: DocScriptProps) {
  const [formContainers, setFormContainers] = useState<ReadonlyMap<string, Element>>(new Map());

  useEffect(() => {
    function openTarget() {
      const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
      const details = target?.closest("details");
      // Old links may name the contents or a page that no longer has the operation.
      if (!target && /^#\w+$/.test(window.location.hash)) return void openPageOf(window.location.hash);
      // Some browsers expand the details themselves.
      if (!target || !details || details.open) return;
      details.open = true;
      target.scrollIntoView();
    }
    async function openPageOf(hash: string) {
      const response = await fetch("/docs/names").catch(() => undefined);
      const names: DocName[] = response?.ok ? await response.json() : [];
      const path = names.find((name) => name.path.endsWith(hash))?.path;
      if (path) window.location.replace(`${basePath}/${path}`);
    }
    async function copyCode(button: HTMLElement) {
      const blocks = [...(button.closest("figure")?.querySelectorAll<HTMLElement>("pre") ?? [])];
      // Samples have several languages; copy the visible one.
      const text = blocks.find(({ offsetParent }) => offsetParent)?.textContent;
      if (!text) return;
      try {
        await navigator.clipboard.writeText(text);
        announce(copiedText);
        button.dataset.copied = "";
        window.setTimeout(() => delete button.dataset.copied, COPIED_DURATION_MS);
      } catch {
        announce(copyFailedText);
      }
    }
    function toggleForm(button: HTMLElement) {
      const [id, container] = [button.dataset.try, button.nextElementSibling];
      if (!id || !container) return;
      const isOpening = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(isOpening));
      setFormContainers((previous) => {
        const next = new Map(previous);
        if (isOpening) next.set(id, container);
        else next.delete(id);
        return next;
      });
    }
    function toggleWrap(button: HTMLElement) {
      const isWrapped = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(isWrapped));
      button.closest("figure")?.toggleAttribute("data-wrapped", isWrapped);
    }
    function colourOpened({ target }: Event) {
      if (target instanceof HTMLDetailsElement && target.open) colourCode(target);
    }
    function handleClick({ target }: MouseEvent) {
      const button =
        target instanceof Element
          ? target.closest<HTMLElement>("[data-copy], [data-wrap], [data-try]")
          : null;
      if (!button) return;
      if ("try" in button.dataset) toggleForm(button);
      else if ("wrap" in button.dataset) toggleWrap(button);
      else void copyCode(button);
    }
    openTarget();
    dropDetachedColours();
    for (const block of document.querySelectorAll(".doc-code"))
      if (!block.closest("details:not([open])")) colourCode(block);
    // `toggle` does not bubble.
    document.addEventListener("toggle", colourOpened, true);
    window.addEventListener("hashchange", openTarget);
    document.addEventListener("click", handleClick);
    return () => {
      window.removeEventListener("hashchange", openTarget);
      document.removeEventListener("click", handleClick);
      document.removeEventListener("toggle", colourOpened, true);
    };
  }, [basePath, copiedText, copyFailedText]);

  return [...formContainers].map(([id, container]) =>
    // A language change replaces the markup, which removes the containers.
    container.isConnected
      ? createPortal(
          <Suspense fallback={<div aria-busy className="min-h-80" />}>
            <TryIt operationId={id} basePath={basePath} loadErrorText={loadErrorText} />
          </Suspense>,
          container,
          id,
        )
      : null,
  );
}
