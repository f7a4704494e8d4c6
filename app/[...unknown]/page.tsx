import { notFound } from "next/navigation";
import { pageTitle } from "../page-title";

export const generateMetadata = pageTitle("ui.notFound.title");

export default function UnknownPage(): never {
  notFound();
}
