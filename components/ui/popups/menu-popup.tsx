"use client";

import { Menu as Base } from "@base-ui/react/menu";
import { clsx } from "clsx";
import { Check, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { AppLink } from "../app-link";
import { getPreloadProps } from "../lazy-part";
import {
  type MenuChoiceProps,
  type MenuItemProps,
  type MenuLinkProps,
  MenuPartsContext,
  type MenuProps,
  type SubmenuProps,
} from "./menu-parts";
import { usePopupFocus } from "./use-popup-focus";

const popupClass =
  "popup-motion max-h-(--available-height) min-w-48 overflow-y-auto rounded-card border border-border bg-raised p-1 shadow-2 outline-none";
const itemClass =
  "flex min-h-control-small w-full cursor-default select-none items-center gap-2.5 rounded-control px-2.5 py-1.5 text-start text-sm outline-none data-disabled:text-fg-subtle data-highlighted:bg-sunken data-popup-open:bg-sunken [&_.lucide]:text-fg-muted";

export interface MenuPopupProps extends Omit<MenuProps, "trigger"> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: RefObject<HTMLElement | null>;
  /** Highlights the first item. */
  isOpenedByKeyboard: boolean;
}

export function MenuPopup(props: MenuPopupProps) {
  const { open, onOpenChange, anchor, isOpenedByKeyboard, children, align = "end", side = "bottom" } = props;
  const t = useTranslations("ui.popup");
  const popup = useRef<HTMLDivElement>(null);
  const { finalFocus } = usePopupFocus({ open, popup, getFinalTarget: () => anchor.current ?? true });
  return (
    <MenuPartsContext value={parts}>
      <Base.Root
        open={open}
        onOpenChange={(next, details) => {
          // The trigger handles its own clicks.
          if (!next && anchor.current?.contains(details.event.target as Node)) details.cancel();
          else onOpenChange(next);
        }}
      >
        <Base.Portal>
          <Base.Positioner
            role="region"
            aria-label={t("menu")}
            anchor={anchor}
            side={side}
            align={align}
            sideOffset={6}
            collisionPadding={8}
            className="layer-menu outline-none"
          >
            <Base.Popup ref={popup} finalFocus={finalFocus} className={popupClass}>
              {children}
              <TakeFocus popup={popup} highlightsFirst={isOpenedByKeyboard} />
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </MenuPartsContext>
  );
}

/** Moves the focus when the items mount, before the next key press. */
function TakeFocus({
  popup,
  highlightsFirst,
}: {
  popup: RefObject<HTMLElement | null>;
  highlightsFirst: boolean;
}) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the menu opens
  useLayoutEffect(() => {
    queueMicrotask(() => {
      popup.current?.focus({ preventScroll: true });
      if (highlightsFirst)
        popup.current?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    });
  }, []);
  return null;
}

function Item({ icon, children, onSelect, opens, disabled, danger }: MenuItemProps) {
  return (
    <Base.Item
      disabled={disabled}
      onClick={onSelect}
      {...(opens && getPreloadProps(opens))}
      className={clsx(
        itemClass,
        danger && "text-danger-text data-highlighted:bg-danger-soft [&_.lucide]:text-current",
      )}
    >
      {icon}
      <span className="contents">{children}</span>
    </Base.Item>
  );
}

function LinkItem({ icon, children, href }: MenuLinkProps) {
  return (
    <Base.LinkItem closeOnClick render={<AppLink href={href} />} className={itemClass}>
      {icon}
      <span className="contents">{children}</span>
    </Base.LinkItem>
  );
}

function Choice<V extends string>({ label, value, options, onValueChange }: MenuChoiceProps<V>) {
  return (
    <Base.RadioGroup value={value} onValueChange={onValueChange}>
      <Base.Group>
        <Base.GroupLabel className="px-2.5 pt-2 pb-1 text-caption text-fg-muted">{label}</Base.GroupLabel>
        {options.map((option) => (
          <Base.RadioItem
            key={option.value}
            value={option.value}
            closeOnClick
            className={itemClass}
            lang={option.lang}
          >
            {option.icon}
            <span className="flex-1">{option.label}</span>
            <Base.RadioItemIndicator>
              <Check className="text-primary-text!" />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.Group>
    </Base.RadioGroup>
  );
}

function Submenu({ icon, label, children }: SubmenuProps) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={itemClass}>
        {icon}
        <span className="flex-1">{label}</span>
        <ChevronRight className="mirror" />
      </Base.SubmenuTrigger>
      <Base.Portal>
        <Base.Positioner
          role="region"
          aria-label={label}
          side="inline-end"
          sideOffset={4}
          collisionPadding={8}
          className="layer-menu outline-none"
        >
          <Base.Popup className={popupClass}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}

const parts = { Item, LinkItem, Choice, Submenu };
