"use client";

import { cloneElement, type MouseEvent, type ReactElement, use, useRef, useState } from "react";
import { getPreloadProps, lazyPart, POPUP } from "./lazy-part";
import {
  type MenuChoiceProps,
  type MenuItemProps,
  type MenuLinkProps,
  MenuPartsContext,
  type MenuProps,
  type SubmenuProps,
} from "./popups/menu-parts";

const MenuPopup = lazyPart(() => import("./popups/menu-popup").then((file) => file.MenuPopup), POPUP);

type Trigger = ReactElement<{ onClick?: (event: MouseEvent<HTMLElement>) => void }>;

export function Menu({ trigger, ...props }: MenuProps) {
  const button = trigger as Trigger;
  const [open, setOpen] = useState(false);
  const [isOpenedByKeyboard, setIsOpenedByKeyboard] = useState(false);
  const anchor = useRef<HTMLElement>(null);
  const [hasOpened, setHasOpened] = useState(false);
  return (
    <>
      {cloneElement(button, {
        ...{ "aria-haspopup": "menu", "aria-expanded": open, "data-popup-open": open ? "" : undefined },
        ...getPreloadProps(MenuPopup),
        onClick: (event) => {
          button.props.onClick?.(event);
          if (event.defaultPrevented) return;
          anchor.current = event.currentTarget;
          setIsOpenedByKeyboard(event.detail === 0);
          setHasOpened(true);
          setOpen(!open);
        },
      })}
      {hasOpened ? (
        <MenuPopup
          {...props}
          open={open}
          onOpenChange={setOpen}
          anchor={anchor}
          isOpenedByKeyboard={isOpenedByKeyboard}
        />
      ) : null}
    </>
  );
}

export function MenuItem(props: MenuItemProps) {
  const parts = use(MenuPartsContext);
  return parts ? <parts.Item {...props} /> : null;
}

export function MenuLink(props: MenuLinkProps) {
  const parts = use(MenuPartsContext);
  return parts ? <parts.LinkItem {...props} /> : null;
}

export function MenuChoice<V extends string>(props: MenuChoiceProps<V>) {
  const parts = use(MenuPartsContext);
  return parts ? <parts.Choice {...props} /> : null;
}

export function Submenu(props: SubmenuProps) {
  const parts = use(MenuPartsContext);
  return parts ? <parts.Submenu {...props} /> : null;
}

export function MenuSeparator() {
  return <hr className="my-1 border-border border-t" />;
}
