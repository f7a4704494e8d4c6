"use client";

import { useWatch } from "react-hook-form";
import type { AnyOperationForm } from "@/components/form/use-operation-form";
import { WidgetPreview } from "./widget-preview";

function parseHost(address: string): string {
  return (
    address
      .trim()
      .replace(/^[a-z]+:\/\//i, "")
      .split(/[/?#]/)[0] ?? ""
  );
}

/** A separate component, so that only the preview renders while the user types. */
export function WidgetFormPreview({
  form,
  site,
}: {
  form: AnyOperationForm;
  site?: { name: string; domain: string };
}) {
  const values = { ...site, ...useWatch({ control: form.control }) };
  return (
    <WidgetPreview
      title={values.bot_name || values.name || ""}
      domain={parseHost(values.domain ?? "") || "example.com"}
      welcomeMessage={values.welcome_message ?? ""}
      color={values.widget_color ?? ""}
      position={values.widget_position ?? "bottom-right"}
      onPositionChange={(position) =>
        form.setValue("widget_position", position, { shouldDirty: true, shouldTouch: true })
      }
    />
  );
}
