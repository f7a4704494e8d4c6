import { renderSVG } from "uqr";

export interface QrCodeProps {
  text: string;
  /** Describes the content for screen readers. */
  label: string;
}

export function QrCode({ text, label }: QrCodeProps) {
  return (
    // biome-ignore lint/performance/noImgElement: an inline data URL
    <img
      src={`data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 2 }))}`}
      alt={label}
      width={168}
      height={168}
      className="size-42 rounded-card border border-border bg-white p-1 forced-color-adjust-none"
    />
  );
}
