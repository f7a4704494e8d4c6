"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { SubmitButton, useOperationFormContext } from "./operation-form";

export function SaveBar() {
  const t = useTranslations("ui.form.changes");
  const form = useOperationFormContext();
  const barRef = useRef<HTMLDivElement>(null);
  const { isDirty, dirtyFields } = form.formState;
  const changeCount = countChanges(dirtyFields);
  const { onSubmit } = form;

  useEffect(() => {
    if (!isDirty) return;
    function submitOnShortcut(event: KeyboardEvent) {
      const isSaveShortcut =
        event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey) && !event.altKey;
      // Ignore forms in hidden tabs, which have no box.
      if (!isSaveShortcut || !barRef.current?.getClientRects().length) return;
      event.preventDefault();
      void onSubmit();
    }
    window.addEventListener("keydown", submitOnShortcut);
    return () => window.removeEventListener("keydown", submitOnShortcut);
  });

  if (!isDirty) return null;
  return (
    <div
      ref={barRef}
      className="layer-sticky sticky bottom-4 flex flex-wrap items-center justify-end gap-2 rounded-card border border-border bg-raised px-4 py-3 shadow-2 short:static max-sm:bottom-18"
    >
      <p role="status" className="me-auto text-fg-muted text-sm">
        {t("count", { count: changeCount })}
      </p>
      <Button onClick={() => form.reset()}>{t("discard")}</Button>
      <SubmitButton>{t("save")}</SubmitButton>
    </div>
  );
}

/** Counts changed fields, also those inside objects. */
function countChanges(dirty: unknown): number {
  if (typeof dirty !== "object" || dirty === null) return dirty === true ? 1 : 0;
  return Object.values(dirty).reduce((sum: number, each) => sum + countChanges(each), 0);
}
