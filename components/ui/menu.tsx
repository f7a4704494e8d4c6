"use client";

import { Menu as Base } from "@base-ui/react/menu";
import { clsx } from "clsx";
import { Check, ChevronRight } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { ReactElement, ReactNode } from "react";
import { AppLink } from "./app-link";

const popup =
  "popup-motion max-h-(--available-height) min-w-48 overflow-y-auto rounded-card border border-border bg-raised p-1 shadow-2 outline-none";
const item =
  "flex min-h-control-small w-full cursor-default select-none items-center gap-2.5 rounded-control px-2.5 py-1.5 text-start text-sm outline-none data-disabled:text-fg-subtle data-highlighted:bg-sunken data-popup-open:bg-sunken [&_.lucide]:text-fg-muted";

export interface MenuProps {
  /** The button that opens it; it must have a name. */
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
  side?: "bottom" | "top" | "inline-end";
}

/** A list of actions behind a button. */
export function Menu({ trigger, children, align = "end", side = "bottom" }: MenuProps) {
  const t = useTranslations("ui.popup");
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner
          role="region"
          aria-label={t("menu")}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="layer-menu outline-none"
        >
          <Base.Popup className={popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export interface MenuItemProps {
  icon?: ReactNode;
  children: ReactNode;
  onSelect?: () => void;
  disabled?: boolean;
  danger?: boolean;
}

export function MenuItem({ icon, children, onSelect, disabled, danger }: MenuItemProps) {
  return (
    <Base.Item
      disabled={disabled}
      onClick={onSelect}
      className={clsx(
        item,
        danger && "text-danger-text data-highlighted:bg-danger-soft [&_.lucide]:text-current",
      )}
    >
      {icon}
      {children}
    </Base.Item>
  );
}

export function MenuLink({ icon, children, href }: { icon?: ReactNode; children: ReactNode; href: Route }) {
  return (
    <Base.LinkItem closeOnClick render={<AppLink href={href} />} className={item}>
      {icon}
      {children}
    </Base.LinkItem>
  );
}

export interface MenuChoiceProps<V extends string> {
  label: ReactNode;
  value: V;
  options: readonly { value: V; label: ReactNode; icon?: ReactNode; lang?: string }[];
  onValueChange: (value: V) => void;
}

/** One of several settings, marked in the menu itself. */
export function MenuChoice<V extends string>({ label, value, options, onValueChange }: MenuChoiceProps<V>) {
  return (
    <Base.RadioGroup value={value} onValueChange={onValueChange}>
      <Base.Group>
        <Base.GroupLabel className="px-2.5 pt-2 pb-1 text-caption text-fg-muted">{label}</Base.GroupLabel>
        {options.map((option) => (
          <Base.RadioItem
            key={option.value}
            value={option.value}
            closeOnClick
            className={item}
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

/** A menu inside a menu. */
export function Submenu({ icon, label, children }: { icon?: ReactNode; label: string; children: ReactNode }) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={item}>
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
          <Base.Popup className={popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 border-border border-t" />;
}
