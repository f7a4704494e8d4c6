import type { Route } from "next";
import { type ComponentType, createContext, type ReactElement, type ReactNode } from "react";

export interface MenuProps {
  /** Button with an accessible name. */
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
  side?: "bottom" | "top" | "inline-end";
}

export interface MenuItemProps {
  icon?: ReactNode;
  children: ReactNode;
  onSelect?: () => void;
  /** Part that the item opens: it starts to load when the item is highlighted. */
  opens?: { preload: () => void };
  disabled?: boolean;
  danger?: boolean;
}

export interface MenuLinkProps {
  icon?: ReactNode;
  children: ReactNode;
  href: Route;
}

export interface MenuChoiceProps<V extends string> {
  label: ReactNode;
  value: V;
  options: readonly { value: V; label: ReactNode; icon?: ReactNode; lang?: string }[];
  onValueChange: (value: V) => void;
}

export interface SubmenuProps {
  icon?: ReactNode;
  label: string;
  children: ReactNode;
}

interface Parts {
  Item: ComponentType<MenuItemProps>;
  LinkItem: ComponentType<MenuLinkProps>;
  Choice: <V extends string>(props: MenuChoiceProps<V>) => ReactNode;
  Submenu: ComponentType<SubmenuProps>;
}

/** Components of an open menu. Its popup provides them, so that closed menus load no popup code. */
export const MenuPartsContext = createContext<Parts | null>(null);
