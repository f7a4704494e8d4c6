import { clsx } from "clsx";
import { FileText, Film, Image, Music } from "lucide-react";
import type { MediaRow } from "./types";

const ICON_BY_KIND = { image: Image, video: Film, audio: Music, document: FileText };

/** Returns the path of one of our URLs, because the CSP allows the page's own host only. */
export const toUrlPath = (url: string) => new URL(url).pathname;

export function Thumbnail({
  file: { kind, preview_url: previewUrl },
  size = "sm",
}: {
  file: Pick<MediaRow, "kind" | "preview_url">;
  size?: "sm" | "lg";
}) {
  const Icon = ICON_BY_KIND[kind];
  const boxClass = clsx(
    "shrink-0 rounded-control border border-border bg-sunken",
    size === "lg" ? "aspect-square w-full" : "size-10",
  );
  if (previewUrl) {
    const imageClass = clsx(boxClass, "object-cover");
    // biome-ignore lint/performance/noImgElement: our own small WEBP, cached for ever
    return <img src={toUrlPath(previewUrl)} alt="" loading="lazy" className={imageClass} />;
  }
  return (
    <span className={clsx(boxClass, "grid place-items-center text-fg-muted")}>
      <Icon aria-hidden className="size-5" />
    </span>
  );
}
