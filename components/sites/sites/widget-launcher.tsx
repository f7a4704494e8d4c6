import { MessageCircle, X } from "lucide-react";
import type { WidgetColors } from "./contrast";

export interface WidgetLauncherProps {
  open: boolean;
  onToggle: () => void;
  label: string;
  colors: Pick<WidgetColors, "fill" | "foreground">;
}

export function WidgetLauncher({ open, onToggle, label, colors }: WidgetLauncherProps) {
  return (
    <button
      type="button"
      onClick={onToggle}
      aria-label={label}
      aria-expanded={open}
      className="pointer-events-auto grid size-13 shrink-0 place-items-center rounded-full shadow-2"
      style={{ backgroundColor: colors.fill, color: colors.foreground }}
    >
      {open ? <X className="size-6" /> : <MessageCircle className="size-6" />}
    </button>
  );
}
