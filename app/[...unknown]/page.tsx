import { notFound } from "next/navigation";
import { pageTitle } from "../page-title";

export const generateMetadata = pageTitle("ui.notFound.title");

/** Catches addresses without a page. */
export default function UnknownPage(): never {
  notFound();
}
