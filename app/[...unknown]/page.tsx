import { notFound } from "next/navigation";
import { metadataWithTitle } from "../page-title";

export const generateMetadata = metadataWithTitle("ui.notFound.title");

export default function UnknownPage(): never {
  notFound();
}
