"use client";

import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Drawer } from "./drawer";

export interface DrawerButtonProps {
  icon: ReactNode;
  /** The words of the button. */
  label: string;
  /** The heading of the drawer: the button's words unless given. */
  title?: string;
  /** Whether it begins something new, as the key c does. */
  creates?: boolean;
  /** The form, which closes the drawer when it is done. */
  children: (close: () => void) => ReactNode;
}

/** A page's main button, and the drawer with a form that it opens. */
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
