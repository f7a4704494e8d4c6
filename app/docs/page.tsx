import { ContentsPage, contentsMetadata, parseQuery } from "./pages";

export { contentsMetadata as generateMetadata };

export default async function DocsPage({ searchParams }: PageProps<"/docs">) {
  return <ContentsPage base="/docs" query={parseQuery(await searchParams)} />;
}
