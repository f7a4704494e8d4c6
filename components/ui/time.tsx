"use client";

import { Popover } from "@base-ui/react/popover";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Ltr } from "./bidi";
import { CopyButton } from "./copy-button";
import type { DateInput } from "./format";
import { useFormat } from "./use-format";
import { useNow } from "./use-now";

export interface TimeProps {
  value: DateInput;
  /** `auto`: relative below seven days, with the exact time on hover, focus and tap. */
  show?: "auto" | "date" | "dateTime";
  /** Shows the zone, for deadlines and invoices. */
  zone?: boolean;
}

/** A moment in the reader's language and zone; machines read UTC. */
export function Time({ value, show = "auto", zone }: TimeProps) {
  const format = useFormat();
  const now = useNow(30_000);
  const iso = new Date(value).toISOString();
  const exact = show === "date" ? format.date(value) : format.dateTime(value);
  const relative = show === "auto" && now !== null ? format.relative(value, now) : null;
  const text = (
    <time dateTime={iso} suppressHydrationWarning className="whitespace-nowrap">
      {relative ?? (show === "auto" ? format.date(value) : exact)}
      {zone ? ` (${format.zone(value)})` : null}
    </time>
  );
  return show === "auto" ? <ExactTime iso={iso}>{text}</ExactTime> : text;
}

function ExactTime({ iso, children }: { iso: string; children: ReactNode }) {
  const t = useTranslations("ui.time");
  const format = useFormat();
  const rows = [
    { label: format.zone(iso), text: format.dateTime(iso, { timeStyle: "medium" }) },
    { label: "UTC", text: format.utc(iso) },
  ];
  return (
    <Popover.Root>
      <Popover.Trigger
        openOnHover
        delay={300}
        className="rounded-control decoration-dotted underline-offset-4 hover:underline data-popup-open:underline"
      >
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} className="layer-menu">
          <Popover.Popup
            initialFocus={false}
            aria-label={t("exact")}
            className="popup-motion rounded-card border border-border bg-raised px-3 py-2 text-compact shadow-2 outline-none"
          >
            <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
              {rows.map(({ label, text }) => (
                <div key={label} className="contents">
                  <dt className="text-fg-muted">
                    <Ltr>{label}</Ltr>
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
            <div className="mt-2">
              <CopyButton text={iso} label={t("copy")} size="sm" block />
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
