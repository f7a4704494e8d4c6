import { notFound } from "next/navigation";
import { pageTitle } from "../page-title";

export const generateMetadata = pageTitle("ui.notFound.title");

/** Every address that no other page has. */
export default function UnknownPage(): never {
  notFound();
}
