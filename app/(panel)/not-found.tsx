import { NoPage } from "@/components/shell/no-page";

/** Rendered inside the shell, which has the `main` element. */
export default function PanelNotFound() {
  return <NoPage />;
}
