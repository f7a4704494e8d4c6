"use client";

import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Drawer } from "./drawer";

export interface DrawerButtonProps {
  icon: ReactNode;
  label: string;
  /** Heading of the drawer; default: `label`. */
  title?: string;
  /** Marks the create button of the page, which the key c presses; default: true. */
  creates?: boolean;
  /** Form, which calls `close` when done. */
  children: (close: () => void) => ReactNode;
}

/** Main button of a page that opens a drawer with a form. */
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
