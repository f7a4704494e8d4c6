import { CircleCheck, CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";

/** Tone of a message. Each has an icon, so that colour is never the only sign. */
export type Tone = "neutral" | "info" | "success" | "warning" | "danger";

export const TONE_ICON: Record<Tone, LucideIcon> = {
  neutral: Info,
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  danger: CircleX,
};

export const TONE_SOFT_CLASS: Record<Tone, string> = {
  neutral: "bg-sunken text-fg-muted",
  info: "bg-info-soft text-info-text",
  success: "bg-success-soft text-success-text",
  warning: "bg-warning-soft text-warning-text",
  danger: "bg-danger-soft text-danger-text",
};

export const TONE_TEXT_CLASS: Record<Tone, string> = {
  neutral: "text-fg-muted",
  info: "text-info-text",
  success: "text-success-text",
  warning: "text-warning-text",
  danger: "text-danger-text",
};
