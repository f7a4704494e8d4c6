import { PageNotFound } from "@/components/shell/page-not-found";

/** Rendered inside the shell, which has the `main` element. */
export default function PanelNotFound() {
  return <PageNotFound />;
}
