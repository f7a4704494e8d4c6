import { LOCALE_LABELS } from "@/server/core/locale";
import { ShellFrame } from "./shell-frame";
import type { ShellFrameProps } from "./shell-props";

export type AppShellProps = Omit<ShellFrameProps, "languages">;

/** The signed-in frame: menu, top bar, banners, content. It renders its props and loads no data. */
export function AppShell(props: AppShellProps) {
  return <ShellFrame {...props} languages={LOCALE_LABELS} />;
}
