"use client";

import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Drawer } from "./drawer";

export interface DrawerButtonProps {
  icon: ReactNode;
  label: string;
  title?: string;
  /** True (default) for the page's create button, which the key c presses. */
  isCreateButton?: boolean;
  children: (close: () => void) => ReactNode;
}

export function DrawerButton({
  icon,
  label,
  title = label,
  isCreateButton = true,
  children,
}: DrawerButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <Drawer
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button data-create={isCreateButton || undefined} variant="primary" icon={icon}>
          {label}
        </Button>
      }
      title={title}
    >
      {children(() => setOpen(false))}
    </Drawer>
  );
}
