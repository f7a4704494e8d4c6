import { getInitials } from "@/server/core/graphemes";
import { useFormat } from "./use-format";

export interface AvatarProps {
  name: string;
  /** Path of a picture on this host. */
  src?: string | null;
  size?: "sm" | "md" | "lg";
}

const SIZE_CLASS = { sm: "size-7 text-caption", md: "size-9 text-compact", lg: "size-16 text-h2" };

/** Picture or initials. Hidden from screen readers: the name is always next to it. */
export function Avatar({ name, src, size = "md" }: AvatarProps) {
  const { upper: toUpperCase } = useFormat();
  return (
    <span
      aria-hidden
      className={`grid shrink-0 select-none place-items-center overflow-hidden rounded-full bg-primary-soft font-semibold text-primary-text ${SIZE_CLASS[size]}`}
    >
      {/* biome-ignore lint/performance/noImgElement: our media route serves it in this size */}
      {src ? <img src={src} alt="" className="size-full object-cover" /> : toUpperCase(getInitials(name))}
    </span>
  );
}
