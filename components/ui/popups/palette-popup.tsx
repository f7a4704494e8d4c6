"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useRef } from "react";
import { IconButton } from "../icon-button";
import { getPaletteInputProps, PaletteInputRow, paletteBoxClass } from "./palette-parts";
import { backdropStyle } from "./popup-style";
import type { PopupProps } from "./props";
import { usePopupFocus } from "./use-popup-focus";

export interface PaletteItem {
  key: string;
  label: string;
  /** Distinguishes equal labels: a domain, an email address. */
  detail?: string;
  /** Language of the label if it differs from the page's. */
  lang?: string;
  icon?: ReactNode;
  /** Keyboard shortcut. */
  shortcut?: string;
  onChoose: () => void;
}

export interface PaletteGroup {
  value: string;
  label: string;
  items: PaletteItem[];
}

export interface PalettePopupProps extends PopupProps {
  title: string;
  placeholder: string;
  query: string;
  onQueryChange: (query: string) => void;
  groups: readonly PaletteGroup[];
  emptyText: ReactNode;
  /** Number of results, for screen readers. */
  resultCountText: string;
}

export function PalettePopup(props: PalettePopupProps) {
  const t = useTranslations("common");
  const popup = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const focusProps = usePopupFocus({
    ...{ open: props.open, popup, getFinalTarget: props.finalFocus },
    getInitialTarget: () => input.current,
  });
  return (
    <Dialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropStyle} />
        <Dialog.Popup ref={popup} aria-label={props.title} {...focusProps} className={paletteBoxClass}>
          <Autocomplete.Root
            open
            inline
            mode="none"
            autoHighlight="always"
            keepHighlight
            items={props.groups}
            itemToStringValue={(item: PaletteItem) => item.label}
            value={props.query}
            onValueChange={(value, { reason }) => {
              // Choosing an item also changes the value; ignore that.
              if (reason === "input-change" || reason === "input-clear") props.onQueryChange(value);
            }}
          >
            <PaletteInputRow>
              <Autocomplete.Input ref={input} {...getPaletteInputProps(props.placeholder)} />
              <Dialog.Close
                render={<IconButton label={t("close")} icon={<X />} tooltip={false} size="sm" />}
              />
            </PaletteInputRow>
            <p role="status" className="sr-only">
              {props.resultCountText}
            </p>
            {props.groups.length === 0 ? (
              <div className="px-5 py-8 text-center text-fg-muted text-sm">{props.emptyText}</div>
            ) : null}
            <Autocomplete.List
              aria-label={props.title}
              className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain p-2 empty:hidden"
            >
              {(group: PaletteGroup) => (
                <Autocomplete.Group key={group.value} items={group.items} className="not-first:mt-2">
                  <Autocomplete.GroupLabel className="px-3 py-1.5 text-caption text-fg-subtle">
                    {group.label}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: PaletteItem) => (
                      <Autocomplete.Item
                        key={item.key}
                        value={item}
                        onClick={item.onChoose}
                        className="flex min-h-11 cursor-default items-center gap-3 rounded-control px-3 text-sm data-highlighted:bg-primary-soft data-highlighted:text-primary-text forced-colors:data-highlighted:outline-2"
                      >
                        <span className="grid size-5 shrink-0 place-items-center text-fg-muted">
                          {item.icon}
                        </span>
                        <span className="min-w-0 flex-1">
                          <span className="block truncate font-medium">
                            <bdi lang={item.lang}>{item.label}</bdi>
                          </span>
                          {item.detail ? (
                            <span className="block truncate text-caption text-fg-muted">
                              <bdi>{item.detail}</bdi>
                            </span>
                          ) : null}
                        </span>
                        {item.shortcut ? (
                          <kbd
                            aria-hidden
                            dir="ltr"
                            className="shrink-0 rounded-control border border-border px-1.5 text-caption text-fg-muted pointer-coarse:hidden"
                          >
                            {item.shortcut}
                          </kbd>
                        ) : null}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
