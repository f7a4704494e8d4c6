import { LOCALE_LABELS } from "@/server/core/locale";
import { ShellFrame } from "./shell-frame";
import type { ShellFrameProps } from "./shell-props";

export type AppShellProps = Omit<ShellFrameProps, "languages">;

/** Frame of signed-in pages: menu, top bar, banners and content. Loads no data. */
export function AppShell(props: AppShellProps) {
  return <ShellFrame {...props} languages={LOCALE_LABELS} />;
}
