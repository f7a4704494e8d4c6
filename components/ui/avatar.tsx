import { initialsOf } from "@/server/core/graphemes";
import { useFormat } from "./use-format";

export interface AvatarProps {
  name: string;
  /** A picture served by us. */
  src?: string | null;
  size?: "sm" | "md" | "lg";
}

const SIZE = { sm: "size-7 text-caption", md: "size-9 text-compact", lg: "size-16 text-h2" };

/** A person's picture, or their initials. The name is next to it, so it is hidden from screen readers. */
export function Avatar({ name, src, size = "md" }: AvatarProps) {
  const { upper } = useFormat();
  return (
    <span
      aria-hidden
      className={`grid shrink-0 select-none place-items-center overflow-hidden rounded-full bg-primary-soft font-semibold text-primary-text ${SIZE[size]}`}
    >
      {/* biome-ignore lint/performance/noImgElement: re-encoded and served in this size by our own media route */}
      {src ? <img src={src} alt="" className="size-full object-cover" /> : upper(initialsOf(name))}
    </span>
  );
}
