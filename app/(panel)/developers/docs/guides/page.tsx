import { redirect } from "next/navigation";

/** The guides are listed on the first page of the documentation. */
export default function PanelDocsGuidesPage() {
  redirect("/developers/docs");
}
