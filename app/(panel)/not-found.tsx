import { NoPage } from "@/components/shell/no-page";

/** Inside the shell, which has the page's `main`. */
export default function PanelNotFound() {
  return <NoPage />;
}
