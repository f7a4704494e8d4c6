import type { ReactElement, ReactNode, RefObject } from "react";
import type { Period } from "../period";
import type { Tone } from "../tone";

export interface OpenerProps {
  /** A button that opens it; or control it with `open`. */
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

export interface DialogProps extends OpenerProps {
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons; the main one last. Wrap one that only closes in `DialogClose`. */
  footer?: ReactNode;
  size?: "sm" | "md" | "lg";
  /** False while something would be lost: Escape and a press outside then do nothing. */
  dismissible?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
}

export interface AlertDialogProps extends OpenerProps {
  title: ReactNode;
  description?: ReactNode;
  /** The consequences, as the server lists them. */
  children?: ReactNode;
  /** Verb and object: "Delete site". */
  confirmLabel: ReactNode;
  cancelLabel?: ReactNode;
  /** Runs while the button works; a string it returns is shown as an error and keeps the dialog open. */
  // biome-ignore lint/suspicious/noConfusingVoidType: callers return nothing on success
  onConfirm: () => Promise<string | void> | string | void;
  tone?: "danger" | "primary";
  /** A word or number that must be typed first, for actions that cannot be undone. */
  typeToConfirm?: string;
  /** Where the focus goes instead when the action takes away what had it; true: back. */
  finalFocus?: () => HTMLElement | true;
}

export interface DrawerProps extends OpenerProps {
  title: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  /** What has the focus first; its first field otherwise. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Whether the focus goes back to what had it, or where else it goes; asked when the drawer closes. */
  returnsFocus?: () => boolean | HTMLElement;
}

export interface PeriodFilterProps {
  /** What the days are of: "Created". */
  label: string;
  period: Period;
  onChange: (period: Period) => void;
}

export interface TooltipProps {
  text: ReactNode;
  /** The element it describes; it must be focusable and have its own name. */
  children: ReactElement;
  side?: "top" | "bottom" | "inline-start" | "inline-end";
  disabled?: boolean;
}

/** What an opener hands to its popup. */
export interface PopupProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Where the focus goes when it closes; false: nowhere. */
  finalFocus: () => HTMLElement | boolean;
}

export interface ToastOptions {
  description?: ReactNode;
  /** Takes back what was done, and so do Ctrl or ⌘ and Z; the toast then stays ten seconds. */
  action?: { label: string; onSelect: () => void };
}

export interface ShownToast extends ToastOptions {
  id: string;
  title: ReactNode;
  type: Tone;
  timeout: number;
}
