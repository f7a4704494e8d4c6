"use client";

import { Popover } from "@base-ui/react/popover";
import { useTranslations } from "next-intl";
import { Ltr } from "../bidi";
import { CopyButton } from "../copy-button";
import { useFormat } from "../use-format";
import type { Hint } from "../use-hint";

export function TimePopup({ open, setOpen, anchor, popupHandlers, iso }: Hint & { iso: string }) {
  const t = useTranslations("ui.time");
  const format = useFormat();
  const rows = [
    { label: format.zone(iso), text: format.dateTime(iso, { timeStyle: "medium" }) },
    { label: "UTC", text: format.utc(iso) },
  ];
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next, details) => {
        if (!next && anchor?.contains(details.event.target as Node)) details.cancel();
        else setOpen(next);
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} sideOffset={6} className="layer-menu" {...popupHandlers}>
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
