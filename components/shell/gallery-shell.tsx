import { LOCALE_LABELS } from "@/server/core/locale";
import { ShellFrame } from "./shell-frame";
import type { ShellFrameProps } from "./shell-props";

export type GalleryShellProps = Omit<ShellFrameProps, "languages">;

/** `ShellFrame` with all languages, for the component gallery. */
export function GalleryShell(props: GalleryShellProps) {
  return <ShellFrame {...props} languages={LOCALE_LABELS} />;
}
