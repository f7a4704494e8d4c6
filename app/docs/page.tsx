import { ContentsPage, contentsMetadata, queryOf } from "./pages";

export { contentsMetadata as generateMetadata };

export default async function DocsPage({ searchParams }: PageProps<"/docs">) {
  return <ContentsPage base="/docs" query={queryOf(await searchParams)} />;
}
