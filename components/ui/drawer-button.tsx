"use client";

import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Drawer } from "./drawer";

export interface DrawerButtonProps {
  icon: ReactNode;
  label: string;
  title?: string;
  /** True (default) for the page's create button, which is the primary one and which the key c presses. */
  isCreateButton?: boolean;
  /** Loads the content when the button is hovered or focused. */
  preload?: () => void;
  children: (close: () => void) => ReactNode;
}

export function DrawerButton({
  icon,
  label,
  title = label,
  isCreateButton = true,
  preload,
  children,
}: DrawerButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <Drawer
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button
          data-create={isCreateButton || undefined}
          variant={isCreateButton ? "primary" : undefined}
          icon={icon}
        >
          {label}
        </Button>
      }
      title={title}
      preload={preload}
    >
      {children(() => setOpen(false))}
    </Drawer>
  );
}
