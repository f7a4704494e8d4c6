"use client";

import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Drawer } from "./drawer";

export interface DrawerButtonProps {
  icon: ReactNode;
  label: string;
  title?: string;
  /** Marks the create button of the page, which the key c presses; default: true. */
  creates?: boolean;
  children: (close: () => void) => ReactNode;
}

export function DrawerButton({ icon, label, title = label, creates = true, children }: DrawerButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <Drawer
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button data-create={creates || undefined} variant="primary" icon={icon}>
          {label}
        </Button>
      }
      title={title}
    >
      {children(() => setOpen(false))}
    </Drawer>
  );
}
