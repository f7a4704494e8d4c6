import type { ReactElement, ReactNode, RefObject } from "react";
import type { Period } from "../period";
import type { Tone } from "../tone";

export interface OpenerProps {
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Loads the content when the trigger is hovered or focused. */
  preload?: () => void;
}

export interface DialogProps extends OpenerProps {
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the main one last. Wrap a close button in `DialogClose`. */
  footer?: ReactNode;
  size?: "sm" | "md" | "lg";
  /** False disables Escape and clicks outside. */
  dismissible?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
}

export interface AlertDialogProps extends OpenerProps {
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  confirmLabel: ReactNode;
  cancelLabel?: ReactNode;
  /** A returned string is shown as an error and keeps the dialog open. */
  // biome-ignore lint/suspicious/noConfusingVoidType: callers return nothing on success
  onConfirm: () => Promise<string | void> | string | void;
  tone?: "danger" | "primary";
  /** Text that the user must type first, for actions that cannot be undone. */
  typeToConfirm?: string;
  /** Focus target when the action removes the opener; true: the previous element. */
  finalFocus?: () => HTMLElement | true;
}

export interface DrawerProps extends OpenerProps {
  title: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  initialFocus?: RefObject<HTMLElement | null>;
  /** Focus target on close; true: the previous element, false: none. */
  getFinalFocus?: () => boolean | HTMLElement;
  /** From 1024 px the drawer is beside the page, which stays usable. */
  docks?: boolean;
  onUnsavedChange?: (hasUnsaved: boolean) => void;
}

export interface PeriodFilterProps {
  /** Meaning of the dates, such as "Created". */
  label: string;
  period: Period;
  onChange: (period: Period) => void;
}

export interface TooltipProps {
  text: ReactNode;
  /** Focusable element with an accessible name. */
  children: ReactElement;
  side?: "top" | "bottom" | "inline-start" | "inline-end";
  disabled?: boolean;
}

export interface PopupProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Focus target on close; false: none. */
  finalFocus: () => HTMLElement | boolean;
}

export interface ToastOptions {
  description?: ReactNode;
  /** Undo, also by Ctrl/⌘ Z. The toast then stays for ten seconds. */
  action?: { label: string; onSelect: () => void };
}

export interface ShownToast extends ToastOptions {
  id: string;
  title: ReactNode;
  type: Tone;
  timeout: number;
}
