"use client";

import { type ReactNode, useState } from "react";
import { WidgetLauncher, type WidgetLauncherProps } from "./widget-launcher";

export interface PreviewWidgetProps extends Pick<WidgetLauncherProps, "colors"> {
  /** The opened conversation, rendered on the server. */
  conversation: ReactNode;
  labels: { open: string; close: string };
}

/** The widget of the preview page. Starts opened. */
export function PreviewWidget({ conversation, labels, colors }: PreviewWidgetProps) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <>
      {isOpen ? conversation : null}
      <WidgetLauncher
        open={isOpen}
        onToggle={() => setIsOpen(!isOpen)}
        label={isOpen ? labels.close : labels.open}
        colors={colors}
      />
    </>
  );
}
