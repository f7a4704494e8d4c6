import type { Output } from "@/server/core/contract";
import type { listSnippets } from "@/server/domains/sites/snippets/contract";

export type SnippetRow = Output<typeof listSnippets>["snippets"][number];
