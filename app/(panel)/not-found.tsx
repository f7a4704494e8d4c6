import { PageNotFound } from "@/components/shell/page-not-found";

/** "Not found" inside the panel. Renders no `main` element, because the panel has one. */
export default function PanelNotFound() {
  return <PageNotFound />;
}
